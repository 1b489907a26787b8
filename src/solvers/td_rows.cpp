#include "politex/solvers/td_rows.hpp"

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"

namespace politex::inline solvers {
namespace {

using SquareMatrix = Eigen::SparseMatrix<double>;
using ColumnVector = Eigen::VectorXd;

/// Unknowns up to which "auto" factors the equations.
constexpr std::size_t most_factored = 20'000;
/// Directions that GMRES keeps before it restarts.
constexpr Eigen::Index kept_directions = 60;

/// A rotation that makes the second number 0.
struct Rotation {
  double cosine = 1.0, sine = 0.0;
  void apply(double& one, double& other) const noexcept {
    const double turned = cosine * one + sine * other;
    other = cosine * other - sine * one;
    one = turned;
  }
};

}  // namespace

TdRows::TdRows(int dimension, bool average_unknown, const SolverOptions& options)
    : dimension_(dimension),
      average_unknown_(average_unknown),
      options_(options),
      numbers_(static_cast<std::size_t>(dimension) + 1, 0) {}

void TdRows::Entries::clear() {
  first.assign(1, 0);
  index.clear();
  value.clear();
}

void TdRows::reset() {
  for (const std::int32_t column : columns_) numbers_[static_cast<std::size_t>(column)] = 0;
  columns_.clear();
  left_.clear();
  right_.clear();
  targets_.clear();
}

std::int32_t TdRows::number(std::int32_t column) {
  std::int32_t& at = numbers_[static_cast<std::size_t>(column)];
  if (at == 0) {
    columns_.push_back(column);
    at = static_cast<std::int32_t>(columns_.size());
  }
  return at - 1;
}

void TdRows::own(const FeatureRow& psi, double scale) {
  for (std::size_t k = 0; k < psi.indices.size(); ++k) {
    const std::int32_t unknown = number(psi.offset + psi.indices[k]);
    left_.index.push_back(unknown);
    left_.value.push_back(psi.values[k]);
    right_.index.push_back(unknown);
    right_.value.push_back(scale * psi.values[k]);
  }
  if (average_unknown_) {
    const std::int32_t average = number(dimension_);
    left_.index.push_back(average);
    left_.value.push_back(1.0);
    right_.index.push_back(average);
    right_.value.push_back(scale);
  }
  left_.first.push_back(left_.index.size());
  right_.first.push_back(right_.index.size());
  targets_.push_back(0.0);
}

void TdRows::next(const FeatureRow& psi, double scale) {
  for (std::size_t k = 0; k < psi.indices.size(); ++k) {
    right_.index.push_back(number(psi.offset + psi.indices[k]));
    right_.value.push_back(-scale * psi.values[k]);
  }
  right_.first.back() = right_.index.size();
}

void TdRows::product(std::span<const double> ridges, std::span<const double> x, std::span<double> out) const {
  for (std::size_t u = 0; u < out.size(); ++u) out[u] = ridges[u] * x[u];
  for (std::size_t r = 0; r < targets_.size(); ++r) {
    double total = 0.0;
    for (std::size_t k = right_.first[r]; k < right_.first[r + 1]; ++k)
      total += right_.value[k] * x[static_cast<std::size_t>(right_.index[k])];
    for (std::size_t k = left_.first[r]; k < left_.first[r + 1]; ++k)
      out[static_cast<std::size_t>(left_.index[k])] += left_.value[k] * total;
  }
}

double TdRows::solve(double ridge, std::span<double> w) {
  solved_ = {};
  const std::size_t size = columns_.size();
  std::vector<double> right(size, 0.0), x(size, 0.0), ridges(size, ridge);
  for (std::size_t u = 0; u < size; ++u) {
    if (columns_[u] == dimension_)
      ridges[u] = 0.0;
    else
      x[u] = w[static_cast<std::size_t>(columns_[u])];
  }
  for (std::size_t r = 0; r < targets_.size(); ++r)
    for (std::size_t k = left_.first[r]; k < left_.first[r + 1]; ++k)
      right[static_cast<std::size_t>(left_.index[k])] += left_.value[k] * targets_[r];
  const Solver solver = options_.solver != Solver::automatic ? options_.solver
                        : size <= most_factored              ? Solver::sparse
                                                             : Solver::iterative;
  if (size > 0) {
    if (solver == Solver::sparse) factor(ridges, right, x);
    if (solver == Solver::iterative) gmres(ridges, right, x);
    solved_.count(solver);
  }
  std::ranges::fill(w, 0.0);
  double average = 0.0;
  for (std::size_t u = 0; u < size; ++u) {
    if (columns_[u] == dimension_)
      average = x[u];
    else
      w[static_cast<std::size_t>(columns_[u])] = x[u];
  }
  return average;
}

void TdRows::factor(std::span<const double> ridges, std::span<const double> right, std::span<double> x) {
  const std::size_t size = x.size();
  // The rows in which an unknown is on the right side.
  std::vector<std::size_t> first(size + 1, 0);
  for (const std::int32_t unknown : right_.index) ++first[static_cast<std::size_t>(unknown) + 1];
  for (std::size_t u = 0; u < size; ++u) first[u + 1] += first[u];
  std::vector<std::size_t> at(first.begin(), first.end() - 1);
  std::vector<std::int32_t> row(right_.index.size());
  std::vector<double> value(row.size());
  for (std::size_t r = 0; r < targets_.size(); ++r)
    for (std::size_t k = right_.first[r]; k < right_.first[r + 1]; ++k) {
      const std::size_t here = at[static_cast<std::size_t>(right_.index[k])]++;
      row[here] = static_cast<std::int32_t>(r);
      value[here] = right_.value[k];
    }
  SquareMatrix matrix(static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size));
  std::vector<double> sums(size, 0.0);
  std::vector<std::uint8_t> seen(size, 0);
  std::vector<std::int32_t> touched;
  for (std::size_t u = 0; u < size; ++u) {
    sums[u] = ridges[u];
    touched.assign(1, static_cast<std::int32_t>(u));
    seen[u] = 1;
    for (std::size_t k = first[u]; k < first[u + 1]; ++k) {
      const auto r = static_cast<std::size_t>(row[k]);
      for (std::size_t j = left_.first[r]; j < left_.first[r + 1]; ++j) {
        const auto other = static_cast<std::size_t>(left_.index[j]);
        if (seen[other] == 0) {
          seen[other] = 1;
          touched.push_back(left_.index[j]);
        }
        sums[other] += left_.value[j] * value[k];
      }
    }
    std::ranges::sort(touched);
    matrix.startVec(static_cast<Eigen::Index>(u));
    for (const std::int32_t other : touched) {
      const auto o = static_cast<std::size_t>(other);
      matrix.insertBack(other, static_cast<Eigen::Index>(u)) = sums[o];
      sums[o] = 0.0;
      seen[o] = 0;
    }
  }
  matrix.finalize();
  Eigen::SparseLU<SquareMatrix> lu(matrix);
  if (lu.info() != Eigen::Success)
    throw Error("the temporal-difference equations are singular; increase algorithm.ridge");
  const ColumnVector solution = lu.solve(Eigen::Map<const ColumnVector>(right.data(), matrix.cols()));
  std::ranges::copy(solution, x.begin());
}

