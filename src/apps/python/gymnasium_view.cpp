#include "gymnasium_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "politex/base/error.hpp"

namespace politex::python {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

double finite_number(ByteReader& from) {
  const auto number = from.get<double>();
  if (!std::isfinite(number)) throw Error("the saved state is damaged");
  return number;
}

}  // namespace

GymnasiumView::GymnasiumView(std::unique_ptr<EnvironmentBlock> block, Autoreset autoreset)
    : block_(std::move(block)),
      autoreset_(autoreset),
      numbers_(space().numbers()),
      each_(at(count())),
      actions_(each_.size()),
      results_(each_.size()),
      indices_(finite() ? each_.size() : 0),
      observations_(each_.size() * numbers_),
      last_(observations_.size()),
      rewards_(each_.size()),
      truncated_(each_.size()),
      restarted_(each_.size()) {}

std::span<double> GymnasiumView::row(std::vector<double>& all, int which) const {
  return std::span(all).subspan(at(which) * numbers_, numbers_);
}

void GymnasiumView::show(int which) {
  const auto seen = row(observations_, which);
  block_->observe(which, seen);
  if (finite()) indices_[at(which)] = static_cast<std::int64_t>(seen[0]);
}

void GymnasiumView::reset(int which, std::optional<std::uint64_t> seed) {
  One& one = each_[at(which)];
  // After a truncation the block is at a new start already: another one would be a draw too many.
  if (seed || one.stage != Stage::truncated) block_->reset(which, seed);
  if (seed) one.seed = *seed;
  one.stage = Stage::playing;
  truncated_[at(which)] = 0;
  show(which);
}

void GymnasiumView::check_actions(std::span<const std::int64_t> actions) const {
  if (actions.size() != each_.size())
    throw ConfigError{"actions",
                      fmt::format("there are {}; accepted: one per environment ({})", actions.size(), each_.size())};
  const int most = space().actions;
  for (std::size_t i = 0; i < each_.size(); ++i) {
    if (actions[i] < 0 || actions[i] >= most)
      throw ConfigError{"action", fmt::format("{} is not accepted; accepted: 0 to {}", actions[i], most - 1)};
    if (each_[i].stage == Stage::not_started) throw Error("step: not started yet; call reset() first");
    if (each_[i].stage == Stage::truncated && autoreset_ == Autoreset::disabled)
      throw Error("step: the time limit ended the episode (truncated); call reset() first");
  }
}

void GymnasiumView::step(std::span<const std::int64_t> actions) {
  check_actions(actions);
  std::ranges::transform(actions, actions_.begin(), [](std::int64_t action) { return static_cast<Action>(action); });
  step_block();
  for (int i = 0; i < count(); ++i) take_result(i);
}

/// Environments between truncated ones, which only restart.
void GymnasiumView::step_block() {
  const auto playing = [](const One& one) { return one.stage == Stage::playing; };
  for (auto begin = each_.begin(); begin != each_.end();) {
    begin = std::find_if(begin, each_.end(), playing);
    const auto end = std::find_if_not(begin, each_.end(), playing);
    const auto first = static_cast<std::size_t>(begin - each_.begin()), size = static_cast<std::size_t>(end - begin);
    if (size > 0)
      block_->step(static_cast<int>(first), std::span(actions_).subspan(first, size),
                   std::span(results_).subspan(first, size));
    begin = end;
  }
}

void GymnasiumView::take_result(int which) {
  const std::size_t k = at(which);
  One& one = each_[k];
  if (one.stage == Stage::truncated) results_[k] = {.skipped = true};
  one.stage = Stage::playing;
  const StepResult& result = results_[k];
  rewards_[k] = 0.0 - result.cost;
  truncated_[k] = result.truncated ? 1 : 0;
  restarted_[k] = result.terminated ? 1 : 0;
  if (result.truncated && autoreset_ != Autoreset::same_step) {
    one.stage = Stage::truncated;
    block_->last(which, row(observations_, which));
    return;
  }
  if (result.truncated) block_->last(which, row(last_, which));
  show(which);
}

void GymnasiumView::save(ByteWriter& to) const {
  to.put(count());
  to.put(space().actions);
  to.put(space().states);
  to.put(static_cast<int>(numbers_));
  for (int i = 0; i < count(); ++i) {
    const One& one = each_[at(i)];
    to.put(one.seed);
    to.put(static_cast<std::int64_t>(one.stage));
    block_->save(i, to);
    if (one.stage != Stage::truncated) continue;
    for (std::size_t k = 0; k < numbers_; ++k) to.put(observations_[at(i) * numbers_ + k]);
  }
}

void GymnasiumView::restore(ByteReader& from) {
  ByteWriter before;
  save(before);
  try {
    read_all(from);
  } catch (...) {
    ByteReader back(before.bytes());
    read_all(back);
    throw;
  }
}

void GymnasiumView::read_all(ByteReader& from) {
  for (const int expected : {count(), space().actions, space().states, static_cast<int>(numbers_)})
    if (from.get<int>() != expected) throw Error("the saved state belongs to other environments");
  for (int i = 0; i < count(); ++i) {
    One& one = each_[at(i)];
    from.get(one.seed);
    const auto stage = from.get<std::int64_t>();
    if (stage < 0 || stage > 2) throw Error("the saved state is damaged");
    one.stage = static_cast<Stage>(stage);
    block_->reset(i, one.seed);  // names its stream
    block_->restore(i, from);
    show(i);
    if (one.stage == Stage::truncated)
      for (double& number : row(observations_, i)) number = finite_number(from);
    rewards_[at(i)] = 0.0;
    truncated_[at(i)] = one.stage == Stage::truncated ? 1 : 0;
    restarted_[at(i)] = 0;
  }
  if (!from.empty()) throw Error("the saved state is too long for these environments");
}

}  // namespace politex::python
