#include "politex/watch/album.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "politex/env/structure.hpp"

namespace politex::inline watch {
namespace {

// A picture takes as long as a few hundred steps, so short runs have fewer pictures.
constexpr std::int64_t steps_per_picture = 20'000;
constexpr std::int64_t least_pictures = 20, most_pictures = 50;
constexpr std::int64_t most_cells = 400'000;  // states drawn in one run: about 2 MB of text
constexpr int most_states = 20'000;

// A small number and its comma, in one load.
struct Small {
  std::array<char, 4> text;
  std::uint8_t size;
};
constexpr int smalls = 256;

constexpr std::array<Small, smalls> make_smalls() {
  std::array<Small, smalls> all{};
  for (int number = 0; number < smalls; ++number) {
    Small& small = all[static_cast<std::size_t>(number)];
    if (number >= 100) small.text[small.size++] = static_cast<char>('0' + number / 100);
    if (number >= 10) small.text[small.size++] = static_cast<char>('0' + number / 10 % 10);
    small.text[small.size++] = static_cast<char>('0' + number % 10);
    small.text[small.size++] = ',';
  }
  return all;
}
constexpr auto small_texts = make_smalls();

constexpr std::size_t longest_number = 12;  // digits of a 32-bit number, its sign and the comma

char* put_number(std::int32_t number, char* out) {
  if (number >= 0 && number < smalls) {
    const Small& small = small_texts[static_cast<std::size_t>(number)];
    std::memcpy(out, small.text.data(), small.text.size());
    return out + small.size;
  }
  out = std::to_chars(out, out + longest_number, number).ptr;
  *out++ = ',';
  return out;
}

// A picture has thousands of small numbers. They are written without a formatter into memory allocated once, because
// pictures would otherwise slow short runs.
template <class Put>
void append_list(std::string& to, const char* name, std::size_t most, const Put& put) {
  to += name;
  const std::size_t at = to.size();
  to.resize(at + most * longest_number + sizeof(Small));
  char* const end = put(to.data() + at);
  end[-1] = ']';
  to.resize(static_cast<std::size_t>(end - to.data()));
}

// Run-length encoding: most states of a phase are not visited, and neighbours mostly have the same action.
void append_runs(std::string& to, const char* name, std::span<const std::int32_t> numbers) {
  append_list(to, name, numbers.size(), [&](char* out) {
    for (std::size_t k = 0; k < numbers.size();) {
      const std::size_t first = k;
      while (++k < numbers.size() && numbers[k] == numbers[first]) {
      }
      out = put_number(numbers[first], out);
      if (const std::size_t again = k - first - 1; again > 0) out = put_number(-static_cast<std::int32_t>(again), out);
    }
    return out;
  });
}

const StateMap* map_of(const FiniteModel& model) {
  if (model.structure == nullptr || !model.structure->map) return nullptr;
  const StateMap& map = *model.structure->map;
  return map.actions.size() == static_cast<std::size_t>(model.actions) ? &map : nullptr;
}

/// A string of JSON.
std::string json_string(std::string_view words) {
  std::string text = "\"";
  for (const char each : words) {
    if (each == '"' || each == '\\') text += '\\';
    text += static_cast<unsigned char>(each) < ' ' ? ' ' : each;
  }
  return text + '"';
}

}  // namespace

Album::Album(const FiniteModel& model, std::int64_t steps) : model_(&model), steps_(steps) {
  const bool grid = model.layout == Layout::grid && model.size > 0 && model.states == model.size * model.size;
  const StateMap* const map = map_of(model);
  placed_ = map == nullptr && (grid || model.layout == Layout::line);
  columns_ = map != nullptr ? map->columns
             : grid         ? model.size
             : placed_      ? model.states
                            : static_cast<int>(std::ceil(std::sqrt(2.0 * static_cast<double>(model.states))));
  if (model.states > most_states) return;
  const std::int64_t pictures = std::min(std::clamp(steps / steps_per_picture, least_pictures, most_pictures),
                                         std::max<std::int64_t>(1, most_cells / model.states));
  stride_ = std::max<std::int64_t>(1, (steps + pictures - 1) / pictures);
}

std::string Album::frame() const {
  if (stride_ == 0) return {};
  std::string text =
      fmt::format("{{\"environment\":\"{}\",\"states\":{},\"actions\":{},\"columns\":{},\"arrows\":", model_->name,
                  model_->states, model_->actions, columns_);
  if (const StateMap* const map = map_of(*model_)) {
    text += fmt::format("null,\"row\":{},\"column\":{},\"action_names\":[", json_string(map->row),
                        json_string(map->column));
    for (const std::string& name : map->actions) text += json_string(name) + ',';
    text.back() = ']';
    return text + "}\n";
  }
  if (!placed_) return text + "null}\n";
  const int rows = model_->states / columns_;
  std::vector<std::int32_t> moves;
  for (int pair = 0; pair < model_->pairs(); ++pair) {
    const int from = pair / model_->actions;
    double right = 0.0;
    double down = 0.0;
    for (auto k = model_->first[static_cast<std::size_t>(pair)]; k < model_->first[static_cast<std::size_t>(pair) + 1];
         ++k) {
      const int to = model_->next[static_cast<std::size_t>(k)];
      int fall = to / columns_ - from / columns_;
      if (2 * fall < -rows) fall += rows;  // the environment may continue from the last row at the first
      right += model_->probability[static_cast<std::size_t>(k)] * (to % columns_ - from % columns_);
      down += model_->probability[static_cast<std::size_t>(k)] * fall;
    }
    moves.push_back(static_cast<std::int32_t>(std::lround(100.0 * right)));
    moves.push_back(static_cast<std::int32_t>(std::lround(100.0 * down)));
  }
  append_list(text, "[", moves.size(), [&](char* out) {
    for (const std::int32_t move : moves) out = put_number(move, out);
    return out;
  });
  return text + "}\n";
}

void Album::add(const Phase& phase, std::span<const double> policy, std::int64_t number, std::int64_t steps,
                std::string& into) const {
  const auto actions = static_cast<std::size_t>(model_->actions);
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(model_->states), 0);
  for (const std::int32_t pair : phase.model_pairs) ++numbers[static_cast<std::size_t>(pair) / actions];
  into += fmt::format("{{\"phase\":{},\"steps\":{},", number, steps);
  append_runs(into, "\"visits\":[", numbers);
  for (std::size_t x = 0; x < numbers.size(); ++x) {
    const std::span row = policy.subspan(x * actions, actions);
    std::int32_t best = 0;
    double highest = row[0];
    for (std::size_t a = 1; a < actions; ++a) {
      best = row[a] > highest ? static_cast<std::int32_t>(a) : best;
      highest = std::max(highest, row[a]);
    }
    numbers[x] = 101 * best + static_cast<std::int32_t>(std::lrint(100.0 * highest));
  }
  append_runs(into, ",\"policy\":[", numbers);
  into += "}\n";
}

}  // namespace politex::inline watch
