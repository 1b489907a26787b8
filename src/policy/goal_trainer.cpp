#include "politex/policy/goal_trainer.hpp"

#include <cmath>
#include <utility>

#include "politex/base/require.hpp"
#include "politex/base/saved.hpp"

namespace politex::inline policy {

GoalTrainer::GoalTrainer(const GoalSettings& settings, std::unique_ptr<EnvironmentBlock> block, std::uint64_t seed)
    : settings_(settings),
      block_(std::move(block)),
      table_(settings.map, block_->space().actions),
      choose_(seed, Use::explorer),
      replay_(seed, Use::replay) {
  require(settings.limit >= 1, "goal.limit", "1 or more steps");
  require(settings.discount > 0.0 && settings.discount < 1.0, "goal.discount", "above 0 and below 1");
  require(settings.rate > 0.0 && settings.rate <= 1.0, "goal.rate", "above 0 and at most 1");
  require(settings.replay_rate > 0.0 && settings.replay_rate <= 1.0, "goal.replay_rate", "above 0 and at most 1");
  require(settings.replays >= 0, "goal.replays", "0 or more");
  require(settings.epsilon >= 0.0 && settings.epsilon <= 1.0, "algorithm.epsilon", "0 to 1");
  const auto count = static_cast<std::size_t>(block_->count());
  observation_.resize(block_->space().ranges.size());
  memories_.resize(count);
  standing_.resize(count);
  actions_.resize(count);
  moved_.resize(count);
  for (int i = 0; i < block_->count(); ++i) look(i);
}

void GoalTrainer::look(int which) {
  block_->observe(which, observation_);
  standing_[static_cast<std::size_t>(which)] = table_.meet(observation_);
}

Action GoalTrainer::choose(int which) {
  ExplorerMemory& memory = memories_[static_cast<std::size_t>(which)];
  const int place = standing_[static_cast<std::size_t>(which)];
  if (memory.goal < 0) {
    memory.goal = static_cast<std::int64_t>(choose_.below(static_cast<std::uint64_t>(table_.goals())));
    memory.left = settings_.limit;
  }
  const Action best = choose_.uniform() < settings_.epsilon ? -1 : table_.best(place, static_cast<int>(memory.goal));
  return best_or_wander(best, table_.actions(), memory, choose_);
}

void GoalTrainer::round() {
  for (int i = 0; i < block_->count(); ++i) actions_[static_cast<std::size_t>(i)] = choose(i);
  block_->step(0, actions_, moved_);
  for (int i = 0; i < block_->count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const StepResult& moved = moved_[at];
    const int from = standing_[at];
    ++steps_;
    int to = from;
    if (moved.terminated || moved.truncated) {
      block_->last(i, observation_);
      to = table_.meet(observation_);
    }
    look(i);
    if (moved.skipped) continue;
    tally_.cost += moved.cost;
    if (!moved.terminated && !moved.truncated) to = standing_[at];
    remembered_.push_back({from, to, actions_[at], moved.terminated || moved.lost_life ? 1 : 0});
    table_.learn(remembered_.back(), settings_.discount, settings_.rate);
    for (int k = 0; k < settings_.replays; ++k)
      table_.learn(remembered_[replay_.below(remembered_.size())], settings_.discount, settings_.replay_rate);
    ExplorerMemory& memory = memories_[at];
    const bool reached = table_.goal_at(to) == memory.goal;
    if (!reached && --memory.left > 0) continue;
    ++tally_.drawn;
    if (reached) ++tally_.reached;
    memory.goal = -1;
  }
}

GoalTable GoalTrainer::settled() const {
  GoalTable table = table_;
  table.settle(remembered_, settings_.discount);
  return table;
}

void GoalTrainer::save(ByteWriter& to) const {
  table_.save(to);
  to.put(choose_.position());
  to.put(replay_.position());
  to.put(memories_);
  to.put(remembered_);
  to.put(tally_);
  to.put(steps_);
  save_all(*block_, to);
}

void GoalTrainer::restore(ByteReader& from) {
  table_.restore(from);
  choose_.seek(from.get<std::uint64_t>());
  replay_.seek(from.get<std::uint64_t>());
  from.get_again(memories_, "the goals");
  for (const ExplorerMemory& memory : memories_)
    check_saved(memory.goal >= -1 && memory.goal < table_.goals() && memory.left >= 0 &&
                    memory.left <= settings_.limit && memory.action >= 0 && memory.action < table_.actions(),
                "the goals");
  from.get(remembered_);
  for (const GoalTransition& each : remembered_)
    check_saved(each.from >= 0 && each.from < table_.places() && each.to >= 0 && each.to < table_.places() &&
                    each.action >= 0 && each.action < table_.actions(),
                "remembered transitions");
  from.get(tally_);
  from.get_count(steps_, "steps");
  check_saved(tally_.drawn >= 0 && tally_.drawn <= steps_ && tally_.reached >= 0 && tally_.reached <= tally_.drawn &&
                  std::isfinite(tally_.cost),
              "the goals");
  restore_all(*block_, from);
  for (int i = 0; i < block_->count(); ++i) look(i);
}

}  // namespace politex::inline policy
