// Assumption A3 and the lemma's premise: how well a law over state-action pairs excites the features.
#pragma once

#include <span>
#include <vector>

#include "politex/base/sparse_rows.hpp"
#include "politex/env/finite_model.hpp"
#include "politex/exact/evaluate.hpp"

namespace politex::exact {

/// nu(x, a) = stationary(x) policy(a | x): the law of A3.
std::vector<double> pair_law(const FiniteModel& model, std::span<const double> stationary,
                             std::span<const double> policy);
/// stationary(x) / actions: the law of the estimation lemma, where the probe action is uniform.
std::vector<double> uniform_pair_law(const FiniteModel& model, std::span<const double> stationary);

/// How many features a dense Gram matrix is computed for at most.
inline constexpr int most_features = 3000;

struct Excitation {
  double sigma = 0.0;          // smallest eigenvalue of Psi' D Psi; 0 where it is singular to rounding
  double sigma_on_span = 0.0;  // the same over weights orthogonal to those that Psi maps to 0 everywhere
  int features = 0;
  int rank = 0;                                   // of Psi itself, whatever the law
  int excited_rank = 0;                           // of Psi' D Psi
  std::vector<std::vector<double>> null_vectors;  // up to 8 weights w with w' Psi' D Psi w = 0, each ends in a 1
};

/// `features` has one row per pair and `law` one entry. Throws Error where more than `most_features` meet each other in
/// rows; tabular features never do, features per action only within an action.
Excitation excitation(const SparseRows& features, std::span<const double> law);

/// Columns that form a basis of the features' span: from left to right, each that the former do not give.
std::vector<int> independent_columns(const SparseRows& features);
/// The features with these columns only.
SparseRows select_columns(const SparseRows& features, std::span<const int> columns);

}  // namespace politex::exact
