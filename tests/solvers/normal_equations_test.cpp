// Ridge regression in blocks with an exclusive part, against dense solutions of the whole system.
#include "politex/solvers/normal_equations.hpp"

#include <gtest/gtest.h>

#include "politex/base/error.hpp"
#include "value/recorded.hpp"

namespace politex {
namespace {

using namespace politex::testing;

/// Random rows of a structure: in one block, at most one of the exclusive columns, any of the others.
struct System {
  FeatureStructure structure;
  std::vector<FeatureRow> rows;
  std::vector<std::vector<std::int32_t>> indices;
  std::vector<std::vector<double>> values;
  std::vector<double> weights, targets;

  System(const FeatureStructure& of, int count, double density, std::uint64_t seed) : structure(of) {
    Rng rng(seed);
    for (int r = 0; r < count; ++r) {
      auto& index = indices.emplace_back();
      auto& value = values.emplace_back();
      if (of.exclusive > 0 && rng.uniform() < 0.9)
        index.push_back(static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(of.exclusive))));
      for (int c = of.exclusive; c < of.width; ++c)
        if (rng.uniform() < density) index.push_back(c);
      for (std::size_t k = 0; k < index.size(); ++k) value.push_back(2.0 * rng.uniform() - 1.0);
      weights.push_back(static_cast<double>(1 + rng.below(4)));
      targets.push_back(10.0 * (rng.uniform() - 0.5));
    }
    for (std::size_t r = 0; r < indices.size(); ++r)
      rows.push_back(
          {static_cast<int>(rng.below(static_cast<std::uint64_t>(of.blocks))) * of.width, indices[r], values[r]});
  }
  void add_to(NormalEquations& equations) const {
    for (std::size_t r = 0; r < rows.size(); ++r) equations.add(rows[r], weights[r], targets[r]);
  }
  Vector psi(std::size_t r) const {
    Vector dense = Vector::Zero(structure.dimension());
    for (std::size_t k = 0; k < indices[r].size(); ++k) dense[rows[r].offset + indices[r][k]] = values[r][k];
    return dense;
  }
  Matrix gram() const {
    Matrix sum = Matrix::Zero(structure.dimension(), structure.dimension());
    for (std::size_t r = 0; r < rows.size(); ++r) sum += weights[r] * psi(r) * psi(r).transpose();
    return sum;
  }
  Vector right() const {
    Vector sum = Vector::Zero(structure.dimension());
    for (std::size_t r = 0; r < rows.size(); ++r) sum += targets[r] * psi(r);
    return sum;
  }
};

std::vector<System> systems() {
  std::vector<System> all;
  std::uint64_t seed = 1;
  for (const int blocks : {1, 2, 5})
    for (const auto& [width, exclusive] : std::vector<std::pair<int, int>>{{1, 0}, {1, 1}, {6, 6}, {6, 0}, {9, 4}})
      for (const double density : {0.3, 1.0})
        for (const int count : {0, 3, 80})
          all.emplace_back(FeatureStructure{.blocks = blocks, .width = width, .exclusive = exclusive}, count, density,
                           seed++);
  return all;
}

std::string describe(const System& system) {
  return fmt::format("{} blocks of {}, {} exclusive, {} rows", system.structure.blocks, system.structure.width,
                     system.structure.exclusive, system.rows.size());
}

TEST(NormalEquations, SolveMatchesTheDenseRidgeSolution) {
  for (const System& system : systems())
    for (const double ridge : {1e-6, 0.01, 3.0}) {
      NormalEquations equations(system.structure);
      system.add_to(equations);
      std::vector<double> w(static_cast<std::size_t>(system.structure.dimension()), 7.0);
      equations.solve(ridge, w);
      Matrix precision = system.gram();
      precision.diagonal().array() += ridge;
      // Ridge 1e-6 on fewer rows than columns: the condition is 1e8 at most, which leaves 8 digits.
      EXPECT_LT(distance(w, precision.fullPivLu().solve(system.right())), ridge < 1e-3 ? 1e-7 : 1e-11)
          << describe(system) << ", ridge " << ridge;
    }
}

