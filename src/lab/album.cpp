#include "politex/lab/album.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace politex::lab {
namespace {

constexpr std::int64_t most_pictures = 50;
constexpr std::int64_t most_cells = 400'000;  // states drawn in one run: about 3 MB of text
constexpr int most_states = 20'000;

// Thousands of small numbers a picture: written by hand into room made once, or pictures would be felt in short runs.
template <class Value>
void append_list(std::string& to, const char* name, std::size_t count, const Value& value) {
  constexpr std::size_t longest = 12;  // digits of a 32-bit number, its sign and the comma
  to += name;
  std::size_t at = to.size();
  to.resize(at + count * longest + 1);
  char* out = to.data() + at;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t number = value(i);
    if (number >= 0 && number < 100) {
      if (number >= 10) *out++ = static_cast<char>('0' + number / 10);
      *out++ = static_cast<char>('0' + number % 10);
    } else {
      out = std::to_chars(out, out + longest, number).ptr;
    }
    *out++ = ',';
  }
  out[-1] = ']';
  to.resize(static_cast<std::size_t>(out - to.data()));
}

}  // namespace

Album::Album(const FiniteModel& model, std::int64_t steps) : model_(&model), steps_(steps) {
  const bool grid = model.name == "deep_sea" && model.size > 0 && model.states == model.size * model.size;
  placed_ = grid || model.name == "river_swim";
  columns_ = grid      ? model.size
             : placed_ ? model.states
                       : static_cast<int>(std::ceil(std::sqrt(2.0 * static_cast<double>(model.states))));
  if (model.states > most_states) return;
  const std::int64_t pictures = std::clamp<std::int64_t>(most_cells / model.states, 1, most_pictures);
  stride_ = std::max<std::int64_t>(1, (steps + pictures - 1) / pictures);
}

std::string Album::frame() const {
  if (stride_ == 0) return {};
  std::string text =
      fmt::format("{{\"environment\":\"{}\",\"states\":{},\"actions\":{},\"columns\":{},\"arrows\":", model_->name,
                  model_->states, model_->actions, columns_);
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
      if (2 * fall < -rows) fall += rows;  // from the last row a world may go on at the first
      right += model_->probability[static_cast<std::size_t>(k)] * (to % columns_ - from % columns_);
      down += model_->probability[static_cast<std::size_t>(k)] * fall;
    }
    moves.push_back(static_cast<std::int32_t>(std::lround(100.0 * right)));
    moves.push_back(static_cast<std::int32_t>(std::lround(100.0 * down)));
  }
  append_list(text, "[", moves.size(), [&](std::size_t i) { return moves[i]; });
  return text + "}\n";
}

void Album::add(const Phase& phase, std::span<const double> policy, std::int64_t number, std::int64_t steps,
                std::string& into) const {
  const auto actions = static_cast<std::size_t>(model_->actions);
  std::vector<std::int32_t> visits(static_cast<std::size_t>(model_->states), 0);
  for (const std::int32_t pair : phase.model_pairs) ++visits[static_cast<std::size_t>(pair) / actions];
  std::vector<std::int32_t> best(visits.size(), 0);
  for (std::size_t x = 0; x < best.size(); ++x) {
    for (std::size_t a = 1; a < actions; ++a)
      if (policy[x * actions + a] > policy[x * actions + static_cast<std::size_t>(best[x])])
        best[x] = static_cast<std::int32_t>(a);
  }
  into += fmt::format("{{\"phase\":{},\"steps\":{},", number, steps);
  append_list(into, "\"visits\":[", visits.size(), [&](std::size_t x) { return visits[x]; });
  append_list(into, ",\"action\":[", best.size(), [&](std::size_t x) { return best[x]; });
  append_list(into, ",\"percent\":[", best.size(), [&](std::size_t x) {
    return static_cast<std::int32_t>(std::lround(100.0 * policy[x * actions + static_cast<std::size_t>(best[x])]));
  });
  into += "}\n";
}

}  // namespace politex::lab
