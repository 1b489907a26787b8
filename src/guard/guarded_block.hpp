// A guard on any environment: while it is on, the incumbent's action is the only possible one, and step() takes it
// whatever it is passed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "politex/env/block.hpp"
#include "politex/guard/guard.hpp"
#include "politex/policy/explorer.hpp"

namespace politex::inline guard {

class GuardedBlock final : public EnvironmentBlock {
 public:
  /// The block must hold one environment; the level is a number of its observation, or the sum of all. Throws
  /// ConfigError.
  GuardedBlock(std::unique_ptr<EnvironmentBlock> inside, std::shared_ptr<const Explorer> incumbent,
               const GuardOptions& options, std::uint64_t seed);

  const Space& space() const override { return inside_->space(); }
  int count() const override { return 1; }
  bool together() const override { return inside_->together(); }
  /// Throws Error where the guard was on in each of the first 10,000 steps.
  void step(int first, std::span<const Action> actions, std::span<StepResult> into) override;
  void observe(int which, std::span<double> into) const override { inside_->observe(which, into); }
  void observe(int which, std::span<float> into) const override { inside_->observe(which, into); }
  void last(int which, std::span<double> into) const override { inside_->last(which, into); }
  void last(int which, std::span<float> into) const override { inside_->last(which, into); }
  void reset(int which, std::optional<std::uint64_t> seed) override;
  bool masks() const override { return true; }
  void possible(int which, std::span<std::uint8_t> into) const override;
  std::int64_t guarded_steps() const override { return guarded_; }
  bool can_save() const override { return inside_->can_save(); }
  void save(int which, ByteWriter& to) const override;
  void restore(int which, ByteReader& from) override;

 private:
  /// Whether the guard is on now, and the incumbent's action where it is. `fresh`: after a new start.
  void look(bool fresh);

  std::unique_ptr<EnvironmentBlock> inside_;
  std::shared_ptr<const Explorer> incumbent_;
  GuardOptions options_;
  Rng rng_;
  ExplorerMemory memory_;
  std::vector<double> observation_;
  bool on_ = false;
  Action action_ = 0;
  std::int64_t steps_ = 0, guarded_ = 0;
};

}  // namespace politex::inline guard
