#include "politex/iterative/hierarchy.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "politex/env/garnet.hpp"
#include "politex/exact/chain.hpp"
#include "politex/iterative/krylov.hpp"

namespace politex {
namespace {

SparseRows moves(int states, std::uint64_t seed) {
  const FiniteModel model =
      garnet_model({.states = states, .actions = 2, .branching = std::min(states, 3), .model_seed = seed});
  return exact::chain_of(model, exact::uniform_policy(model)).rows;
}

Eigen::MatrixXd dense(const SparseRows& rows, double teleport) {
  const int n = rows.rows();
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(n, n);
  for (int x = 0; x < n; ++x)
    for (std::size_t e = 0; e < rows.indices(x).size(); ++e)
      a(x, rows.indices(x)[e]) -= (1.0 - teleport) * rows.values(x)[e];
  return a;
}

std::vector<double> numbers(int n) {
  std::vector<double> v;
  for (int x = 0; x < n; ++x) v.push_back(std::sin(x * x + 1.0));
  return v;
}

TEST(Hierarchy, FinestMatrixIsTheLeavingOne) {
  for (const double teleport : {0.0, 0.2}) {
    const SparseRows rows = moves(40, 3);
    const Eigen::MatrixXd a = dense(rows, teleport);
    const std::vector<double> v = numbers(40);
    std::vector<double> out(40), back(40);
    const MoveMatrix matrix = leaving(rows, teleport);
    matrix.multiply(v, out);
    transposed(matrix).multiply(v, back);
    const Eigen::VectorXd eigen = Eigen::Map<const Eigen::VectorXd>(v.data(), 40);
    const Eigen::VectorXd product = a * eigen, other = a.transpose() * eigen;
    for (int x = 0; x < 40; ++x) {
      EXPECT_NEAR(out[static_cast<std::size_t>(x)], product[x], 1e-14);
      EXPECT_NEAR(back[static_cast<std::size_t>(x)], other[x], 1e-14);
    }
  }
}

TEST(Hierarchy, SolvesAgreeWithDenseOnes) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    constexpr double teleport = 0.01;  // regular
    constexpr int n = 700;
    const SparseRows rows = moves(n, seed);
    const std::vector<double> right = numbers(n);
    for (const bool back : {false, true}) {
      const MoveMatrix matrix = leaving(rows, teleport);
      Hierarchy hierarchy(back ? transposed(matrix) : matrix);
      std::vector<double> x(n, 0.0);
      const KrylovResult result = solve(hierarchy, right, Residual::all, 1e-10, 1000, x);
      EXPECT_LE(result.reached, 1e-10);
      Eigen::MatrixXd a = dense(rows, teleport);
      if (back) a.transposeInPlace();
      const Eigen::VectorXd exact =
          a.partialPivLu().solve(Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(right.data(), n)));
      for (int k = 0; k < n; ++k) ASSERT_NEAR(x[static_cast<std::size_t>(k)], exact[k], 1e-8) << seed;
    }
  }
}

// States on a line are merged until a dense solution is possible; a random graph is not merged, and mixes fast.
TEST(Hierarchy, MergesWhereMovesAreLocal) {
  SparseRows line;
  line.columns = 20'000;
  for (int x = 0; x < 20'000; ++x) {
    line.append(std::max(0, x - 1), 0.5);
    line.append(std::min(19'999, x + 1), 0.5);
    line.end_row();
  }
  EXPECT_GE(Hierarchy(leaving(line, 0.0)).levels(), 4);
  EXPECT_EQ(Hierarchy(leaving(moves(20'000, 1), 0.0)).levels(), 1);
}

// Two closed classes: there is no solution, and the start is kept or improved.
TEST(Hierarchy, SingularSystemsEndWithTheBestThatWasFound) {
  SparseRows rows;
  rows.columns = 2;
  for (int x = 0; x < 2; ++x) {
    rows.append(x, 1.0);
    rows.end_row();
  }
  Hierarchy hierarchy(leaving(rows, 0.0));
  const std::vector<double> right = {0.0, 1.0};
  std::vector<double> x(2, 0.0);
  const KrylovResult result = solve(hierarchy, right, Residual::up_to_a_constant, 1e-9, 100, x);
  EXPECT_EQ(result.reached, 1.0);
  for (const double entry : x) EXPECT_TRUE(std::isfinite(entry));
}

}  // namespace
}  // namespace politex
