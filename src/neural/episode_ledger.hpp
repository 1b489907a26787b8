// The costs and episodes that a neural run reports.
#pragma once

#include <cstdint>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/neural/transition.hpp"

namespace politex::neural {

/// An episode that ended, by its time limit or by the rules.
struct Episode {
  std::int64_t step = 0;  // transitions of the run when it ended
  double reward = 0.0;    // as the environment counts it
  enum class Player : std::uint8_t { policy, explorer, both } by = Player::policy;
};

/// Sums of costs.
struct EpisodeCosts {
  double all = 0.0, last_tenth = 0.0, policy = 0.0, explorer = 0.0;
  std::int64_t policy_steps = 0, explorer_steps = 0, last_tenth_steps = 0;
  double mean() const noexcept { return all / static_cast<double>(policy_steps + explorer_steps); }
};

class EpisodeLedger {
 public:
  EpisodeLedger(std::int64_t total_steps, int environments);

  /// Adds transition `number` of the run.
  void add(std::int64_t number, const Transition& t);
  /// The run has this number of steps now. Its last tenth is known if it begins after the `done` steps.
  void extend(std::int64_t total_steps, std::int64_t done) noexcept;

  const EpisodeCosts& costs() const noexcept { return costs_; }
  const std::vector<Episode>& episodes() const noexcept { return episodes_; }

  /// The episodes that have not ended, and the rest.
  void save_running(ByteWriter& to) const { to.put(running_); }
  void restore_running(ByteReader& from);
  /// The environments are at new starts.
  void forget_running();
  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  struct Running {
    double reward = 0.0;
    std::uint8_t by_policy = 0, by_explorer = 0;  // not bool: a checkpoint has any byte
  };
  std::int64_t last_tenth_begin_;
  std::vector<Running> running_;  // by environment
  EpisodeCosts costs_;
  std::vector<Episode> episodes_;
};

}  // namespace politex::neural
