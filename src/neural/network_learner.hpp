// One learner step: a minibatch, its targets, the gradient, Adam.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "politex/base/sum_tree.hpp"
#include "politex/base/thread_clock.hpp"
#include "politex/network/adam.hpp"
#include "politex/network/network.hpp"
#include "politex/neural/ring_policy.hpp"
#include "politex/replay/replay.hpp"

namespace politex::neural {

struct LearnerSettings {
  enum class Target { expected_sarsa, sarsa, max };
  enum class Mode { discounted, differential, centered };
  int batch = 128;
  Target target = Target::expected_sarsa;
  bool double_q = true;  // with max: the online network chooses the action that the target network values
  Mode mode = Mode::discounted;
  double discount = 0.995;
  double gain_rate = 0.001;        // differential, centered: step size of the estimated gain
  bool restarts = true;            // differential: where there is a time limit, restarts belong to the process
  double restart = 0.0;            // and then their number per step, which follows from the time limit
  std::int64_t target_copy = 200;  // learner steps between copies into the target network
  Adam::Settings adam;
  bool prioritised = false;
  double priority_exponent = 0.6;
  double importance_exponent = 0.4;
};

/// What a value one step later counts: the discount. Without one it is the probability that no restart comes between;
/// restarts are counted in the mean, since single ones are rare jumps that would be noise to the network.
inline double value_factor(const LearnerSettings& s) noexcept {
  return s.mode == LearnerSettings::Mode::differential ? 1.0 - s.restart : s.discount;
}

/// What a gain of 1 per step adds to a window of this length: subtracted from costs times the gain.
inline double window_weight(const LearnerSettings& s, int length) noexcept {
  if (s.mode == LearnerSettings::Mode::differential) return length;
  return s.mode == LearnerSettings::Mode::discounted ? 0.0 : (1.0 - std::pow(s.discount, length)) / (1.0 - s.discount);
}

class NetworkLearner {
 public:
  /// Throws ConfigError when a setting is out of range.
  NetworkLearner(const Shape& shape, const LearnerSettings& settings, Replay& replay, std::uint64_t seed);

  /// The row was written by Replay::add.
  void added(std::uint32_t row);
  bool ready() const noexcept { return replay_.size() >= settings_.batch; }
  /// Needs ready(). Throws Error when the loss is not finite.
  void step(const RingPolicy& policy, std::uint32_t phase);

  const DuelingNetwork& network() const noexcept { return network_; }
  std::int64_t updates() const noexcept { return updates_; }
  /// Stale policies that step() computed itself, since this object was made.
  std::int64_t refreshed() const noexcept { return refreshed_; }
  /// The time that it spends on them, once switched on.
  PartClock& clock() noexcept { return clock_; }
  double gain() const noexcept { return gain_; }
  /// Mean squared temporal difference and mean value since the last call.
  struct Means {
    double loss = 0.0, value = 0.0;
  };
  Means take_means();

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

  /// The target of each window in the batch, for tests: needs batch.policies and the windows gathered.
  const std::vector<float>& targets(const Batch& batch);

 private:
  void sample();
  /// Draws the rows of the next step in advance, so that other threads can refresh them during this one.
  void look_ahead();
  void draw(std::vector<std::uint32_t>& rows);
  void refresh(const RingPolicy& policy, std::uint32_t phase);
  /// The value of the state that window i bootstraps from, by the settings' target.
  float next_value(const Batch& batch, std::size_t i, const float* q, const float* chooser) const;

  LearnerSettings settings_;
  Replay& replay_;
  DuelingNetwork network_, target_;
  Adam adam_;
  Rng rng_;
  std::optional<SumTree> priorities_;
  double top_priority_ = 1.0;
  double gain_ = 0.0;
  std::int64_t updates_ = 0, counted_ = 0, refreshed_ = 0;
  double loss_sum_ = 0.0, value_sum_ = 0.0;

  Batch batch_;
  std::vector<std::uint32_t> ahead_;         // rows of the next step, if they are drawn
  std::uint64_t position_before_ahead_ = 0;  // of the stream: ahead_ itself is not saved
  Floats gradient_, values_, next_values_, chooser_values_, slope_, stale_states_, stale_policies_;
  std::vector<float> target_values_;
  std::vector<double> factors_;  // value_factor to the power of the length
  Tape tape_, target_tape_;
  RingPolicy::Workspace workspace_;
  PartClock clock_;
};

}  // namespace politex::neural