TEST(NormalEquations, RidgeZeroGivesTheMinimumNormSolution) {
  for (const System& system : systems()) {
    NormalEquations equations(system.structure);
    system.add_to(equations);
    std::vector<double> w(static_cast<std::size_t>(system.structure.dimension()), 7.0);
    equations.solve(0.0, w);
    // The rows, each repeated by its weight: the pseudo-inverse of X and not of X'X.
    std::vector<Vector> rows;
    std::vector<double> targets;
    for (std::size_t r = 0; r < system.rows.size(); ++r)
      for (int copy = 0; copy < static_cast<int>(system.weights[r]); ++copy) {
        rows.push_back(system.psi(r));
        targets.push_back(system.targets[r] / system.weights[r]);
      }
    const Eigen::Map<const Vector> y(targets.data(), static_cast<Eigen::Index>(targets.size()));
    const Vector expected = rows.empty() ? Vector::Zero(system.structure.dimension())
                                         : ridge_regression(stack(rows, system.structure.dimension()), y, 0.0);
    EXPECT_LT(distance(w, expected), 1e-8) << describe(system);
  }
}

TEST(NormalEquations, ResetClearsTheSumsAndSolvingDoesNot) {
  const System one({.blocks = 2, .width = 9, .exclusive = 4}, 40, 0.5, 1);
  const System two({.blocks = 2, .width = 9, .exclusive = 4}, 40, 0.5, 2);
  const auto dimension = static_cast<std::size_t>(one.structure.dimension());
  NormalEquations kept(one.structure), fresh(one.structure);
  std::vector<double> first(dimension), again(dimension), after(dimension), expected(dimension);
  one.add_to(kept);
  kept.solve(0.1, first);
  kept.solve(0.1, again);
  EXPECT_EQ(first, again);
  kept.reset();
  two.add_to(kept);
  kept.solve(0.1, after);
  two.add_to(fresh);
  fresh.solve(0.1, expected);
  EXPECT_EQ(after, expected);
}

TEST(NormalEquations, SampleWithoutNoiseIsThePosteriorMean) {
  for (const System& system : systems())
    for (const double scale : {0.25, 4.0}) {
      const auto dimension = static_cast<std::size_t>(system.structure.dimension());
      NormalEquations equations(system.structure);
      system.add_to(equations);
      std::vector<double> w(dimension, 7.0);
      equations.sample(0.5, scale, std::vector<double>(dimension, 0.0), w);
      Matrix precision = scale * system.gram();
      precision.diagonal().array() += 0.5;
      EXPECT_LT(distance(w, precision.fullPivLu().solve(scale * system.right())), 1e-11) << describe(system);
    }
}

// The sample is affine in its normals, so unit vectors give the whole map M, and the covariance is M M'.
TEST(NormalEquations, SampleHasThePosteriorCovariance) {
  for (const System& system : systems())
    for (const double scale : {0.25, 4.0}) {
      const auto dimension = static_cast<std::size_t>(system.structure.dimension());
      NormalEquations equations(system.structure);
      system.add_to(equations);
      std::vector<double> mean(dimension), w(dimension), normals(dimension, 0.0);
      equations.sample(0.5, scale, normals, mean);
      Matrix map(system.structure.dimension(), system.structure.dimension());
      for (std::size_t k = 0; k < dimension; ++k) {
        normals[k] = 1.0;
        equations.sample(0.5, scale, normals, w);
        normals[k] = 0.0;
        for (std::size_t i = 0; i < dimension; ++i)
          map(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = w[i] - mean[i];
      }
      Matrix precision = scale * system.gram();
      precision.diagonal().array() += 0.5;
      const Matrix off = precision * (map * map.transpose()) - Matrix::Identity(map.rows(), map.cols());
      EXPECT_LT(off.cwiseAbs().maxCoeff(), 1e-10) << describe(system);
    }
}

TEST(NormalEquations, AnImpossibleSystemIsAnError) {
  const System system({.blocks = 1, .width = 3, .exclusive = 0}, 1, 1.0, 1);
  NormalEquations equations(system.structure);
  system.add_to(equations);
  std::vector<double> w(3);
  EXPECT_THROW(equations.solve(-1.0, w), Error);
}

}  // namespace
}  // namespace politex
