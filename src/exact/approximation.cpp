#include "politex/exact/approximation.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "politex/base/error.hpp"
#include "politex/base/unknown.hpp"
#include "politex/exact/excitation.hpp"
#include "politex/exact/mixing.hpp"
#include "politex/exact/spectrum.hpp"
#include "politex/exact/weighted_basis.hpp"

namespace politex::exact {
namespace {

double dot(const SparseRows& features, int row, std::span<const double> w) {
  const auto columns = features.indices(row);
  const auto values = features.values(row);
  double sum = 0.0;
  for (std::size_t e = 0; e < columns.size(); ++e) sum += values[e] * w[static_cast<std::size_t>(columns[e])];
  return sum;
}

double mean(std::span<const double> f, std::span<const double> distribution) {
  return std::inner_product(f.begin(), f.end(), distribution.begin(), 0.0) /
         std::accumulate(distribution.begin(), distribution.end(), 0.0);
}

double residual_norm(const SparseRows& features, std::span<const double> distribution, std::span<const double> q,
                     std::span<const double> weights) {
  std::vector<double> residual(q.begin(), q.end());
  for (int row = 0; row < features.rows(); ++row) residual[row] -= dot(features, row, weights);
  return centred_norm(residual, distribution);
}

using Matrix = Eigen::MatrixXd;

// The basis as a matrix: one row per pair of the support, times the square root of its probability.
Matrix scaled_basis(const WeightedBasis& basis) {
  Matrix result(static_cast<Eigen::Index>(basis.support().size()), basis.size());
  for (Eigen::Index i = 0; i < result.rows(); ++i) {
    for (Eigen::Index k = 0; k < result.cols(); ++k) {
      result(i, k) = basis.scaled(static_cast<int>(i), static_cast<int>(k));
    }
  }
  return result;
}

// U' D^(1/2) P D_mu^(-1/2), where the columns of U are the basis: the part of Pi H that depends on the basis. Its
// entries are at most 1. Jumps lead to constants, which the basis does not see.
Matrix arrivals_of(const FiniteModel& model, const WeightedBasis& basis, const Matrix& scaled,
                   std::span<const double> stationary) {
  Matrix arrivals = Matrix::Zero(basis.size(), model.states);
  for (std::size_t i = 0; i < basis.support().size(); ++i) {
    const int pair = basis.support()[i];
    for (auto e = model.first[pair]; e < model.first[pair + 1]; ++e) {
      const int y = model.next[e];
      if (!(stationary[y] > 0.0)) continue;
      const double flow =
          (1.0 - model.teleport) * model.probability[e] * std::sqrt(basis.probability()[i] / stationary[y]);
      arrivals.col(y) += flow * scaled.row(static_cast<Eigen::Index>(i)).transpose();
    }
  }
  return arrivals;
}

// The matrix of Pi_e H in the basis of the exploration distribution; functions are continued to pairs that it never
// visits by their weights of least norm.
Matrix off_policy_matrix(const FiniteModel& model, std::span<const double> policy, const SparseRows& features,
                         const WeightedBasis& basis) {
  const auto size = static_cast<Eigen::Index>(basis.size());
  Matrix by_state = Matrix::Zero(size, model.states);
  std::vector<double> unit(static_cast<std::size_t>(size), 0.0);
  for (Eigen::Index k = 0; k < size; ++k) {
    unit[static_cast<std::size_t>(k)] = 1.0;
    const std::vector<double> weights = basis.weights(unit);
    unit[static_cast<std::size_t>(k)] = 0.0;
    const int first = basis.support().front();
    const double centre = dot(features, first, weights);
    for (int pair = 0; pair < model.pairs(); ++pair) {
      if (policy[pair] > 0.0) {
        by_state(k, pair / model.actions) += policy[pair] * (dot(features, pair, weights) - centre);
      }
    }
  }
  const Matrix scaled = scaled_basis(basis);
  Matrix result = Matrix::Zero(size, size);
  Eigen::VectorXd next(size);
  const Eigen::VectorXd jump = model.teleport / model.states * by_state.rowwise().sum();
  for (std::size_t i = 0; i < basis.support().size(); ++i) {
    const int pair = basis.support()[i];
    next = jump;
    for (auto e = model.first[pair]; e < model.first[pair + 1]; ++e) {
      next += (1.0 - model.teleport) * model.probability[e] * by_state.col(model.next[e]);
    }
    result +=
        std::sqrt(basis.probability()[i]) * scaled.row(static_cast<Eigen::Index>(i)).transpose() * next.transpose();
  }
  return result;
}

double largest_eigenvalue(const Matrix& symmetric) {
  if (symmetric.rows() == 0) return 0.0;
  return Eigen::SelfAdjointEigenSolver<Matrix>(symmetric, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
}

}  // namespace

double centred_norm(std::span<const double> f, std::span<const double> distribution) {
  const double centre = mean(f, distribution);
  double sum = 0.0, total = 0.0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    sum += distribution[i] * (f[i] - centre) * (f[i] - centre);
    total += distribution[i];
  }
  return std::sqrt(sum / total);
}

struct WeightedFit::Parts {
  SparseRows features;
  std::vector<double> distribution;
  WeightedBasis basis;
  double largest_feature = 0.0;
};

WeightedFit::WeightedFit(const SparseRows& features, std::span<const double> distribution)
    : parts_(std::make_unique<Parts>(
          Parts{features, {distribution.begin(), distribution.end()}, WeightedBasis(features, distribution)})) {
  for (int row = 0; row < features.rows(); ++row) {
    double square = 0.0;
    for (const double v : features.values(row)) square += v * v;
    parts_->largest_feature = std::max(parts_->largest_feature, std::sqrt(square));
  }
}

WeightedFit::~WeightedFit() = default;
WeightedFit::WeightedFit(WeightedFit&&) noexcept = default;
WeightedFit& WeightedFit::operator=(WeightedFit&&) noexcept = default;

Fit WeightedFit::fit(std::span<const double> q) const {
  const WeightedBasis& basis = parts_->basis;
  const auto [least, most] = std::ranges::minmax(q);
  Fit result;
  result.weights = basis.weights(basis.coefficients(q));
  std::vector<double> residual(q.begin(), q.end());
  for (int row = 0; row < parts_->features.rows(); ++row) residual[row] -= dot(parts_->features, row, result.weights);
  result.constant = mean(residual, parts_->distribution);
  result.error = centred_norm(residual, parts_->distribution);
  for (const double w : result.weights) result.weight_norm = std::hypot(result.weight_norm, w);
  result.range = most - least;
  result.largest_feature = parts_->largest_feature;
  return result;
}

TdComparison td_comparison(const FiniteModel& model, std::span<const double> policy, const SparseRows& features,
                           std::span<const double> explorer_distribution) {
  const Evaluation evaluation = evaluate(model, policy);
  const std::vector<double> distribution = pair_distribution(model, evaluation.stationary, policy);
  const std::vector<double> q = action_values(model, evaluation).value;
  const WeightedBasis on(features, distribution), off(features, explorer_distribution);
  const Matrix scaled = scaled_basis(on), arrivals = arrivals_of(model, on, scaled, evaluation.stationary);
  // Pi H in L2(nu), applied to all functions: one column per pair of the support.
  Matrix reach(scaled.cols(), scaled.rows());
  for (Eigen::Index i = 0; i < scaled.rows(); ++i) {
    const int pair = on.support()[static_cast<std::size_t>(i)];
    reach.col(i) = std::sqrt(policy[pair]) * arrivals.col(pair / model.actions);
  }
  const Matrix inner = reach * scaled;

  TdComparison result;
  // A projection of a contraction: beyond 1 is rounding.
  result.alpha = std::min(1.0, std::sqrt(std::max(0.0, largest_eigenvalue(arrivals * arrivals.transpose()))));
  const bool everything =
      off.spans_all() && static_cast<int>(off.support().size()) == model.pairs() && model.states <= most_eigen_states;
  if (everything) {
    result.off_policy_radius = second_eigenvalue(model, policy);
  } else {
    const Matrix iterated = off_policy_matrix(model, policy, features, off);
    result.off_policy_radius = spectral_radius({iterated.data(), static_cast<std::size_t>(iterated.size())});
  }
  result.best_error = residual_norm(features, distribution, q, on.weights(on.coefficients(q)));
  result.rho = result.td_error = unknown;
  const Eigen::Index rank = inner.rows();
  const Matrix system = Matrix::Identity(rank, rank) - inner;
  std::optional<Eigen::PartialPivLU<Matrix>> solver;  // Eigen asserts that the system is not empty
  if (rank > 0) solver.emplace(system);
  if (!evaluation.unichain() || (solver && solver->rcond() < 1e-13)) return result;

  // What Pi H makes of functions outside the span; projected twice because the first leaves rounding.
  result.rho = 0.0;
  if (!on.spans_all() && rank > 0) {
    Matrix rest = reach - inner * scaled.transpose();
    rest -= (rest * scaled) * scaled.transpose();
    const Matrix loss = solver->solve(rest);
    result.rho = largest_eigenvalue(loss * loss.transpose());
  }
  const std::vector<double> right = on.coefficients(model.cost);
  Eigen::VectorXd solution = Eigen::Map<const Eigen::VectorXd>(right.data(), rank);
  if (solver) solution = solver->solve(solution).eval();
  result.td_weights = on.weights(std::vector<double>(solution.begin(), solution.end()));
  result.td_error = residual_norm(features, distribution, q, result.td_weights);
  return result;
}

}  // namespace politex::exact
