#include "politex/process/handshake.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "politex/base/error.hpp"

namespace politex::inline process {
namespace {

constexpr std::array<std::pair<std::string_view, NumberType>, 5> number_types = {{{"uint8", NumberType::uint8},
                                                                                  {"int32", NumberType::int32},
                                                                                  {"int64", NumberType::int64},
                                                                                  {"float32", NumberType::float32},
                                                                                  {"float64", NumberType::float64}}};
constexpr std::size_t most_numbers = 1 << 20;

std::string_view next_part(std::string_view& rest, char separator) {
  const auto end = rest.find(separator);
  const auto part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return part;
}

template <class T>
T number_of(std::string_view word, std::string_view line) {
  T value{};
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size())
    throw Error(fmt::format("its hello has '{}' instead of a number, in the line '{}'", word, line));
  return value;
}

std::vector<double> numbers_of(std::string_view rest, std::string_view line) {
  std::vector<double> values;
  while (!rest.empty()) values.push_back(number_of<double>(next_part(rest, ' '), line));
  return values;
}

void read_observation(std::string_view rest, std::string_view line, ServerHello& hello) {
  const auto word = next_part(rest, ' ');
  const auto* known = std::ranges::find(number_types, word, &std::pair<std::string_view, NumberType>::first);
  if (known == number_types.end())
    throw Error(
        fmt::format("its observations are of type '{}'; accepted: uint8, int32, int64, float32, float64", word));
  hello.type = known->second;
  hello.numbers = rest.empty() ? 0 : 1;
  while (!rest.empty()) {
    hello.shape.push_back(number_of<std::uint32_t>(next_part(rest, ' '), line));
    hello.numbers *= hello.shape.back();
    if (hello.numbers > most_numbers) break;
  }
}

/// A single value applies to all numbers.
double range_end(const std::vector<double>& ends, std::size_t at) { return ends.size() == 1 ? ends[0] : ends[at]; }

void set_ranges(ServerHello& hello, const std::vector<double>& low, const std::vector<double>& high) {
  for (const auto* ends : {&low, &high})
    if (ends->size() != 1 && ends->size() != hello.numbers)
      throw Error(fmt::format("its hello gives {} range limits for {} numbers; accepted: one, or one per number",
                              ends->size(), hello.numbers));
  for (std::size_t i = 0; i < hello.numbers; ++i) {
    const Range range{range_end(low, i), range_end(high, i)};
    if (std::isnan(range.low) || std::isnan(range.high) || range.low > range.high)
      throw Error(fmt::format("its hello gives the invalid range {1} to {2} for number {0} of an observation", i,
                              range.low, range.high));
    hello.space.ranges.push_back(range);
  }
}

void require_whole(const ServerHello& hello) {
  if (hello.space.actions < 1) throw Error("its hello has no number of actions; expected: a line 'actions N', N >= 1");
  if (hello.numbers < 1 || hello.numbers > most_numbers)
    throw Error(fmt::format("its observations have {} numbers; accepted: 1 to {}", hello.numbers, most_numbers));
  if (hello.space.states < 0 || (hello.space.states > 0 && hello.numbers != 1))
    throw Error("its hello has a line 'states'; then an observation must be one number, the index of the state");
  if (hello.space.time_limit < 0) throw Error("its hello gives a negative length of episodes");
}

/// Every part starts on a new cache line, so that the two sides never write to the same line.
std::size_t place(std::size_t& end, std::size_t bytes) {
  const auto at = end;
  end = (end + bytes + 63) / 64 * 64;
  return at;
}

}  // namespace

std::size_t bytes_of(NumberType type) noexcept {
  constexpr std::array<std::size_t, 5> sizes = {1, 4, 8, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

std::string greeting(std::span<const std::uint32_t> seeds) {
  auto text = fmt::format("politex {}\nenvironments {}\n", process_protocol, seeds.size());
  for (const auto seed : seeds) text += fmt::format("seed {}\n", seed);
  return text;
}

ServerHello parse_hello(std::string_view text) {
  auto rest = text;
  auto first = next_part(rest, '\n');
  const auto first_line = first;
  if (next_part(first, ' ') != "politex")
    throw Error("it does not use the protocol of politex: its first message must start with 'politex 1'");
  if (const int version = number_of<int>(first, first_line); version != process_protocol)
    throw Error(
        fmt::format("it uses version {} of the protocol, this program version {}; use a server of the same "
                    "politex version",
                    version, process_protocol));
  ServerHello hello;
  std::vector<double> low = {-std::numeric_limits<double>::infinity()};
  std::vector<double> high = {std::numeric_limits<double>::infinity()};
  while (!rest.empty()) {
    const auto line = next_part(rest, '\n');
    auto words = line;
    const auto key = next_part(words, ' ');
    if (key == "name") hello.space.name = words;
    if (key == "actions") hello.space.actions = number_of<int>(words, line);
    if (key == "observation") read_observation(words, line, hello);
    if (key == "states") hello.space.states = number_of<int>(words, line);
    if (key == "low") low = numbers_of(words, line);
    if (key == "high") high = numbers_of(words, line);
    if (key == "episode") hello.space.time_limit = number_of<std::int64_t>(words, line);
    if (key == "save") hello.can_save = number_of<int>(words, line) != 0;
    if (key == "pictures") hello.has_pictures = number_of<int>(words, line) != 0;
  }
  require_whole(hello);
  hello.space.bytes = hello.type == NumberType::uint8;
  if (hello.space.bytes && hello.shape.size() == 3) {
    hello.space.channels = static_cast<int>(hello.shape[0]);
    hello.space.height = static_cast<int>(hello.shape[1]);
    hello.space.width = static_cast<int>(hello.shape[2]);
  }
  if (hello.space.states > 0) {
    low = {0.0};
    high = {static_cast<double>(hello.space.states - 1)};
  }
  set_ranges(hello, low, high);
  return hello;
}

MemoryLayout::MemoryLayout(const ServerHello& hello, std::size_t environments) {
  const auto observed = environments * hello.numbers * bytes_of(hello.type);
  actions = place(bytes, environments * sizeof(std::int32_t));
  rewards = place(bytes, environments * sizeof(double));
  scores = place(bytes, environments * sizeof(double));
  flags = place(bytes, environments);
  observations = place(bytes, observed);
  last = place(bytes, observed);
}

std::string MemoryLayout::text() const {
  return fmt::format("memory {}\nactions {}\nrewards {}\nscores {}\nflags {}\nobservations {}\nlast {}\n", bytes,
                     actions, rewards, scores, flags, observations, last);
}

}  // namespace politex::inline process
