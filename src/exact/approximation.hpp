// How well linear features can represent the Q of one policy, and how well temporal-difference methods would fit it.
// Constants are projected out first, because they do not change the policy.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "politex/base/sparse_rows.hpp"
#include "politex/env/finite_model.hpp"
#include "politex/exact/evaluate.hpp"

namespace politex::exact {

/// The best weights for one function of pairs in a weighted norm.
struct Fit {
  std::vector<double> weights;  // of least norm
  double constant = 0.0;
  double error = 0.0;            // weighted norm of q - constant - Psi w: eps_0 of this policy in this norm
  double weight_norm = 0.0;      // W_max is its maximum over policies
  double range = 0.0;            // max q - min q
  double largest_feature = 0.0;  // max |psi(x, a)|
  double q_max() const noexcept { return 2.0 * weight_norm * largest_feature; }  // as the paper chooses it
};

/// Least squares in a weighted norm: factors the normal matrix once, so that every fit costs two products. Throws Error
/// above 3000 features.
class WeightedFit {
 public:
  WeightedFit(const SparseRows& features, std::span<const double> distribution);
  ~WeightedFit();
  WeightedFit(WeightedFit&&) noexcept;
  WeightedFit& operator=(WeightedFit&&) noexcept;

  Fit fit(std::span<const double> q) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The quantities of the paper's section on TD methods, for one policy pi with nu = mu_pi x pi.
struct TdComparison {
  double alpha = 0.0;              // norm of Pi H in L2(nu), over functions modulo constants
  double rho = 0.0;                // td_error / best_error is at most sqrt(1 + rho); NaN if I - Pi H is singular
  double td_error = 0.0;           // norm of Q - Psi w_TD; NaN as above
  double best_error = 0.0;         // norm of Q - Psi w for the best w
  double off_policy_radius = 0.0;  // spectral radius of Pi_e H: off-policy LSPE diverges above 1
  std::vector<double> td_weights;  // empty if I - Pi H is singular
};

/// `explorer_distribution` is that of pairs under the exploration policy. Throws Error above 3000 features.
TdComparison td_comparison(const FiniteModel& model, std::span<const double> policy, const SparseRows& features,
                           std::span<const double> explorer_distribution);

/// Weighted norm of f minus its best constant.
double centred_norm(std::span<const double> f, std::span<const double> distribution);

}  // namespace politex::exact
