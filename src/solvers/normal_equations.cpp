#include "politex/solvers/normal_equations.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"

namespace politex::inline solvers {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

std::size_t index(int value) noexcept { return static_cast<std::size_t>(value); }

}  // namespace

/// The sums of one block.
struct NormalEquations::Block {
  std::span<double> diagonal, coupling, corner, right;
};

/// Buffers of one factorisation, reused so that a phase does not allocate.
struct NormalEquations::Work {
  Matrix corner;                // the Schur complement, then its Cholesky factor
  Vector right;                 // right-hand side of the rest
  std::vector<double> inverse;  // 1 / (diagonal + ridge)
  std::vector<int> columns;     // nonzero columns of one coupling row
};

NormalEquations::NormalEquations(const FeatureStructure& structure)
    : structure_(structure), rest_(structure.width - structure.exclusive), work_(std::make_unique<Work>()) {
  const auto blocks = index(structure.blocks), exclusive = index(structure.exclusive), rest = index(rest_);
  diagonal_.assign(blocks * exclusive, 0.0);
  coupling_.assign(blocks * exclusive * rest, 0.0);
  corner_.assign(blocks * rest * rest, 0.0);
  right_.assign(blocks * index(structure.width), 0.0);
  work_->corner.setZero(rest_, rest_);
  work_->right.setZero(rest_);
  work_->inverse.assign(exclusive, 0.0);
  work_->columns.reserve(rest);
}

NormalEquations::~NormalEquations() = default;
NormalEquations::NormalEquations(NormalEquations&&) noexcept = default;
NormalEquations& NormalEquations::operator=(NormalEquations&&) noexcept = default;

void NormalEquations::reset() noexcept {
  for (auto* all : {&diagonal_, &coupling_, &corner_, &right_}) std::fill(all->begin(), all->end(), 0.0);
}

NormalEquations::Block NormalEquations::block(int which) noexcept {
  const auto b = index(which), exclusive = index(structure_.exclusive), rest = index(rest_);
  const auto part = [&](std::vector<double>& all, std::size_t each) { return std::span(all).subspan(b * each, each); };
  return {part(diagonal_, exclusive), part(coupling_, exclusive * rest), part(corner_, rest * rest),
          part(right_, index(structure_.width))};
}

void NormalEquations::add(const FeatureRow& psi, double weight, double target) noexcept {
  Block sums = block(psi.offset / structure_.width);
  const int exclusive = structure_.exclusive;
  const auto rest = index(rest_);
  if (exclusive == 0 && psi.indices.size() == rest) return add_dense(psi.values, weight, target, sums);
  for (std::size_t i = 0; i < psi.indices.size(); ++i) {
    const int row = psi.indices[i];
    const double scaled = weight * psi.values[i];
    sums.right[index(row)] += psi.values[i] * target;
    if (row < exclusive) {
      sums.diagonal[index(row)] += scaled * psi.values[i];
      for (std::size_t j = i + 1; j < psi.indices.size(); ++j)
        sums.coupling[index(row) * rest + index(psi.indices[j] - exclusive)] += scaled * psi.values[j];
    } else {
      const auto column = index(row - exclusive) * rest;
      for (std::size_t j = i; j < psi.indices.size(); ++j)
        sums.corner[column + index(psi.indices[j] - exclusive)] += scaled * psi.values[j];
    }
  }
}

/// The same sums for rows with all columns: no lookup of columns, four at a time.
void NormalEquations::add_dense(std::span<const double> values, double weight, double target, Block& sums) noexcept {
  const std::size_t size = values.size();
  for (std::size_t i = 0; i < size; ++i) {
    const double scaled = weight * values[i];
    sums.right[i] += values[i] * target;
    double* column = sums.corner.data() + i * size;
    for (std::size_t j = i; j < size; ++j) column[j] += scaled * values[j];
  }
}

