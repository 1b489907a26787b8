// Learns a goal table while it plays.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/env/block.hpp"
#include "politex/policy/explorer.hpp"
#include "politex/policy/goal_table.hpp"

namespace politex::inline policy {

struct GoalSettings {
  GoalMap map;
  std::int64_t limit = 200;  // steps to reach a goal in; then the next one is drawn
  double discount = 0.97;
  double rate = 0.5;         // of the newest transition
  double replay_rate = 0.3;  // of remembered ones
  int replays = 4;           // remembered transitions learned from at every step
  double epsilon = 0.1;      // of random actions while learning
};

/// Learns a table while it plays, epsilon-greedily, towards goals drawn uniformly from the cells met so far.
class GoalTrainer {
 public:
  /// Throws ConfigError when a setting is out of range.
  GoalTrainer(const GoalSettings& settings, std::unique_ptr<EnvironmentBlock> block, std::uint64_t seed);

  /// One step of every environment of the block.
  void round();
  std::int64_t steps() const noexcept { return steps_; }
  const GoalTable& table() const noexcept { return table_; }
  /// The table fitted to all transitions: the one to freeze.
  GoalTable settled() const;
  const EnvironmentBlock& block() const noexcept { return *block_; }
  struct Tally {
    std::int64_t drawn = 0, reached = 0;  // goals that ended: reached, or the limit passed
    double cost = 0.0;                    // the environment's, which is counted but not learned from
  };
  const Tally& tally() const noexcept { return tally_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  void look(int which);
  Action choose(int which);

  GoalSettings settings_;
  std::unique_ptr<EnvironmentBlock> block_;
  GoalTable table_;
  Rng choose_, replay_;
  std::vector<ExplorerMemory> memories_;
  std::vector<int> standing_;  // the place of every environment
  std::vector<GoalTransition> remembered_;
  Tally tally_;
  std::int64_t steps_ = 0;
  std::vector<float> observation_;
  std::vector<Action> actions_;
  std::vector<StepResult> moved_;
};

}  // namespace politex::inline policy
