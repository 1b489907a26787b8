#include "politex/neural/episode_ledger.hpp"

#include <algorithm>

#include "politex/base/error.hpp"
#include "politex/base/unknown.hpp"

namespace politex::neural {
namespace {

std::int64_t last_tenth_begin(std::int64_t steps) { return steps - (steps + 9) / 10; }

}  // namespace

EpisodeLedger::EpisodeLedger(std::int64_t total_steps, int environments)
    : last_tenth_begin_(last_tenth_begin(total_steps)), running_(static_cast<std::size_t>(environments)) {}

void EpisodeLedger::add(std::int64_t number, const Transition& t) {
  const double cost = static_cast<double>(t.cost);
  costs_.all += cost;
  if (number >= last_tenth_begin_) {
    costs_.last_tenth += cost;
    ++costs_.last_tenth_steps;
  }
  (t.exploring ? costs_.explorer : costs_.policy) += cost;
  ++(t.exploring ? costs_.explorer_steps : costs_.policy_steps);
  Running& running = running_[static_cast<std::size_t>(number) % running_.size()];
  running.reward += static_cast<double>(t.score);
  (t.exploring ? running.by_explorer : running.by_policy) = true;
  if (!t.truncated && !t.terminated) return;
  using Player = Episode::Player;
  episodes_.push_back({number + 1, running.reward,
                       !running.by_explorer ? Player::policy
                       : running.by_policy  ? Player::both
                                            : Player::explorer});
  running = {};
}

void EpisodeLedger::extend(std::int64_t total_steps, std::int64_t done) noexcept {
  last_tenth_begin_ = last_tenth_begin(total_steps);
  costs_.last_tenth = last_tenth_begin_ >= done ? 0.0 : unknown;
  costs_.last_tenth_steps = 0;
}

void EpisodeLedger::restore_running(ByteReader& from) {
  const std::size_t environments = running_.size();
  from.get(running_);
  if (running_.size() != environments) throw Error("the saved state has another number of environments");
}

void EpisodeLedger::forget_running() { std::ranges::fill(running_, Running{}); }

void EpisodeLedger::save(ByteWriter& to) const {
  to.put(costs_);
  to.put(episodes_);
}

void EpisodeLedger::restore(ByteReader& from) {
  from.get(costs_);
  from.get(episodes_);
}

}  // namespace politex::neural