void NormalEquations::factor(Block& sums, double ridge, double scale) {
  Work& work = *work_;
  const auto rest = index(rest_);
  for (std::size_t c = 0; c < rest; ++c)
    for (std::size_t r = c; r < rest; ++r)
      work.corner(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) = scale * sums.corner[c * rest + r];
  for (std::size_t c = 0; c < rest; ++c)
    work.right[static_cast<Eigen::Index>(c)] = scale * sums.right[index(structure_.exclusive) + c];
  work.corner.diagonal().array() += ridge;

  for (std::size_t r = 0; r < sums.diagonal.size(); ++r) {
    const double inverse = work.inverse[r] = 1.0 / (scale * sums.diagonal[r] + ridge);
    if (sums.diagonal[r] == 0.0) continue;
    const double* row = sums.coupling.data() + r * rest;
    work.columns.clear();
    for (std::size_t c = 0; c < rest; ++c)
      if (row[c] != 0.0) work.columns.push_back(static_cast<int>(c));
    for (std::size_t i = 0; i < work.columns.size(); ++i) {
      const int column = work.columns[i];
      const double factor = scale * row[column] * inverse;
      work.right[column] -= factor * (scale * sums.right[r]);
      for (std::size_t j = i; j < work.columns.size(); ++j)
        work.corner(work.columns[j], column) -= factor * (scale * row[work.columns[j]]);
    }
  }
  if (rest_ > 0) {
    Eigen::LLT<Eigen::Ref<Matrix>> cholesky(work.corner);
    if (cholesky.info() != Eigen::Success)
      throw Error("the least-squares system is not positive definite; increase algorithm.ridge");
  }
}

void NormalEquations::solve(double ridge, std::span<double> w) {
  for (int b = 0; b < structure_.blocks; ++b) {
    Block sums = block(b);
    auto out = w.subspan(index(b * structure_.width), index(structure_.width));
    if (ridge == 0.0) {
      least_norm(sums, out);
      continue;
    }
    factor(sums, ridge, 1.0);
    Work& work = *work_;
    const auto lower = work.corner.triangularView<Eigen::Lower>();
    lower.solveInPlace(work.right);
    work.corner.transpose().triangularView<Eigen::Upper>().solveInPlace(work.right);
    for (int c = 0; c < rest_; ++c) out[index(structure_.exclusive + c)] = work.right[c];
    for (std::size_t r = 0; r < sums.diagonal.size(); ++r) {
      double value = sums.right[r];
      const double* row = sums.coupling.data() + r * index(rest_);
      if (sums.diagonal[r] != 0.0)
        for (int c = 0; c < rest_; ++c) value -= row[c] * work.right[c];
      out[r] = value * work.inverse[r];
    }
  }
}

void NormalEquations::sample(double prior, double scale, std::span<const double> normals, std::span<double> w) {
  for (int b = 0; b < structure_.blocks; ++b) {
    Block sums = block(b);
    const auto begin = index(b * structure_.width);
    const auto exclusive = index(structure_.exclusive);
    factor(sums, prior, scale);
    Work& work = *work_;
    // precision = L L' with L = [sqrt(D) 0; C'/sqrt(D)  chol(S)]: adding L'^-1 z to the mean gives the right
    // covariance.
    const auto lower = work.corner.triangularView<Eigen::Lower>();
    lower.solveInPlace(work.right);
    for (int c = 0; c < rest_; ++c) work.right[c] += normals[begin + exclusive + index(c)];
    work.corner.transpose().triangularView<Eigen::Upper>().solveInPlace(work.right);
    for (int c = 0; c < rest_; ++c) w[begin + exclusive + index(c)] = work.right[c];
    for (std::size_t r = 0; r < exclusive; ++r) {
      double value = scale * sums.right[r];
      const double* row = sums.coupling.data() + r * index(rest_);
      for (int c = 0; c < rest_; ++c) value -= scale * row[c] * work.right[c];
      w[begin + r] = value * work.inverse[r] + normals[begin + r] * std::sqrt(work.inverse[r]);
    }
  }
}

void NormalEquations::least_norm(Block& sums, std::span<double> w) {
  const int exclusive = structure_.exclusive, width = structure_.width;
  Matrix full = Matrix::Zero(width, width);
  for (int r = 0; r < exclusive; ++r) {
    full(r, r) = sums.diagonal[index(r)];
    for (int c = 0; c < rest_; ++c)
      full(r, exclusive + c) = full(exclusive + c, r) = sums.coupling[index(r * rest_ + c)];
  }
  for (int c = 0; c < rest_; ++c)
    for (int r = c; r < rest_; ++r)
      full(exclusive + r, exclusive + c) = full(exclusive + c, exclusive + r) = sums.corner[index(c * rest_ + r)];
  const Eigen::Map<const Vector> right(sums.right.data(), width);
  Eigen::Map<Vector>(w.data(), width) = Eigen::CompleteOrthogonalDecomposition<Matrix>(full).solve(right);
}

}  // namespace politex::inline solvers
