#include "politex/exact/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "politex/exact/chain.hpp"

namespace politex::exact {
namespace {

using Matrix = Eigen::MatrixXd;

// Equal rows x and y: the matrix is E M with fewer rows in M, and has the eigenvalues of M E, and zeros.
Matrix without_equal_rows(Matrix matrix) {
  constexpr double equal = 8.0 * std::numeric_limits<double>::epsilon();
  for (;;) {
    const Eigen::Index n = matrix.rows();
    std::vector<Eigen::Index> kept, leader(static_cast<std::size_t>(n));
    for (Eigen::Index x = 0; x < n; ++x) {
      const auto same = std::ranges::find_if(kept, [&](Eigen::Index y) {
        return ((matrix.row(x) - matrix.row(y)).array().abs() <= equal * matrix.row(x).array().abs()).all();
      });
      leader[static_cast<std::size_t>(x)] = same - kept.begin();
      if (same == kept.end()) kept.push_back(x);
    }
    const auto size = static_cast<Eigen::Index>(kept.size());
    if (size == n) return matrix;
    Matrix smaller = Matrix::Zero(size, size);
    for (Eigen::Index i = 0; i < size; ++i) {
      for (Eigen::Index y = 0; y < n; ++y) {
        smaller(i, leader[static_cast<std::size_t>(y)]) += matrix(kept[static_cast<std::size_t>(i)], y);
      }
    }
    matrix = std::move(smaller);
  }
}

// Scales rows and columns by powers of 2 until they are of similar size (Parlett and Reinsch).
void balance(Matrix& matrix) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      const double own = std::abs(matrix(i, i));
      double row = matrix.row(i).cwiseAbs().sum() - own, column = matrix.col(i).cwiseAbs().sum() - own;
      if (!(row > 0.0) || !(column > 0.0) || !std::isfinite(row) || !std::isfinite(column)) continue;
      const int shift = static_cast<int>(std::lround(0.5 * (std::log2(row) - std::log2(column))));
      if (shift == 0 || std::ldexp(column, shift) + std::ldexp(row, -shift) > 0.95 * (row + column)) continue;
      changed = true;
      matrix.row(i) *= std::ldexp(1.0, -shift);
      matrix.col(i) *= std::ldexp(1.0, shift);
    }
  }
}

}  // namespace

std::vector<double> eigenvalue_moduli(std::span<const double> by_columns) {
  const auto size = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(by_columns.size()))));
  std::vector<double> moduli(static_cast<std::size_t>(size), 0.0);
  const Matrix reduced = without_equal_rows(Eigen::Map<const Matrix>(by_columns.data(), size, size));
  SparseRows graph;
  graph.columns = static_cast<int>(reduced.cols());
  for (Eigen::Index x = 0; x < reduced.rows(); ++x) {
    for (Eigen::Index y = 0; y < reduced.cols(); ++y) {
      if (reduced(x, y) != 0.0) graph.append(static_cast<int>(y), 1.0);
    }
    graph.end_row();
  }
  // Ordered by strong components the matrix is block triangular.
  const std::vector<int> component = strong_components(graph);
  std::vector<std::vector<Eigen::Index>> blocks(component.size());
  for (std::size_t x = 0; x < component.size(); ++x) blocks[component[x]].push_back(static_cast<Eigen::Index>(x));
  std::size_t at = 0;
  for (const auto& block : blocks) {
    if (block.empty()) continue;
    Matrix part = reduced(block, block);
    balance(part);
    const Eigen::VectorXcd found = Eigen::EigenSolver<Matrix>(part, false).eigenvalues();
    for (const auto& value : found) moduli[at++] = std::abs(value);
  }
  std::ranges::sort(moduli, std::greater<>{});
  return moduli;
}

double spectral_radius(std::span<const double> by_columns) {
  return by_columns.empty() ? 0.0 : eigenvalue_moduli(by_columns).front();
}

}  // namespace politex::exact
