#include "politex/process/process_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"

namespace politex::inline process {
namespace {

constexpr std::uint8_t flag_terminated = 1, flag_truncated = 2, flag_lost_life = 4;

/// Chooses the type once per call, so that loops over numbers contain no switch.
template <class F>
auto with_type(NumberType type, F&& use) {
  switch (type) {
    case NumberType::uint8:
      return use(std::uint8_t{});
    case NumberType::int32:
      return use(std::int32_t{});
    case NumberType::int64:
      return use(std::int64_t{});
    case NumberType::float32:
      return use(float{});
    case NumberType::float64:
      break;
  }
  return use(double{});
}

template <class T>
T load(const std::byte* at, std::size_t index) {
  T value{};
  std::memcpy(&value, at + index * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void store(std::byte* at, std::size_t index, T value) {
  std::memcpy(at + index * sizeof(T), &value, sizeof(T));
}

/// Below 2^31, which every library accepts as a seed.
std::uint32_t environment_seed(std::uint64_t seed, int number) {
  return static_cast<std::uint32_t>(Rng(seed, Use::environment, static_cast<std::uint64_t>(number)).bits() >> 33);
}

bool same_space(const ServerHello& one, const ServerHello& other) {
  return one.space.actions == other.space.actions && one.space.states == other.space.states && one.type == other.type &&
         one.numbers == other.numbers && one.can_save == other.can_save && one.has_pictures == other.has_pictures;
}

std::string environment_numbers(int first, int count) {
  return count == 1 ? fmt::format("environment {}", first)
                    : fmt::format("environments {} to {}", first, first + count - 1);
}

/// An error message about the first invalid number of an observation; empty if all are valid.
std::string bad_number(const ServerHello& hello, const std::byte* at) {
  return with_type(hello.type, [&]<class T>(T) -> std::string {
    if constexpr (std::is_floating_point_v<T>) {
      for (std::size_t i = 0; i < hello.numbers; ++i)
        if (!std::isfinite(load<T>(at, i)))
          return fmt::format("number {} of its observation is {}; accepted: finite numbers", i, load<T>(at, i));
    }
    const auto value = load<T>(at, 0);
    if (hello.space.states > 0 && !(value >= T{0} && static_cast<double>(value) < hello.space.states))
      return fmt::format("its observation is state {}, but it has {} states, numbered from 0", value,
                         hello.space.states);
    return "";
  });
}

}  // namespace

struct ProcessBlock::Server {
  Server(ChildSettings settings, int first_environment, int environments)
      : child(std::move(settings)), first(first_environment), count(environments) {}
  std::byte* at(std::size_t part) const { return memory + part; }
  /// An answer that is one line; a newline at its end is accepted.
  std::string_view receive_line();
  void expect_ok();
  std::string receive_bytes();
  /// Receives `size` bytes in several messages.
  std::string receive_bytes(std::uint64_t size);
  Picture receive_picture();
  [[noreturn]] void refuse(std::string_view answer);

  Child child;
  int first, count;  // environments, by their numbers in the run
  MemoryLayout layout;
  std::byte* memory = nullptr;
};

void ProcessBlock::Server::refuse(std::string_view answer) {
  // "error 2 TEXT", or "error - TEXT" if it does not concern one environment.
  auto words = answer.substr(std::min<std::size_t>(6, answer.size()));
  if (answer.starts_with("refuse ")) {
    words = answer.substr(7);
    const auto space = std::min(words.find(' '), words.size());
    throw ConfigError{printable(words.substr(0, space)), printable(words.substr(std::min(space + 1, words.size())))};
  }
  int index = 0;
  const auto [end, problem] = std::from_chars(words.data(), words.data() + words.size(), index);
  words.remove_prefix(std::min(words.find(' '), words.size() - 1) + 1);
  if (problem != std::errc()) child.fail(fmt::format("refused: {}", words));
  child.fail(fmt::format("reports for environment {}: {}", first + index, words));
}

std::string_view ProcessBlock::Server::receive_line() {
  std::string_view answer = child.receive();
  if (answer.ends_with('\n')) answer.remove_suffix(1);
  return answer;
}

void ProcessBlock::Server::expect_ok() {
  const auto answer = receive_line();
  if (answer == "ok") return;
  if (answer.starts_with("error ")) refuse(answer);
  child.fail(fmt::format("answered '{}' instead of 'ok'", answer.substr(0, 40)));
}

std::string ProcessBlock::Server::receive_bytes() {
  const auto answer = receive_line();
  if (answer.starts_with("error ")) refuse(answer);
  std::uint64_t size = 0;
  const auto* end = answer.data() + answer.size();
  if (!answer.starts_with("bytes ") || std::from_chars(answer.data() + 6, end, size).ptr != end || size > 1ULL << 32)
    child.fail(fmt::format("answered '{}' instead of 'bytes N'", answer.substr(0, 40)));
  return receive_bytes(size);
}

std::string ProcessBlock::Server::receive_bytes(std::uint64_t size) {
  std::string bytes;
  while (bytes.size() < size) bytes += child.receive();
  if (bytes.size() != size) child.fail("sent more bytes than announced");
  return bytes;
}

Picture ProcessBlock::Server::receive_picture() {
  const auto answer = receive_line();
  if (answer.starts_with("error ")) refuse(answer);
  constexpr std::size_t most = 4096;
  Picture picture;
  const auto* end = answer.data() + answer.size();
  const auto read = [&](const char* at, std::size_t& number) { return std::from_chars(at, end, number).ptr; };
  const char* at = answer.data();
  if (answer.starts_with("picture ")) at = read(at + 8, picture.height);
  if (at < end && *at == ' ') at = read(at + 1, picture.width);
  if (at != end || std::min(picture.height, picture.width) < 1 || std::max(picture.height, picture.width) > most)
    child.fail(
        fmt::format("answered '{}' instead of 'picture HEIGHT WIDTH', each 1 to {}", answer.substr(0, 40), most));
  const std::string bytes = receive_bytes(3 * picture.height * picture.width);
  picture.rgb.assign(bytes.begin(), bytes.end());
  return picture;
}

ProcessBlock::ProcessBlock(ProcessSettings settings) : settings_(std::move(settings)) {
  if (settings_.count < 1) throw ConfigError{"actors.environments", "accepted: 1 or more"};
  if (settings_.processes < 1) throw ConfigError{"actors.processes", "accepted: 1 or more"};
  if (!(settings_.seconds > 0.0 && settings_.seconds <= 1e6))
    throw ConfigError{"environment.time_limit", "accepted: seconds above 0, at most 1e6"};
  start_servers();
  greet();
}

ProcessBlock::~ProcessBlock() = default;

void ProcessBlock::start_servers() {
  const int children = std::min(settings_.processes, settings_.count);
  for (int child = 0; child < children; ++child) {
    const auto share = [&](int end) { return static_cast<int>(std::int64_t{end} * settings_.count / children); };
    const int begin = share(child), count = share(child + 1) - begin, first = settings_.first + begin;
    servers_.push_back(std::make_unique<Server>(
        ChildSettings{settings_.command, settings_.script,
                      fmt::format("{}, {}", settings_.name, environment_numbers(first, count)), settings_.seconds},
        first, count));
    std::vector<std::uint32_t> seeds;
    for (int i = 0; i < count; ++i) seeds.push_back(environment_seed(settings_.seed, first + i));
    servers_.back()->child.send(greeting(seeds));
  }
}

void ProcessBlock::greet() {
  for (auto& server : servers_) {
    const auto answer = server->child.receive();
    if (answer.starts_with("error ") || answer.starts_with("refuse ")) server->refuse(answer);
    ServerHello hello;
    try {
      hello = parse_hello(answer);
    } catch (const Error& problem) {
      server->child.fail(fmt::format("was rejected: {}", problem.what()));
    }
    if (hello.space.name.empty()) hello.space.name = settings_.name;
    if (server != servers_.front() && !same_space(hello, hello_))
      server->child.fail(
          "has other environments than the first process; all environments of a run must have the same spaces");
    hello_ = std::move(hello);
    server->layout = MemoryLayout(hello_, static_cast<std::size_t>(server->count));
    server->memory = server->child.share(server->layout.bytes);
    server->child.send(server->layout.text());
  }
  for (auto& server : servers_) {
    server->expect_ok();
    for (int i = 0; i < server->count; ++i)
      check_observation(*server, static_cast<std::size_t>(i), server->layout.observations, "start");
  }
}

void ProcessBlock::check_observation(Server& server, std::size_t index, std::size_t part, const char* what) {
  const auto problem = bad_number(hello_, server.at(part) + index * hello_.numbers * bytes_of(hello_.type));
  if (problem.empty()) return;
  server.child.fail(
      fmt::format("sent invalid data for environment {} ({}): {}. Fix the environment, then resume the run",
                  server.first + static_cast<int>(index), what, problem));
}

void ProcessBlock::step(int, std::span<const Action> actions, std::span<StepResult> into) {
  std::size_t next = 0;
  for (auto& server : servers_) {
    for (int i = 0; i < server->count; ++i)
      store(server->at(server->layout.actions), static_cast<std::size_t>(i),
            static_cast<std::int32_t>(actions[next++]));
    server->child.send("step");
  }
  next = 0;
  for (auto& server : servers_) {
    server->expect_ok();
    read_steps(*server, into.subspan(next, static_cast<std::size_t>(server->count)));
    next += static_cast<std::size_t>(server->count);
  }
}

void ProcessBlock::read_steps(Server& server, std::span<StepResult> into) {
  const auto& layout = server.layout;
  for (std::size_t i = 0; i < into.size(); ++i) {
    const auto reward = load<double>(server.at(layout.rewards), i), score = load<double>(server.at(layout.scores), i);
    const auto flags = load<std::uint8_t>(server.at(layout.flags), i);
    if (!std::isfinite(reward) || !std::isfinite(score))
      server.child.fail(
          fmt::format("sent invalid data for environment {}: its reward is {} (score {}); accepted: finite "
                      "numbers. Fix the environment, then resume the run",
                      server.first + static_cast<int>(i), reward, score));
    if (flags > (flag_terminated | flag_truncated | flag_lost_life))
      server.child.fail(
          fmt::format("sent invalid data for environment {}: its flags are {}; accepted: 1 terminated, 2 "
                      "truncated, 4 lost a life, added up",
                      server.first + static_cast<int>(i), flags));
    // 0 - x: a reward of 0 is a cost of 0, not of -0.
    into[i] = {.cost = 0.0 - reward,
               .score = score,
               .terminated = (flags & flag_terminated) != 0,
               .truncated = (flags & flag_truncated) != 0,
               .skipped = false,
               .lost_life = (flags & flag_lost_life) != 0};
    check_observation(server, i, layout.observations, "step");
    if (into[i].terminated || into[i].truncated) check_observation(server, i, layout.last, "end of an episode");
  }
}

ProcessBlock::Place ProcessBlock::place(int which) const {
  const int number = settings_.first + which;
  for (const auto& server : servers_)
    if (number < server->first + server->count) return {server.get(), static_cast<std::size_t>(number - server->first)};
  throw Error(fmt::format("unknown environment {}", number));
}

template <class T>
void ProcessBlock::copy(int which, std::size_t MemoryLayout::*part, std::span<T> into) const {
  const auto [server, index] = place(which);
  const auto* at = server->at(server->layout.*part) + index * hello_.numbers * bytes_of(hello_.type);
  with_type(hello_.type, [&]<class N>(N) {
    for (std::size_t i = 0; i < hello_.numbers; ++i) into[i] = static_cast<T>(load<N>(at, i));
  });
}

void ProcessBlock::observe(int which, std::span<double> into) const { copy(which, &MemoryLayout::observations, into); }
void ProcessBlock::observe(int which, std::span<float> into) const { copy(which, &MemoryLayout::observations, into); }
void ProcessBlock::last(int which, std::span<double> into) const { copy(which, &MemoryLayout::last, into); }
void ProcessBlock::last(int which, std::span<float> into) const { copy(which, &MemoryLayout::last, into); }

void ProcessBlock::save(int which, ByteWriter& to) const {
  if (which != 0) return;
  if (!can_save()) throw Error(fmt::format("{} cannot save its environments", hello_.space.name));
  const auto size = hello_.numbers * bytes_of(hello_.type);
  for (int i = 0; i < settings_.count; ++i) {
    const auto [server, index] = place(i);
    server->child.send(fmt::format("save {}", index));
    to.put(server->receive_bytes());
    for (const auto part : {server->layout.observations, server->layout.last}) {
      const auto* at = server->at(part) + index * size;
      to.put(std::vector<std::byte>(at, at + size));
    }
  }
}

void ProcessBlock::restore(int which, ByteReader& from) {
  if (which != 0) return;
  const auto size = hello_.numbers * bytes_of(hello_.type);
  for (int i = 0; i < settings_.count; ++i) {
    const auto [server, index] = place(i);
    const auto bytes = from.get<std::string>();
    server->child.send(fmt::format("restore {} {}", index, bytes.size()));
    for (std::size_t done = 0; done < bytes.size(); done += Child::most_bytes)
      server->child.send(std::string_view(bytes).substr(done, Child::most_bytes));
    server->expect_ok();
    for (const auto part : {server->layout.observations, server->layout.last}) {
      const auto shown = from.get<std::vector<std::byte>>();
      if (shown.size() != size) throw DamagedState("observations of the environments");
      // The last observation is 0 before the first episode ends.
      if (!bad_number(hello_, shown.data()).empty()) throw DamagedState("observations of the environments");
      std::ranges::copy(shown, server->at(part) + index * size);
    }
  }
}

Picture ProcessBlock::picture(int which) {
  if (!has_pictures()) throw Error(fmt::format("{} cannot render pictures of its environments", hello_.space.name));
  const auto [server, index] = place(which);
  server->child.send(fmt::format("picture {}", index));
  return server->receive_picture();
}

void ProcessBlock::copy_saved(ByteReader& from, ByteWriter& to, int count) {
  for (int i = 0; i < count; ++i) {
    to.put(from.get<std::string>());
    for (int part = 0; part < 2; ++part) to.put(from.get<std::vector<std::byte>>());
  }
}

std::vector<int> ProcessBlock::processes() const {
  std::vector<int> numbers;
  for (const auto& server : servers_) numbers.push_back(server->child.process());
  return numbers;
}

}  // namespace politex::inline process
