// The acting policy of a phase: Boltzmann over the weighted sum of the ring's networks, with SOLO FTRL's step size at
// every state. Frozen: a pure function of the observation, for any thread.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "politex/network/network.hpp"
#include "politex/neural/solo.hpp"

namespace politex::neural {

struct PolicySettings {
  enum class Kind { boltzmann, greedy };    // greedy: epsilon-greedy in the summed Q (explorers are trained with it)
  enum class Combine { sum, average };      // weights sum to the number of networks, or to 1
  enum class StepNorm { weighted, plain };  // P over the vectors that are summed, or over the plain Q_i
  Kind kind = Kind::boltzmann;
  Combine combine = Combine::sum;
  StepNorm step_norm = StepNorm::weighted;
  double alpha = 10.0;
  double epsilon = 0.05;  // greedy
  int ring = 10;
};

class RingPolicy {
 public:
  /// Throws ConfigError when a setting is out of range.
  RingPolicy(int actions, const PolicySettings& settings);

  /// A new phase begins: the newest network joins, the oldest leaves a full ring.
  void push(std::shared_ptr<const FrozenNetwork> network, double phase_length);
  int networks() const noexcept { return static_cast<int>(ring_.size()); }

  struct Workspace {
    FrozenNetwork::Workspace network;
    Floats values;
    std::vector<ValueRange> ranges;
    std::vector<double> scales, logits;
  };
  /// probabilities[r][a]; uniform while the ring is empty, and where all networks are constant over the actions.
  void evaluate(const float* observations, int rows, float* probabilities, Workspace& workspace) const;
  /// The same bits, with less work where inputs are bytes of which few have changed: recall(r) is a Recall& of the
  /// environment that row r belongs to.
  template <class Of>
  void evaluate(const float* observations, int rows, float* probabilities, Workspace& workspace,
                const Of& recall) const {
    if (!byte_networks()) return evaluate(observations, rows, probabilities, workspace);
    for (int r = 0; r < rows; ++r) evaluate_one(observations, r, probabilities, workspace, recall(r));
  }

 private:
  struct Entry {
    std::shared_ptr<const FrozenNetwork> network;
    double length;
  };
  bool byte_networks() const noexcept { return !ring_.empty() && ring_.front().network->byte_layer() != nullptr; }
  void evaluate_one(const float* observations, int row, float* probabilities, Workspace& workspace,
                    Recall& recall) const;
  void combine(const float* values, std::ptrdiff_t stride, float* probabilities, Workspace& workspace) const;
  void uniform(float* probabilities) const noexcept;
  void boltzmann(const float* values, std::ptrdiff_t stride, float* probabilities, Workspace& workspace) const;
  void greedy(const float* values, std::ptrdiff_t stride, float* probabilities) const;

  int actions_;
  PolicySettings settings_;
  std::deque<Entry> ring_;
  std::shared_ptr<const void> identity_;  // another one after every push
  std::vector<double> weights_, scales_;
};

/// The action that a draw in [0, 1) picks.
int pick(const float* probabilities, int actions, double draw) noexcept;

}  // namespace politex::neural
