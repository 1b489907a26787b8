#include "politex/exact/excitation.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <limits>
#include <numeric>

#include "politex/base/error.hpp"

namespace politex::exact {
namespace {

constexpr std::size_t most_null_vectors = 8;
constexpr double dependent = 1e-10;  // share of a column's squared norm not explained by the columns before

// Features that share no row give a block-diagonal Gram matrix.
std::vector<std::vector<int>> feature_blocks(const SparseRows& features) {
  std::vector<int> leader(features.columns);
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  for (int row = 0; row < features.rows(); ++row) {
    const auto columns = features.indices(row);
    for (const int column : columns) {
      const int a = find(columns[0]), b = find(column);
      leader[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<std::vector<int>> blocks;
  std::vector<int> number(features.columns, -1);
  for (int i = 0; i < features.columns; ++i) {
    int& block = number[find(i)];
    if (block < 0) {
      block = static_cast<int>(blocks.size());
      blocks.emplace_back();
    }
    blocks[block].push_back(i);
  }
  for (const auto& block : blocks) {
    if (block.size() <= std::size_t{most_features}) continue;
    throw Error(fmt::format("excitation of {} coupled features; accepted: up to {}. Use fewer features", block.size(),
                            most_features));
  }
  return blocks;
}

// Positions of features in their blocks, and the rows of each block: a row belongs to one block only.
struct Layout {
  std::vector<std::vector<int>> blocks, rows;
  std::vector<int> local;  // feature -> position in its block

  explicit Layout(const SparseRows& features)
      : blocks(feature_blocks(features)), rows(blocks.size()), local(features.columns) {
    std::vector<int> owner(features.columns);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      for (std::size_t i = 0; i < blocks[b].size(); ++i) {
        owner[blocks[b][i]] = static_cast<int>(b);
        local[blocks[b][i]] = static_cast<int>(i);
      }
    }
    for (int row = 0; row < features.rows(); ++row) {
      const auto columns = features.indices(row);
      if (!columns.empty()) rows[owner[columns[0]]].push_back(row);
    }
  }

  // Psi' D Psi over one block.
  Eigen::MatrixXd gram(const SparseRows& features, std::span<const double> distribution, std::size_t block) const {
    const auto size = static_cast<Eigen::Index>(blocks[block].size());
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(size, size);
    for (const int row : rows[block]) {
      const auto columns = features.indices(row);
      const auto values = features.values(row);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        for (std::size_t j = 0; j < columns.size(); ++j) {
          result(local[columns[i]], local[columns[j]]) += distribution[row] * values[i] * values[j];
        }
      }
    }
    return result;
  }
};

double noise(const Eigen::VectorXd& eigenvalues) {
  return 4.0 * static_cast<double>(eigenvalues.size()) * std::numeric_limits<double>::epsilon() *
         eigenvalues.cwiseAbs().maxCoeff();
}

// Cholesky from left to right: each column is independent, or yields its combination of earlier columns.
struct Echelon {
  std::vector<int> independent;
  std::vector<Eigen::VectorXd> null_vectors;
};

Echelon echelon(const Eigen::MatrixXd& gram_matrix) {
  Echelon result;
  const Eigen::Index n = gram_matrix.rows();
  Eigen::MatrixXd lower = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto k = static_cast<Eigen::Index>(result.independent.size());
    Eigen::VectorXd z(k);
    for (Eigen::Index i = 0; i < k; ++i) z[i] = gram_matrix(result.independent[static_cast<std::size_t>(i)], j);
    lower.topLeftCorner(k, k).triangularView<Eigen::Lower>().solveInPlace(z);
    const double rest = gram_matrix(j, j) - z.squaredNorm();
    if (rest > dependent * gram_matrix(j, j)) {
      lower.row(k).head(k) = z.transpose();
      lower(k, k) = std::sqrt(rest);
      result.independent.push_back(static_cast<int>(j));
      continue;
    }
    lower.topLeftCorner(k, k).transpose().triangularView<Eigen::Upper>().solveInPlace(z);
    Eigen::VectorXd null_vector = Eigen::VectorXd::Zero(n);
    for (Eigen::Index i = 0; i < k; ++i) null_vector[result.independent[static_cast<std::size_t>(i)]] = -z[i];
    null_vector[j] = 1.0;
    result.null_vectors.push_back(std::move(null_vector));
  }
  return result;
}

void add_block(Excitation& result, const Eigen::MatrixXd& plain, const Eigen::MatrixXd& excited,
               const std::vector<int>& columns) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> span(plain);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> whole(excited, Eigen::EigenvaluesOnly);
  const auto above = [](const Eigen::VectorXd& values) { return (values.array() > noise(values)).count(); };
  const Eigen::Index rank = above(span.eigenvalues()), excited_rank = above(whole.eigenvalues());
  const bool singular = excited_rank < excited.rows();
  result.sigma = std::min(result.sigma, singular ? 0.0 : whole.eigenvalues()[0]);
  result.rank += static_cast<int>(rank);
  result.excited_rank += static_cast<int>(excited_rank);
  if (rank > 0) {
    const Eigen::MatrixXd basis = span.eigenvectors().rightCols(rank);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> part(basis.transpose() * excited * basis,
                                                              Eigen::EigenvaluesOnly);
    const double least = part.eigenvalues()[0];
    const bool unexcited = excited.isZero(0.0) || least <= noise(whole.eigenvalues());
    result.sigma_on_span = std::min(result.sigma_on_span, unexcited ? 0.0 : least);
  }
  if (!singular || result.null_vectors.size() >= most_null_vectors) return;
  for (const Eigen::VectorXd& part : echelon(excited).null_vectors) {
    if (result.null_vectors.size() >= most_null_vectors) break;
    std::vector<double>& full = result.null_vectors.emplace_back(result.features, 0.0);
    for (std::size_t i = 0; i < columns.size(); ++i) full[columns[i]] = part[static_cast<Eigen::Index>(i)];
  }
}

}  // namespace

