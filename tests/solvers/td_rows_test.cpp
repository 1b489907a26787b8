// Temporal-difference equations by rows against the dense ones.
#include "politex/solvers/td_rows.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"
#include "politex/solvers/td_equations.hpp"

namespace politex {
namespace {

constexpr int td_width = 40;

/// Adds the transitions of a random walk on rows of three entries.
void add_transitions(TdEquations& equations, bool repeated_columns) {
  Rng rng(7);
  std::vector<std::vector<std::int32_t>> index;
  std::vector<std::vector<double>> value;
  for (int k = 0; k < 121; ++k) {
    index.emplace_back();
    value.emplace_back();
    for (int part = 0; part < 3; ++part) {
      const auto column = static_cast<std::int32_t>(part * 6 + static_cast<int>(rng.below(6)));
      index.back().push_back(column);
      value.back().push_back(repeated_columns ? 1.0 : rng.normal());
    }
    for (std::size_t part = 0; repeated_columns && part < 3; ++part) {
      index.back().push_back(index.back()[part] + 20);
      value.back().push_back(1.0);
    }
  }
  for (std::size_t k = 0; k + 1 < index.size(); ++k) {
    const FeatureRow psi{0, index[k], value[k]}, next{0, index[k + 1], value[k + 1]};
    equations.add_own(psi, 2.0);
    equations.add_next(psi, next, 1.5);
    equations.add_next(psi, psi, 0.4);
    equations.add_target(psi, rng.normal());
  }
}

TEST(TdRows, EverySolverGivesTheDenseSolution) {
  for (const auto average : {TdEquations::Average::given, TdEquations::Average::unknown})
    for (const bool repeated : {false, true}) {
      TdEquations dense(td_width, average);
      add_transitions(dense, repeated);
      std::vector<double> expected(td_width);
      const double lambda = dense.solve(TdSolve::ridge, 0.1, expected);
      for (const Solver solver : {Solver::sparse, Solver::iterative}) {
        TdEquations rows(td_width, average, {.solver = solver, .tolerance = 1e-13});
        std::vector<double> w(td_width, 0.3);
        for (int again = 0; again < 2; ++again) {
          rows.reset();
          add_transitions(rows, repeated);
          EXPECT_NEAR(rows.solve(TdSolve::ridge, 0.1, w), lambda, 1e-8) << name_of(solver);
          for (int k = 0; k < td_width; ++k)
            EXPECT_NEAR(w[static_cast<std::size_t>(k)], expected[static_cast<std::size_t>(k)], 1e-8) << name_of(solver);
        }
      }
    }
}

TEST(TdRows, WhatDoesNotConvergeIsAnError) {
  TdEquations rows(td_width, TdEquations::Average::given, {.solver = Solver::iterative, .iterations = 1});
  add_transitions(rows, false);
  std::vector<double> w(td_width);
  EXPECT_THROW(rows.solve(TdSolve::ridge, 0.1, w), Error);
}

}  // namespace
}  // namespace politex
