// The paper's bounds beside the quantities they bound: as printed, and corrected (docs/notes-on-the-paper.md derives
// them). The printed ones assume |c| <= 1; here they are scaled by the largest |c|.
#pragma once

#include <span>

namespace politex::exact {

/// Reports state the bounds with probability 1 - this.
inline constexpr double reported_delta = 0.05;

/// The lengths of a run: n phases of m rollouts of s' exploration steps, a probe step and s target steps.
struct RunShape {
  double steps = 0.0;     // T
  double phases = 0.0;    // n
  double rollouts = 0.0;  // m
  double follow = 0.0;    // s
  double explore = 0.0;   // s'
};

/// The lemma on the noise terms as printed; V is stated three ways. They do not hold.
struct PrintedNoise {
  double w = 0.0;
  double v_main_text = 0.0;       // the lemma in the main text
  double v_appendix = 0.0;        // its restatement in the appendix
  double v_appendix_proof = 0.0;  // the last line of its proof
};
PrintedNoise printed_noise(double kappa, double largest_cost, const RunShape& shape, double delta);

/// What holds with probability 1 - delta for the sum of c(x_t, a_t) minus the gain of the policy that chose a_t, over
/// `steps` rounds which fall into `runs` maximal runs of one policy: W is one run, V and V_explore have many.
struct Noise {
  double transient = 0.0;   // holds surely
  double martingale = 0.0;  // holds with probability 1 - delta
  double total() const noexcept { return transient + martingale; }
};
/// tau < 1 of A2 over the policies that are played; `cost_range` = max c - min c. Infinite where tau is 1.
Noise noise_bound(double tau, double cost_range, double steps, double runs, double delta);

/// The lemma on the bias of a rollout of s costs with lambda* = the last of them.
struct RolloutBias {
  double gain = 0.0;   // |lambda - E lambda*|
  double value = 0.0;  // |E V* - V|
};
RolloutBias printed_rollout_bias(double kappa, double largest_cost, double follow);
/// `largest_value` = max |V|, the bias with mean 0 under the stationary law.
RolloutBias rollout_bias_bound(double tau, double cost_range, double largest_value, double follow);

/// The least T with T >= (2 kappa log(4 T^(1/5)))^5, the bias lemma's premise.
double bias_premise(double kappa);

/// The pseudo-regret theorem: 2 T eps + sqrt(n) m s Q_max S_delta.
double pseudo_regret_bound(const RunShape& shape, double error, double q_max, double s_delta);

/// What its argument gives for any eta, surely: m s (log A / eta + eta / 8 sum r_i^2 + 2 sum eps_i), where r_i is the
/// largest range of Q_i over the actions of a state, and eps_i its error with one constant for both norms.
double weights_bound(const RunShape& shape, double eta, int actions, double squared_ranges, double errors);

}  // namespace politex::exact
