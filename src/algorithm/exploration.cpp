#include "politex/algorithm/exploration.hpp"

#include <cmath>
#include <utility>

#include "politex/base/saved.hpp"

namespace politex::inline algorithm {
namespace {

/// Steps of the explorer in a row, as long as it may explore; where phases are counted in steps.
constexpr std::int64_t shortest_chain = 200;

}  // namespace

Exploration::Exploration(std::unique_ptr<LearningExplorer> explorer, const Options& options)
    : explorer_(std::move(explorer)), options_(options) {}

/// vanishing, with t steps so far: the explorer takes at most 20 t^0.4 of them; where the pairs are of states, at most
/// max(20 t^0.4, min(100 t^0.3, 40 steps per known pair)) and half of the steps. While known pairs are untried, 3 steps
/// per known pair (of states: one) are allowed too, but at most half of the steps and 8 t^(3/4). So the share of its
/// steps vanishes.
bool Exploration::explores() const {
  const Coverage coverage = explorer_->coverage();
  const auto features = static_cast<double>(coverage.features);
  const auto rollouts = static_cast<double>(now_.rollouts), explored = static_cast<double>(now_.explored);
  switch (options_.kind) {
    case ExplorationKind::every:
      return true;
    case ExplorationKind::lean:
      return explored < std::pow(features, 0.9) * std::pow(rollouts + 1.0, 0.1);
    case ExplorationKind::sustained:
      return explored < std::max(features, 3.0 * std::sqrt(rollouts + 1.0));
    case ExplorationKind::vanishing:
      break;
  }
  const double t = std::max(1.0, static_cast<double>(now_.steps));
  const auto known = static_cast<double>(coverage.known);
  double most = 20.0 * std::pow(t, 0.4);
  if (coverage.states) most = std::min(t / 2.0, std::max(most, std::min(100.0 * std::pow(t, 0.3), 40.0 * known)));
  if (coverage.untried > 0)
    most = std::max(most, std::min({t / 2.0, (coverage.states ? 1.0 : 3.0) * known, 8.0 * std::pow(t, 0.75)}));
  return static_cast<double>(now_.explorer) < most;
}

void Exploration::enter(Stage stage, std::int64_t left) noexcept {
  now_.stage = stage;
  now_.left = left;
  now_.begun = 0;
}

void Exploration::decide() {
  const bool explore = explores();
  ++now_.rollouts;
  now_.rollout = 0;
  if (explore) ++now_.explored;
  // A rollout that does not explore has a target step in place of the probe.
  enter(explore ? Stage::explore : Stage::follow,
        explore ? options_.longest : options_.follow + (options_.by_steps ? 0 : 1));
}

void Exploration::took(By by, std::int64_t count) {
  now_.steps += count;
  now_.left -= count;
  if (by != By::explorer) now_.rollout += count;
  if (by != By::target) now_.explorer += count;
  now_.chained = by == By::target ? 0 : now_.chained + count;
  // Also where the phase was cut within the segment.
  if (now_.begun > 0 && !segments_.empty())
    segments_.back().steps += count;
  else
    segments_.push_back({.steps = count, .by = by, .unused = 0});
  now_.begun += count;
}

void Exploration::probed(bool fresh) {
  // The explorer continues at once after a fresh pair (the next one may be near), and until it had some steps in a row:
  // what it built up, such as the speed of a car, is lost when the target policy acts. Then the target policy has as
  // many steps as the explorer had.
  if (options_.by_steps && (fresh || now_.chained < shortest_chain) && explores())
    enter(Stage::decide, 0);
  else
    enter(Stage::follow,
          options_.by_steps ? std::clamp<std::int64_t>(now_.chained, 1, options_.follow) : options_.follow);
}

void Exploration::save(ByteWriter& to) const {
  to.put(now_);
  explorer_->save(to);
}

void Exploration::restore(ByteReader& from) {
  from.get(now_);
  check_saved(now_.stage >= Stage::decide && now_.stage <= Stage::follow, "the segment");
  for (const std::int64_t count : {now_.left, now_.begun, now_.rollout, now_.chained, now_.steps, now_.explorer,
                                   now_.rollouts, now_.explored, now_.in_phase})
    check_saved(count >= 0 && count <= ByteReader::most, "the segment");
  explorer_->restore(from);
}

void Exploration::save_phase(ByteWriter& to) const { to.put(segments_); }

std::int64_t Exploration::restore_phase(ByteReader& from) {
  from.get(segments_);
  std::int64_t steps = 0;
  for (const Segment& segment : segments_) {
    check_saved(segment.steps >= 1 && segment.steps <= ByteReader::most - steps && segment.by >= By::explorer &&
                    segment.by <= By::target,
                "segments");
    steps += segment.steps;
  }
  return steps;
}

Keys exploration_kind_keys() {
  return {key<&ExplorationOptions::kind>(
      "schedule.exploration", "which rollouts explore",
      word({{"every", "every rollout, as in the paper"},
            {"lean", "few: with n rollouts so far and F features, fewer than F^0.9 (n + 1)^0.1"},
            {"sustained", "fewer than max(F, 3 sqrt(n + 1))"},
            {"vanishing", "in t steps at most about 20 t^0.4 of the explorer; more while known pairs are untried"}}))};
}

}  // namespace politex::inline algorithm
