// The paper's bounds, as printed and corrected (derivations: docs/internals/notes-on-the-paper.md). The printed ones
// assume |c| <= 1; here they are scaled by the largest |c|.
#pragma once

#include <span>

namespace politex::exact {

/// Reports state bounds that hold with probability 1 - reported_delta.
inline constexpr double reported_delta = 0.05;

/// The lengths of a run: n phases of m rollouts of s' exploration steps, a probe step and s target steps.
struct RunShape {
  double steps = 0.0;     // T
  double phases = 0.0;    // n
  double rollouts = 0.0;  // m
  double follow = 0.0;    // s
  double explore = 0.0;   // s'
};

/// The lemma on the noise terms as printed, with its three versions of V. None of them holds.
struct PrintedNoise {
  double w = 0.0;
  double v_main_text = 0.0;       // the lemma in the main text
  double v_appendix = 0.0;        // its restatement in the appendix
  double v_appendix_proof = 0.0;  // the last line of its proof
};
PrintedNoise printed_noise(double kappa, double largest_cost, const RunShape& shape, double delta);

/// A bound on the sum over `steps` rounds of c(x_t, a_t) minus the gain of the policy that chose a_t, where the rounds
/// form `runs` maximal runs of one policy: one for W, many for V and V_explore.
struct Noise {
  double transient = 0.0;   // always holds
  double martingale = 0.0;  // holds with probability 1 - delta
  double total() const noexcept { return transient + martingale; }
};
/// `tau` < 1 is that of A2 over the policies played; `cost_range` = max c - min c. Infinite if tau is 1.
Noise noise_bound(double tau, double cost_range, double steps, double runs, double delta);

/// The lemma on the bias of a rollout of s costs with lambda* = the last of them.
struct RolloutBias {
  double gain = 0.0;   // |lambda - E lambda*|
  double value = 0.0;  // |E V* - V|
};
RolloutBias printed_rollout_bias(double kappa, double largest_cost, double follow);
/// `largest_value` = max |V|, the bias with mean 0 under the stationary distribution.
RolloutBias rollout_bias_bound(double tau, double cost_range, double largest_value, double follow);

/// The premise of the bias lemma: the smallest T with T >= (2 kappa log(4 T^(1/5)))^5.
double bias_premise(double kappa);

/// The pseudo-regret theorem: 2 T eps + sqrt(n) m s Q_max S_delta.
double pseudo_regret_bound(const RunShape& shape, double error, double q_max, double s_delta);

/// The deterministic bound of the theorem's proof for any eta: m s (log A / eta + eta / 8 sum r_i^2 + 2 sum eps_i),
/// where r_i is the largest range of Q_i over the actions of a state, and eps_i its error with one constant for both
/// norms.
double weights_bound(const RunShape& shape, double eta, int actions, double squared_ranges, double errors);

}  // namespace politex::exact
