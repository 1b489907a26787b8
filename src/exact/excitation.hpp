// Assumption A3 and the premise of the estimation lemma: how well a distribution of state-action pairs excites the
// features.
#pragma once

#include <span>
#include <vector>

#include "politex/base/sparse_rows.hpp"
#include "politex/env/finite_model.hpp"
#include "politex/exact/evaluate.hpp"

namespace politex::exact {

/// nu(x, a) = stationary(x) policy(a | x): the distribution of A3.
std::vector<double> pair_distribution(const FiniteModel& model, std::span<const double> stationary,
                                      std::span<const double> policy);
/// stationary(x) / actions: the distribution of the estimation lemma, where the probe action is uniform.
std::vector<double> uniform_pair_distribution(const FiniteModel& model, std::span<const double> stationary);

/// The largest number of features for which a dense Gram matrix is computed.
inline constexpr int most_features = 3000;

struct Excitation {
  double sigma = 0.0;          // sigma_on_span, or 0 if Psi' D Psi is singular up to rounding
  double sigma_on_span = 0.0;  // the same over weights orthogonal to those that Psi maps to 0 everywhere
  int features = 0;
  int rank = 0;                                   // of Psi, independent of the distribution
  int excited_rank = 0;                           // of Psi' D Psi
  std::vector<std::vector<double>> null_vectors;  // up to 8 weights w with w' Psi' D Psi w = 0, each ends in a 1
};

/// `features` has one row and `distribution` one entry per pair. Throws Error if more than `most_features` features are
/// coupled through common rows; tabular features never are, features per action only within an action. sigma measures
/// functions by the least norm of their weights in `whole`, the features before a basis was chosen among them (null:
/// the same), so that it depends on the span and not on the basis.
Excitation excitation(const SparseRows& features, std::span<const double> distribution,
                      const SparseRows* whole = nullptr);

/// The columns, from left to right, that are linearly independent of the columns before them: a basis of the span.
std::vector<int> independent_columns(const SparseRows& features);
/// Returns the features restricted to these columns.
SparseRows select_columns(const SparseRows& features, std::span<const int> columns);

}  // namespace politex::exact
