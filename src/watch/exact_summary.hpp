// Exact answers about a run on a finite environment: regret, its terms, and the quantities of the theory.
#pragma once

#include <cstdint>
#include <optional>

#include "politex/exact/bounds.hpp"

namespace politex::inline watch {

/// The six terms of contract.md; they sum to the regret.
struct RegretTerms {
  double E = 0.0, PR = 0.0, V = 0.0, W = 0.0, V_explore = 0.0, W_explore = 0.0;
};

/// A noise term split as in the appendix: the part explained by the first state of every segment, and the rest, which
/// has mean 0 given the past.
struct NoiseSplit {
  double transient = 0.0, martingale = 0.0;
};
struct RegretSplit {
  NoiseSplit V, W, V_explore, W_explore;
};

/// The error of a phase's Q, after removing the best constant, as weighted norms; NaN where it is unknown.
struct QError {
  double star = 0.0;        // nu*; where optimal policies tie, that of largest entropy
  double star_least = 0.0;  // the smallest and the largest over three of them, as RegretLedger::Optimal lists them
  double star_most = 0.0;
  double horizon = 0.0;        // nu*, against the Q of the horizon that the estimator sums costs over
  double policy = 0.0;         // mu* x pi_i
  double theorem = 0.0;        // the larger of both with one constant for the two, as the theorem needs it
  double explore = 0.0;        // mu_e x uniform, the lemma's
  double density_ratio = 0.0;  // the largest ratio of the theorem's distributions to the lemma's
};

/// The paper's bounds for this run, with the exact quantities in them; infinite where A2 fails, NaN where
/// the environment is too large or a bound does not apply.
struct TheoryBounds {
  double delta = 0.0;
  double cost_range = 0.0, largest_cost = 0.0;  // max c - min c, max |c|
  double tau = 0.0, kappa = 0.0;                // A2, all policies
  double sigma = 0.0, sigma_on_span = 0.0;      // of the features under mu_e x uniform; NaN without exploration
  double s_delta = 0.0;                         // S_delta(A, mu*)
  double bias_premise = 0.0;                    // the least T of the bias lemma
  double eta = 0.0, theory_eta = 0.0;           // as used; the theorem's for the measured range of Q
  bool every_phase = false;                     // the gain of every phase's policy is known, as all bounds need
  exact::PrintedNoise printed;                  // V and W as printed, scaled by max|c|
  exact::Noise V, W, V_explore, W_explore;      // corrected
  double pseudo_regret = 0.0;                   // PR of the target steps of whole phases: what the theorem bounds
  double PR_printed = 0.0;                      // with the measured range of Q as Q_max, and the largest error as eps
  double PR_printed_q_max = 0.0;                // with Q_max = 2 W_max max|psi|
  double PR_sure = 0.0;                         // the same argument for the eta used and each phase's own error
};

/// Measured quantities of the theory; needs exact.every > 0.
struct TheorySummary {
  RegretSplit split;
  TheoryBounds bounds;
  QError mean, median;        // over the known phases
  QError largest;             // over all measured phases: NaN if one of them is unknown, as the next three
  double eps_0 = 0.0;         // largest over the evaluated policies, in the norm of mu_e x uniform
  double w_max = 0.0;         // largest norm of their best weights
  double q_max = 0.0;         // 2 w_max max|psi|, as the paper chooses it
  double q_range = 0.0;       // largest range of an estimated Q
  std::int64_t measured = 0;  // phases whose Q was compared
  std::int64_t known = 0;     // those of them whose error in the theorem's norms rounding does not hide
};

/// Exact answers for a finite environment.
struct FiniteSummary {
  double optimal_gain = 0.0;
  double final_gain_from_start = 0.0;
  double final_gain_from_last_state = 0.0;
  double regret = 0.0;
  double regret_to_gain = 0.0;
  RegretTerms terms;
  std::int64_t evaluated_phases = 0;    // phases whose policy's gain was computed; the others use the last one's
  std::optional<TheorySummary> theory;  // exact.every > 0
};

}  // namespace politex::inline watch
