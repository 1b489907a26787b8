#include "politex/neural/episode_ledger.hpp"

#include <algorithm>
#include <cmath>

#include "politex/base/saved.hpp"
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
  (t.exploring ? running.by_explorer : running.by_policy) = 1;
  if (!t.truncated && !t.terminated) return;
  using Player = Episode::Player;
  episodes_.push_back({number + 1, running.reward,
                       running.by_explorer == 0 ? Player::policy
                       : running.by_policy != 0 ? Player::both
                                                : Player::explorer});
  running = {};
}

void EpisodeLedger::extend(std::int64_t total_steps, std::int64_t done) noexcept {
  last_tenth_begin_ = last_tenth_begin(total_steps);
  costs_.last_tenth = last_tenth_begin_ >= done ? 0.0 : unknown;
  costs_.last_tenth_steps = 0;
}

void EpisodeLedger::restore_running(ByteReader& from) { from.get_again(running_, "running episodes"); }

void EpisodeLedger::forget_running() { std::ranges::fill(running_, Running{}); }

void EpisodeLedger::save(ByteWriter& to) const {
  to.put(costs_);
  to.put(episodes_);
}

void EpisodeLedger::restore(ByteReader& from) {
  from.get(costs_);
  for (const std::int64_t count : {costs_.policy_steps, costs_.explorer_steps, costs_.last_tenth_steps})
    check_saved(count >= 0 && count <= ByteReader::most, "costs");
  check_saved(std::isfinite(costs_.all) && std::isfinite(costs_.policy) && std::isfinite(costs_.explorer), "costs");
  from.get(episodes_);
  for (const Episode& episode : episodes_)
    check_saved(episode.step >= 0 && episode.step <= ByteReader::most && std::isfinite(episode.reward) &&
                    episode.by <= Episode::Player::both,
                "episodes");
}

}  // namespace politex::neural
