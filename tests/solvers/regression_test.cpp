// Every solver against dense least squares of the whole system, on random sparse problems, rank-deficient ones
// included.
#include "politex/solvers/regression.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>

#include "politex/base/error.hpp"

namespace politex {
namespace {

struct SparseProblem {
  FeatureStructure structure;
  SparseRows rows;  // columns of a block
  std::vector<int> blocks;
  std::vector<double> weights, targets;

  /// `period`: columns k and k + period are equal, so that the rank is at most that; 0: they are independent.
  SparseProblem(const FeatureStructure& of, int count, int entries, int period, bool indicators, std::uint64_t seed)
      : structure(of) {
    Rng rng(seed);
    rows.columns = of.width;
    for (int r = 0; r < count; ++r) {
      std::vector<std::pair<int, double>> row;
      const int distinct = period > 0 ? period : of.width;
      for (int k = 0; k < entries; ++k) {
        // One column of each of `entries` parts, so that they ascend.
        const int part = distinct / entries;
        const int column = k * part + static_cast<int>(rng.below(static_cast<std::uint64_t>(part)));
        row.emplace_back(column, indicators ? 1.0 : rng.normal());
      }
      const auto single = row;
      for (int more = period; period > 0 && more < of.width; more += period)
        for (const auto& [column, value] : single)
          if (column + more < of.width) row.emplace_back(column + more, value);
      for (const auto& [column, value] : row) rows.append(column, value);
      rows.end_row();
      blocks.push_back(static_cast<int>(rng.below(static_cast<std::uint64_t>(of.blocks))));
      weights.push_back(1.0 + static_cast<double>(rng.below(3)));
      targets.push_back(rng.normal());
    }
  }
  FeatureRow row(int r) const {
    return {blocks[static_cast<std::size_t>(r)] * structure.width, rows.indices(r), rows.values(r)};
  }
  void add_to(Regression& regression) const {
    for (int r = 0; r < rows.rows(); ++r)
      regression.add(row(r), weights[static_cast<std::size_t>(r)], targets[static_cast<std::size_t>(r)]);
  }
  Eigen::MatrixXd gram() const {
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(structure.dimension(), structure.dimension());
    for (int r = 0; r < rows.rows(); ++r) all += weights[static_cast<std::size_t>(r)] * psi(r) * psi(r).transpose();
    return all;
  }
  Eigen::VectorXd right() const {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(structure.dimension());
    for (int r = 0; r < rows.rows(); ++r) all += targets[static_cast<std::size_t>(r)] * psi(r);
    return all;
  }
  Eigen::VectorXd psi(int r) const {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(structure.dimension());
    const FeatureRow sparse = row(r);
    for (std::size_t k = 0; k < sparse.indices.size(); ++k) all[sparse.offset + sparse.indices[k]] += sparse.values[k];
    return all;
  }
  Eigen::VectorXd solution(double ridge) const {
    Eigen::MatrixXd matrix = gram();
    matrix.diagonal().array() += ridge;
    return matrix.completeOrthogonalDecomposition().solve(right());
  }
};

std::vector<SparseProblem> sparse_problems() {
  return {{{.blocks = 2, .width = 60, .exclusive = 0}, 200, 4, 0, false, 1},
          {{.blocks = 3, .width = 80, .exclusive = 20}, 300, 4, 0, true, 2},   // tiles: the columns of a part sum to 1
          {{.blocks = 1, .width = 90, .exclusive = 0}, 100, 3, 30, false, 3},  // equal columns
          {{.blocks = 2, .width = 120, .exclusive = 0}, 30, 5, 0, false, 4}};  // fewer rows than columns
}

constexpr Solver every_solver[] = {Solver::automatic, Solver::direct, Solver::sparse, Solver::dual, Solver::iterative};

double distance(std::span<const double> w, const Eigen::VectorXd& expected) {
  return (Eigen::Map<const Eigen::VectorXd>(w.data(), expected.size()) - expected).norm() / (1.0 + expected.norm());
}

TEST(Regression, EverySolverGivesTheDenseRidgeSolution) {
  for (const SparseProblem& problem : sparse_problems())
    for (const double ridge : {0.01, 3.0})
      for (const Solver solver : every_solver) {
        Regression regression(problem.structure, {.solver = solver, .tolerance = 1e-13});
        std::vector<double> w(static_cast<std::size_t>(problem.structure.dimension()), 0.5);
        for (int again = 0; again < 2; ++again) {
          regression.reset();
          problem.add_to(regression);
          regression.solve(ridge, w);
          EXPECT_LT(distance(w, problem.solution(ridge)), 1e-8) << name_of(solver) << ", ridge " << ridge;
        }
      }
}

TEST(Regression, RidgeZeroGivesTheMinimumNormSolution) {
  for (const SparseProblem& problem : sparse_problems())
    for (const Solver solver : {Solver::direct, Solver::dual, Solver::iterative}) {
      Regression regression(problem.structure, {.solver = solver, .tolerance = 1e-13});
      std::vector<double> w(static_cast<std::size_t>(problem.structure.dimension()), 7.0);
      problem.add_to(regression);
      regression.solve(0.0, w);
      EXPECT_LT(distance(w, problem.solution(0.0)), 1e-8) << name_of(solver);
    }
  Regression regression({.blocks = 1, .width = 3, .exclusive = 0}, {.solver = Solver::sparse});
  const std::vector<std::int32_t> index = {1};
  const std::vector<double> value = {1.0};
  regression.add({0, index, value}, 1.0, 1.0);
  std::vector<double> w(3);
  EXPECT_THROW(regression.solve(0.0, w), Error);
}

TEST(Regression, ColumnsWithoutRowsAreZero) {
  for (const Solver solver : {Solver::sparse, Solver::dual, Solver::iterative}) {
    Regression regression({.blocks = 2, .width = 1'000'000, .exclusive = 0}, {.solver = solver, .tolerance = 1e-13});
    const std::vector<std::int32_t> index = {999'999};
    const std::vector<double> value = {2.0};
    std::vector<double> w(2'000'000, 9.0);
    regression.add({1'000'000, index, value}, 2.0, 6.0);
    regression.solve(1.0, w);
    EXPECT_NEAR(w.back(), 12.0 / 9.0, 1e-12);
    EXPECT_EQ(std::ranges::count(w, 0.0), 1'999'999);
  }
}

TEST(Regression, AStartFarAwayDoesNotHarm) {
  // Targets that are 0, or rounding, after weights that are not.
  for (const double target : {0.0, 1e-17}) {
    Regression regression({.blocks = 1, .width = 3, .exclusive = 0}, {.solver = Solver::iterative});
    const std::vector<std::int32_t> index = {0, 2};
    const std::vector<double> value = {1.0, 3.0};
    regression.add({0, index, value}, 2.0, target);
    std::vector<double> w = {1e6, 2e6, -3e6};
    regression.solve(0.1, w);
    EXPECT_NEAR(w[0], target / 20.1, 1e-24);
    EXPECT_EQ(w[1], 0.0);
  }
}

TEST(Regression, WhatDoesNotConvergeIsAnError) {
  const SparseProblem problem = sparse_problems()[2];
  Regression regression(problem.structure, {.solver = Solver::iterative, .tolerance = 1e-12, .iterations = 2});
  problem.add_to(regression);
  std::vector<double> w(static_cast<std::size_t>(problem.structure.dimension()));
  try {
    regression.solve(0.01, w);
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("after 2 iterations the relative residual is"), std::string::npos) << text;
    EXPECT_NE(text.find("algorithm.ridge"), std::string::npos) << text;
  }
  // A target that is not a number does not converge either.
  Regression other(problem.structure, {.solver = Solver::iterative});
  other.add(problem.row(0), 1.0, std::nan(""));
  EXPECT_THROW(other.solve(0.01, w), Error);
}

// 4000 samples of 12 weights: each of the 12 means and 78 covariances is within 5 of its standard deviations, so that
// the false-alarm rate is below 90 * 6e-7 = 6e-5 (for each of three solvers).
TEST(Regression, SamplesHaveThePosteriorDistribution) {
  const SparseProblem problem({.blocks = 1, .width = 12, .exclusive = 0}, 15, 3, 6, false, 5);
  const double prior = 0.5, scale = 2.0;
  Eigen::MatrixXd precision = scale * problem.gram();
  precision.diagonal().array() += prior;
  const Eigen::MatrixXd covariance = precision.inverse();
  const Eigen::VectorXd mean = covariance * (scale * problem.right());
  constexpr int samples = 4000;
  for (const Solver solver : {Solver::sparse, Solver::dual, Solver::iterative}) {
    Regression regression(problem.structure, {.solver = solver, .tolerance = 1e-13});
    Rng rng(11);
    Eigen::VectorXd total = Eigen::VectorXd::Zero(12);
    Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(12, 12);
    std::vector<double> w(12);
    for (int k = 0; k < samples; ++k) {
      regression.reset();
      problem.add_to(regression);
      regression.sample(prior, scale, rng, w);
      const Eigen::VectorXd off = Eigen::Map<const Eigen::VectorXd>(w.data(), 12) - mean;
      total += off;
      squares += off * off.transpose();
    }
    for (int i = 0; i < 12; ++i) {
      EXPECT_LT(std::abs(total[i] / samples), 5.0 * std::sqrt(covariance(i, i) / samples)) << name_of(solver);
      for (int j = 0; j <= i; ++j) {
        const double deviation =
            std::sqrt((covariance(i, i) * covariance(j, j) + covariance(i, j) * covariance(i, j)) / samples);
        EXPECT_LT(std::abs(squares(i, j) / samples - covariance(i, j)), 5.0 * deviation) << name_of(solver);
      }
    }
  }
}

TEST(Regression, WhatDoesNotFitIntoMemoryIsRefused) {
  const FeatureStructure large{.blocks = 3, .width = 5'000'000, .exclusive = 0};
  EXPECT_NO_THROW(check_memory({}, large));
  EXPECT_THROW(check_memory({.solver = Solver::direct}, large), ConfigError);
  EXPECT_THROW(check_td_memory({.solver = Solver::direct}, large), ConfigError);
  EXPECT_THROW(check_td_memory({.solver = Solver::dual}, large), ConfigError);
  EXPECT_THROW(check_dense_memory(large, false), ConfigError);
  EXPECT_THROW(check_dense_memory(large, true), ConfigError);
}

}  // namespace
}  // namespace politex
