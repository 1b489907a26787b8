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

namespace politex::exact {
namespace {

constexpr double most_entries = 6e7;

void check_size(const SparseRows& features) {
  if (features.columns <= most_features && static_cast<double>(features.columns) * features.rows() <= most_entries) {
    return;
  }
  throw Error(
      fmt::format("{} features of {} pairs are too many for dense least squares; use fewer features or a "
                  "smaller environment",
                  features.columns, features.rows()));
}

double dot(const SparseRows& features, int row, const Eigen::VectorXd& w) {
  const auto columns = features.indices(row);
  const auto values = features.values(row);
  double sum = 0.0;
  for (std::size_t e = 0; e < columns.size(); ++e) sum += values[e] * w[columns[e]];
  return sum;
}

template <class Vector>
void add(const SparseRows& features, int row, double factor, Vector&& to) {
  const auto columns = features.indices(row);
  const auto values = features.values(row);
  for (std::size_t e = 0; e < columns.size(); ++e) to[columns[e]] += factor * values[e];
}

double mean(std::span<const double> f, std::span<const double> distribution) {
  return std::inner_product(f.begin(), f.end(), distribution.begin(), 0.0) /
         std::accumulate(distribution.begin(), distribution.end(), 0.0);
}

// Features minus their means under a distribution, and a basis of their span that is orthonormal under it.
struct Centred {
  std::vector<double> distribution;  // sums to 1
  Eigen::VectorXd means;
  Eigen::MatrixXd basis;  // weights of the basis functions, one per column

  Centred(const SparseRows& features, std::span<const double> given) : distribution(given.begin(), given.end()) {
    check_size(features);
    const double total = std::accumulate(distribution.begin(), distribution.end(), 0.0);
    for (double& mass : distribution) mass /= total;
    const int d = features.columns;
    means = Eigen::VectorXd::Zero(d);
    for (int row = 0; row < features.rows(); ++row) add(features, row, distribution[row], means);
    Eigen::MatrixXd second = Eigen::MatrixXd::Zero(d, d);
    for (int row = 0; row < features.rows(); ++row) {
      const auto columns = features.indices(row);
      for (std::size_t e = 0; e < columns.size(); ++e) {
        add(features, row, distribution[row] * features.values(row)[e], second.col(columns[e]));
      }
    }
    second -= means * means.transpose();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(second);
    const double noise = 10.0 * d * std::numeric_limits<double>::epsilon() * (solver.eigenvalues().maxCoeff() + 1e-300);
    const Eigen::Index rank = (solver.eigenvalues().array() > noise).count();
    basis =
        solver.eigenvectors().rightCols(rank) * solver.eigenvalues().tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
  }

  // Coefficients of the projection of f on the basis.
  Eigen::VectorXd coefficients(const SparseRows& features, std::span<const double> f) const {
    const double centre = mean(f, distribution);
    Eigen::VectorXd moments = Eigen::VectorXd::Zero(features.columns);
    for (int row = 0; row < features.rows(); ++row) add(features, row, distribution[row] * (f[row] - centre), moments);
    return basis.transpose() * moments;
  }
};

double residual_norm(const SparseRows& features, std::span<const double> distribution, std::span<const double> q,
                     const Eigen::VectorXd& weights) {
  std::vector<double> residual(q.begin(), q.end());
  for (int row = 0; row < features.rows(); ++row) residual[row] -= dot(features, row, weights);
  return centred_norm(residual, distribution);
}

// H Psi: the expected features of the next pair.
Eigen::MatrixXd expected_next_features(const FiniteModel& model, std::span<const double> policy,
                                       const SparseRows& features) {
  Eigen::MatrixXd by_state = Eigen::MatrixXd::Zero(features.columns, model.states);
  for (int pair = 0; pair < model.pairs(); ++pair)
    add(features, pair, policy[pair], by_state.col(pair / model.actions));
  const Eigen::VectorXd jump = model.teleport / model.states * by_state.rowwise().sum();
  Eigen::MatrixXd result = jump.replicate(1, model.pairs());
  for (int pair = 0; pair < model.pairs(); ++pair) {
    for (auto e = model.first[pair]; e < model.first[pair + 1]; ++e) {
      result.col(pair) += (1.0 - model.teleport) * model.probability[e] * by_state.col(model.next[e]);
    }
  }
  return result;
}

// Pi H on the span, in the orthonormal basis.
Eigen::MatrixXd projected(const SparseRows& features, const Centred& centred, const Eigen::MatrixXd& next) {
  Eigen::MatrixXd moments = Eigen::MatrixXd::Zero(features.columns, features.columns);
  for (int row = 0; row < features.rows(); ++row) {
    if (centred.distribution[row] == 0.0) continue;
    const auto columns = features.indices(row);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      moments.col(columns[e]) += centred.distribution[row] * features.values(row)[e] * next.col(row);
    }
  }
  Eigen::VectorXd next_mean = Eigen::VectorXd::Zero(features.columns);
  for (int row = 0; row < features.rows(); ++row) next_mean += centred.distribution[row] * next.col(row);
  moments -= next_mean * centred.means.transpose();
  return centred.basis.transpose() * moments.transpose() * centred.basis;
}

// U' M M' U with M = D^(1/2) H D^(-1/2): Pi H applied to all functions, not only to those in the span.
Eigen::MatrixXd reach(const FiniteModel& model, const SparseRows& features, const Centred& centred,
                      std::span<const double> stationary) {
  const Eigen::Index rank = centred.basis.cols();
  Eigen::MatrixXd arrivals = Eigen::MatrixXd::Zero(rank, model.states);
  const Eigen::RowVectorXd centre = centred.means.transpose() * centred.basis;
  for (int pair = 0; pair < model.pairs(); ++pair) {
    if (centred.distribution[pair] == 0.0) continue;
    Eigen::RowVectorXd value = -centre;
    const auto columns = features.indices(pair);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      value += features.values(pair)[e] * centred.basis.row(columns[e]);
    }
    for (auto e = model.first[pair]; e < model.first[pair + 1]; ++e) {
      const double flow = (1.0 - model.teleport) * centred.distribution[pair] * model.probability[e];
      arrivals.col(model.next[e]) += flow * value.transpose();
    }
  }
  for (int x = 0; x < model.states; ++x) {
    if (stationary[x] > 0.0) arrivals.col(x) /= std::sqrt(stationary[x]);
  }
  return arrivals * arrivals.transpose();
}

