// One environment of any kind, stepped with one action at a time, with the features of the place before and after it.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "politex/baselines/step_learner.hpp"

namespace politex::inline baselines {

class SteppedBlock {
 public:
  explicit SteppedBlock(StepParts parts);
  SteppedBlock(const SteppedBlock&) = delete;  // places point to its features
  SteppedBlock& operator=(const SteppedBlock&) = delete;

  int actions() const noexcept { return actions_; }
  /// The place now, and the one before the last step.
  const Place& here() const noexcept { return places_[now_]; }
  const Place& before() const noexcept { return places_[1 - now_]; }

  struct Result {
    double cost = 0.0;
    /// here() is a consequence of the action. False: the time limit ended the step, or the environment only restarted
    /// (then the step is not counted).
    bool connected = true;
  };
  Result step(Action action);

  /// Appends the features of an observation.
  void describe(std::span<const double> observation, SparseRows& into) const;

  /// The steps since begin().
  void begin();
  std::span<const double> costs() const noexcept { return costs_; }
  Phase phase(const Lengths& lengths) const;

  void save(ByteWriter& to) const;
  /// False: the environment could not be restored, and is at a new start.
  bool restore(ByteReader& from);
  void save_phase(ByteWriter& to) const;
  std::int64_t restore_phase(ByteReader& from);

 private:
  void look();

  std::unique_ptr<EnvironmentBlock> block_;
  std::unique_ptr<FeatureMap> map_;
  RestartCost restart_cost_;
  int actions_;
  bool listed_, cells_;
  int states_;  // listed ones or cells; 0: neither
  std::vector<double> observation_;
  std::array<Features, 2> features_;
  std::array<Place, 2> places_;
  std::size_t now_ = 0;
  std::vector<std::int32_t> pairs_, model_pairs_;
  std::vector<double> costs_;
};

}  // namespace politex::inline baselines
