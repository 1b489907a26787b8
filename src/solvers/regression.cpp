#include "politex/solvers/regression.hpp"

#include <algorithm>
#include <cmath>

#include "politex/solvers/block_solvers.hpp"

namespace politex::inline solvers {

Regression::Regression(const FeatureStructure& structure, const SolverOptions& options)
    : structure_(structure), options_(options) {
  if (solves_densely(options, structure)) {
    dense_.emplace(structure);
    return;
  }
  blocks_.resize(static_cast<std::size_t>(structure.blocks));
  numbers_.assign(blocks_.size(), std::vector<std::int32_t>(static_cast<std::size_t>(structure.width), 0));
}

void Regression::reset() {
  if (dense_) return dense_->reset();
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    blocks_[b].release(numbers_[b]);
    blocks_[b].clear();
  }
}

void Regression::add(const FeatureRow& psi, double weight, double target) {
  if (dense_) return dense_->add(psi, weight, target);
  const auto block = static_cast<std::size_t>(psi.offset / structure_.width);
  blocks_[block].add(psi.indices, psi.values, weight, target, numbers_[block]);
}

void Regression::solve(double ridge, std::span<double> w) {
  solved_ = {};
  if (dense_) {
    solved_.count(Solver::direct, structure_.blocks);
    return dense_->solve(ridge, w);
  }
  solve_blocks(ridge, w);
}

void Regression::solve_blocks(double ridge, std::span<double> w) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const CompactRows& rows = blocks_[b];
    const auto out =
        w.subspan(b * static_cast<std::size_t>(structure_.width), static_cast<std::size_t>(structure_.width));
    unknowns_.resize(rows.unknowns());
    for (std::size_t u = 0; u < unknowns_.size(); ++u) unknowns_[u] = out[static_cast<std::size_t>(rows.columns[u])];
    const Solver solver = options_.solver == Solver::automatic ? cheapest(rows, ridge) : options_.solver;
    if (rows.rows() > 0) {
      if (solver == Solver::direct) solve_dense(rows, ridge, unknowns_);
      if (solver == Solver::sparse) solve_sparse(rows, ridge, unknowns_);
      if (solver == Solver::dual) solve_dual(rows, ridge, unknowns_);
      if (solver == Solver::iterative) solve_iteratively(rows, ridge, options_, unknowns_, solved_);
      solved_.count(solver);
    }
    std::ranges::fill(out, 0.0);
    for (std::size_t u = 0; u < unknowns_.size(); ++u) out[static_cast<std::size_t>(rows.columns[u])] = unknowns_[u];
  }
}

void Regression::sample(double prior, double scale, Rng& rng, std::span<double> w) {
  solved_ = {};
  if (dense_) {
    normals_.resize(w.size());
    for (double& normal : normals_) normal = rng.normal();
    solved_.count(Solver::direct, structure_.blocks);
    return dense_->sample(prior, scale, normals_, w);
  }
  // w = v + the minimiser of the sum over c copies of rows of (target + noise - psi.v - psi.w)^2 + prior / scale |w|^2,
  // where v is a sample of the prior and the noise has variance 1 / scale.
  normals_.resize(w.size());
  for (double& normal : normals_) normal = rng.normal() / std::sqrt(prior);
  std::vector<double> own;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    CompactRows& rows = blocks_[b];
    own.resize(rows.unknowns());
    for (std::size_t u = 0; u < own.size(); ++u)
      own[u] = normals_[b * static_cast<std::size_t>(structure_.width) + static_cast<std::size_t>(rows.columns[u])];
    for (std::size_t r = 0; r < rows.rows(); ++r)
      rows.target[r] += std::sqrt(rows.weight[r] / scale) * rng.normal() - rows.weight[r] * rows.dot(r, own);
  }
  std::ranges::fill(w, 0.0);
  solve_blocks(prior / scale, w);
  for (std::size_t k = 0; k < w.size(); ++k) w[k] += normals_[k];
}

}  // namespace politex::inline solvers