double largest_eigenvalue(const Eigen::MatrixXd& symmetric) {
  if (symmetric.rows() == 0) return 0.0;
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
}

double spectral_radius(const Eigen::MatrixXd& matrix) {
  if (matrix.rows() == 0) return 0.0;
  return Eigen::EigenSolver<Eigen::MatrixXd>(matrix, false).eigenvalues().cwiseAbs().maxCoeff();
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
  Centred centred;
  double largest_feature = 0.0;
};

WeightedFit::WeightedFit(const SparseRows& features, std::span<const double> distribution)
    : parts_(std::make_unique<Parts>(Parts{features, Centred(features, distribution)})) {
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
  const Centred& centred = parts_->centred;
  const Eigen::VectorXd weights = centred.basis * centred.coefficients(parts_->features, q);
  const auto [least, most] = std::ranges::minmax(q);
  Fit result;
  result.weights.assign(weights.begin(), weights.end());
  result.constant = mean(q, centred.distribution) - weights.dot(centred.means);
  result.error = residual_norm(parts_->features, centred.distribution, q, weights);
  result.weight_norm = weights.norm();
  result.range = most - least;
  result.largest_feature = parts_->largest_feature;
  return result;
}

TdComparison td_comparison(const FiniteModel& model, std::span<const double> policy, const SparseRows& features,
                           std::span<const double> explorer_distribution) {
  const Evaluation evaluation = evaluate(model, policy);
  const std::vector<double> distribution = pair_distribution(model, evaluation.stationary, policy);
  const std::vector<double> q = action_values(model, evaluation).value;
  const Centred on(features, distribution), off(features, explorer_distribution);
  const Eigen::MatrixXd next = expected_next_features(model, policy, features);
  const Eigen::MatrixXd inner = projected(features, on, next);
  const Eigen::MatrixXd outer = reach(model, features, on, evaluation.stationary);

  TdComparison result;
  result.alpha = std::sqrt(std::max(0.0, largest_eigenvalue(outer)));
  result.off_policy_radius = spectral_radius(projected(features, off, next));
  result.best_error = residual_norm(features, on.distribution, q, on.basis * on.coefficients(features, q));
  result.rho = result.td_error = unknown;
  const Eigen::Index rank = inner.rows();
  const Eigen::MatrixXd system = Eigen::MatrixXd::Identity(rank, rank) - inner;
  std::optional<Eigen::FullPivLU<Eigen::MatrixXd>> solver;  // Eigen asserts that the system is not empty
  if (rank > 0) solver.emplace(system);
  if (!evaluation.unichain() || (solver && solver->rcond() < 1e-12)) return result;
  const auto solve = [&](const auto& right) -> typename std::decay_t<decltype(right)>::PlainObject {
    if (!solver) return right;
    return solver->solve(right);
  };

  const Eigen::MatrixXd half = solve(outer - inner * inner.transpose());
  const Eigen::MatrixXd loss = solve(half.transpose());
  result.rho = std::max(0.0, largest_eigenvalue(0.5 * (loss + loss.transpose())));
  const Eigen::VectorXd weights = on.basis * solve(on.coefficients(features, model.cost));
  result.td_weights.assign(weights.begin(), weights.end());
  result.td_error = residual_norm(features, on.distribution, q, weights);
  return result;
}

}  // namespace politex::exact