std::vector<double> pair_distribution(const FiniteModel& model, std::span<const double> stationary,
                                      std::span<const double> policy) {
  std::vector<double> distribution(policy.begin(), policy.end());
  for (int pair = 0; pair < model.pairs(); ++pair) distribution[pair] *= stationary[pair / model.actions];
  return distribution;
}

std::vector<double> uniform_pair_distribution(const FiniteModel& model, std::span<const double> stationary) {
  return pair_distribution(model, stationary, uniform_policy(model));
}

Excitation excitation(const SparseRows& features, std::span<const double> distribution, const SparseRows* whole) {
  Excitation result;
  result.features = features.columns;
  result.sigma = result.sigma_on_span = std::numeric_limits<double>::infinity();
  const Layout layout(features);
  const std::vector<double> ones(features.rows(), 1.0);
  for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
    add_block(result, layout.gram(features, ones, b), layout.gram(features, distribution, b), layout.blocks[b]);
  }
  if (whole != nullptr) {
    result.sigma_on_span = excitation(*whole, distribution).sigma_on_span;
    if (result.sigma > 0.0) result.sigma = result.sigma_on_span;
  }
  return result;
}

std::vector<int> independent_columns(const SparseRows& features) {
  const Layout layout(features);
  const std::vector<double> ones(features.rows(), 1.0);
  std::vector<int> kept;
  for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
    const Eigen::MatrixXd plain = layout.gram(features, ones, b);
    for (const int i : echelon(plain).independent) kept.push_back(layout.blocks[b][i]);
  }
  std::ranges::sort(kept);
  return kept;
}

SparseRows select_columns(const SparseRows& features, std::span<const int> columns) {
  std::vector<int> position(features.columns, -1);
  for (std::size_t i = 0; i < columns.size(); ++i) position[columns[i]] = static_cast<int>(i);
  SparseRows result;
  result.columns = static_cast<int>(columns.size());
  for (int row = 0; row < features.rows(); ++row) {
    const auto indices = features.indices(row);
    for (std::size_t e = 0; e < indices.size(); ++e) {
      if (position[indices[e]] >= 0) result.append(position[indices[e]], features.values(row)[e]);
    }
    result.end_row();
  }
  return result;
}

}  // namespace politex::exact
