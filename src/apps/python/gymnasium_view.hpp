// A block of our environments as Gymnasium sees it: rewards, truncations, arrays that every step overwrites, and the
// three autoreset modes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/env/block.hpp"

namespace politex::python {

/// When an environment whose episode was truncated restarts: in the next step, in the same step, or in reset().
enum class Autoreset { next_step = 0, same_step = 1, disabled = 2 };

/// Every environment has a seed of its own. Nothing is ever terminated: where the rules of an environment end an
/// episode, the step leads to a new start and is marked as restarted; the time limit is a truncation.
class GymnasiumView {
 public:
  /// The block must hold environments of this program: they can be reset and stepped one by one.
  GymnasiumView(std::unique_ptr<EnvironmentBlock> block, Autoreset autoreset);

  const Space& space() const { return block_->space(); }
  int count() const { return block_->count(); }
  bool finite() const { return space().states > 0; }

  // What the newest reset() or step() gave, environment after environment.
  const std::vector<std::int64_t>& indices() const { return indices_; }      // finite: the states
  const std::vector<double>& observations() const { return observations_; }  // else: the numbers
  const std::vector<double>& last_observations() const { return last_; }     // same_step: of truncated episodes
  const std::vector<double>& rewards() const { return rewards_; }
  const std::vector<std::uint8_t>& truncated() const { return truncated_; }
  const std::vector<std::uint8_t>& restarted() const { return restarted_; }

  /// A new start; with a seed its random stream restarts.
  void reset(int which, std::optional<std::uint64_t> seed);
  /// Throws ConfigError on an action that is out of range, Error where an environment was not reset; then nothing was
  /// stepped.
  void step(std::span<const std::int64_t> actions);

  void save(ByteWriter& to) const;
  /// All or nothing. Throws Error where the bytes belong to other environments.
  void restore(ByteReader& from);

 private:
  enum class Stage : std::uint8_t { not_started, playing, truncated };
  /// Truncated: the block is at the new start already, and the end of the episode is still shown.
  struct One {
    std::uint64_t seed = 0;
    Stage stage = Stage::not_started;
  };

  void check_actions(std::span<const std::int64_t> actions) const;
  void step_block();
  void take_result(int which);
  void show(int which);
  void read_all(ByteReader& from);
  std::span<double> row(std::vector<double>& all, int which) const;

  std::unique_ptr<EnvironmentBlock> block_;
  Autoreset autoreset_;
  std::size_t numbers_;  // of an observation
  std::vector<One> each_;
  std::vector<Action> actions_;
  std::vector<StepResult> results_;
  std::vector<std::int64_t> indices_;
  std::vector<double> observations_, last_, rewards_;
  std::vector<std::uint8_t> truncated_, restarted_;
};

}  // namespace politex::python
