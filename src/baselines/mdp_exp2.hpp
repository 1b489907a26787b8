// MDP-EXP2 (Wei, Jafarnia-Jahromi, Luo, Jain, "Learning infinite-horizon average-reward MDPs with linear function
// approximation", AISTATS 2021, Algorithm 3), for any feature map. Rewards r = 1 - cost, costs scaled to [0, 1]. An
// epoch is played in pieces of 2 N steps with one policy: N steps to forget the state, then at (x, a) the return R of N
// steps. At the end of an epoch:
//
//   M  = sum over its pieces of sum_b pi(b|x) psi(x, b) psi(x, b)'
//   w  = M^-1 sum psi(x, a) R             W = W + w
//   pi(a|x) proportional to exp(rate psi(x, a).W)
//
// The paper sets w = 0 where the smallest eigenvalue of M is below B sigma / (24 N), for a sigma that the user must
// know. Here `ridge` is added to M instead.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/baselines/step_learner.hpp"
#include "politex/solvers/normal_equations.hpp"

namespace politex::inline baselines {

struct MdpExp2Options {
  std::int64_t window = 10;  // N
  std::int64_t pieces = 50;  // of an epoch
  double rate = 0.01;
  double ridge = 0.01;
};

class MdpExp2 {
 public:
  using Options = MdpExp2Options;
  MdpExp2(const FeatureStructure& structure, int actions, const Options& options, const CostScale& scale);

  Action act(const Place& here, Rng& rng);
  void observe(const Place& here, Action action, double cost, const Place& next);
  /// The piece begins again.
  void interrupt();
  /// -W, so that the Boltzmann rule with this step size gives pi.
  std::span<const double> weights() const { return weights_; }
  Rule rule() const { return Rule::boltzmann(options_.rate); }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  void learn();

  Options options_;
  CostScale scale_;
  int actions_;
  bool replicated_;  // the features
  std::vector<double> weights_;
  std::int64_t at_ = 0;  // steps of the present piece
  double sum_ = 0.0;     // its return so far
  // One per piece of the epoch; the last may still wait for its return.
  Features features_;
  std::vector<double> probabilities_;  // all actions
  std::vector<std::int32_t> taken_;
  std::vector<double> returns_;
  NormalEquations equations_;
  std::vector<double> q_, p_, solved_;
};

const LearnerEntry& mdp_exp2_entry();

}  // namespace politex::inline baselines