void TdRows::gmres(std::span<const double> ridges, std::span<const double> right, std::span<double> x) {
  const auto size = static_cast<Eigen::Index>(x.size());
  // A copy, because sums over memory that is aligned by chance differ in their last bits.
  const ColumnVector b = Eigen::Map<const ColumnVector>(right.data(), size);
  Eigen::Map<ColumnVector> solution(x.data(), size);
  ColumnVector scale = Eigen::Map<const ColumnVector>(ridges.data(), size);
  // The diagonal, as the preconditioner: its share of psi itself, which is positive.
  for (std::size_t r = 0; r < targets_.size(); ++r)
    for (std::size_t k = left_.first[r]; k < left_.first[r + 1]; ++k)
      scale[left_.index[k]] += left_.value[k] * left_.value[k];
  scale = scale.unaryExpr([](double each) { return each > 0.0 ? 1.0 / each : 1.0; });
  const double goal = options_.tolerance * b.norm();
  const std::int64_t most = options_.iterations > 0 ? options_.iterations : 1000 + 10 * size;
  const Eigen::Index kept = std::min(kept_directions, size);
  Eigen::MatrixXd basis(size, kept + 1), triangle(kept + 1, kept);
  ColumnVector image(size), scaled(size), rest(kept + 1);
  std::vector<Rotation> rotations(static_cast<std::size_t>(kept));
  const auto multiply = [&](const ColumnVector& of) {
    product(ridges, {of.data(), x.size()}, {image.data(), x.size()});
  };
  std::int64_t done = 0;
  double residual = 0.0;
  while (true) {
    scaled = solution;
    multiply(scaled);
    image = b - image;
    residual = image.norm();
    if (done == 0 && !(residual <= b.norm())) {
      // Weights of another problem may be further away than 0, by more than rounding could repair.
      solution.setZero();
      image = b;
      residual = b.norm();
    }
    if (!(residual > goal) || done >= most) break;
    basis.col(0) = image / residual;
    rest.setZero();
    rest[0] = residual;
    Eigen::Index used = 0;
    while (used < kept && done < most && std::abs(rest[used]) > goal) {
      scaled = scale.cwiseProduct(basis.col(used));
      multiply(scaled);
      for (Eigen::Index k = 0; k <= used; ++k) {
        triangle(k, used) = basis.col(k).dot(image);
        image -= triangle(k, used) * basis.col(k);
      }
      triangle(used + 1, used) = image.norm();
      if (triangle(used + 1, used) > 0.0) basis.col(used + 1) = image / triangle(used + 1, used);
      for (Eigen::Index k = 0; k < used; ++k)
        rotations[static_cast<std::size_t>(k)].apply(triangle(k, used), triangle(k + 1, used));
      const double length = std::hypot(triangle(used, used), triangle(used + 1, used));
      ++done;
      if (length == 0.0) break;
      Rotation& turn = rotations[static_cast<std::size_t>(used)];
      turn = {triangle(used, used) / length, triangle(used + 1, used) / length};
      turn.apply(triangle(used, used), triangle(used + 1, used));
      turn.apply(rest[used], rest[used + 1]);
      ++used;
    }
    if (used == 0) break;
    const ColumnVector shares =
        triangle.topLeftCorner(used, used).triangularView<Eigen::Upper>().solve(rest.head(used));
    solution += scale.cwiseProduct(basis.leftCols(used) * shares);
  }
  solved_.iterations = done;
  solved_.residual = goal > 0.0 ? residual / goal * options_.tolerance : 0.0;
  if (!(residual <= goal)) throw_not_converged("GMRES", done, solved_.residual, options_);
}

}  // namespace politex::inline solvers
