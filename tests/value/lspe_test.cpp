// LSPE against the dense system of its definition, and against Bellman's equation where the data are exact.
#include "politex/value/lspe.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "value/recorded.hpp"

namespace politex {
namespace {

using namespace politex::testing;

/// sum psi (psi - E psi')' and sum psi (c - lambda) over the target's transitions.
struct TdSystem {
  Matrix a, gram;
  Vector b;

  explicit TdSystem(const Recorded& data) {
    const int d = data.features.dimension(), actions = data.features.actions;
    a = gram = Matrix::Zero(d, d);
    b = Vector::Zero(d);
    double total = 0.0, count = 0.0;
    for (std::size_t t = 0; t < data.pairs.size(); ++t)
      if (data.is_target(t)) {
        total += data.costs[t];
        count += 1.0;
      }
    for (std::size_t t = 0; t < data.pairs.size(); ++t) {
      if (!data.is_target(t)) continue;
      const Vector psi = dense_psi(data.features, data.pairs[t]);
      Vector next = Vector::Zero(d);
      for (int pair = data.slot_after(t) * actions; pair < (data.slot_after(t) + 1) * actions; ++pair)
        next += data.policy[static_cast<std::size_t>(pair)] * dense_psi(data.features, pair);
      a += psi * (psi - next).transpose();
      gram += psi * psi.transpose();
      b += psi * (data.costs[t] - total / count);
    }
  }
};

std::vector<double> estimate(const Recorded& data, const LspeOptions& options, std::vector<double> start) {
  Lspe lspe(options, data.features.structure());
  lspe.estimate(data.phase(), start);
  return start;
}
std::vector<double> estimate(const Recorded& data, const LspeOptions& options) {
  return estimate(data, options, std::vector<double>(static_cast<std::size_t>(data.features.dimension()), 3.0));
}

TEST(Lspe, FixedPointWithRidgeIsTheDenseSolution) {
  for (const auto& [name, data] : recorded_phases())
    for (const double ridge : {0.01, 1.0}) {
      const TdSystem system(data);
      const Matrix ridged = system.a + ridge * Matrix::Identity(system.a.rows(), system.a.cols());
      EXPECT_LT(distance(estimate(data, {.ridge = ridge}), ridged.fullPivLu().solve(system.b)), 1e-9) << name;
    }
}

TEST(Lspe, FixedPointOfLeastNormIsThePseudoInverse) {
  for (const auto& [name, data] : recorded_phases()) {
    const TdSystem system(data);
    const Eigen::JacobiSVD<Matrix> svd(system.a, Eigen::ComputeThinU | Eigen::ComputeThinV);
    EXPECT_LT(distance(estimate(data, {.solve = TdSolve::min_norm}), svd.solve(system.b)), 1e-8) << name;
  }
}

TEST(Lspe, IteratedMatchesTheExplicitIteration) {
  for (const auto& [name, data] : recorded_phases()) {
    const LspeOptions options{.iterated = true, .iterations = 7, .step = 0.4, .ridge = 0.3};
    const TdSystem system(data);
    const Matrix inverse = (system.gram + 0.3 * Matrix::Identity(system.a.rows(), system.a.cols())).inverse();
    Vector w = Vector::LinSpaced(system.b.size(), -1.0, 1.0);
    const std::vector<double> start(w.begin(), w.end());
    for (int k = 0; k < 7; ++k) w += 0.4 * inverse * (system.b - system.a * w);
    EXPECT_LT(distance(estimate(data, options, start), w), 1e-10) << name;
  }
}

TEST(Lspe, PhasesDoNotAffectEachOther) {
  const auto phases = recorded_phases();
  const Recorded &one = phases[0].second, &two = phases[2].second;
  Lspe kept({}, one.features.structure());
  std::vector<double> w(static_cast<std::size_t>(one.features.dimension()));
  kept.estimate(one.phase(), w);
  kept.estimate(two.phase(), w);
  EXPECT_EQ(w, estimate(two, {}));
}

/// A model whose actions permute the states (two permutations, each with probability 1/2), so that the stationary
/// distribution of a policy that ignores the state is uniform, and a phase with every transition in exactly its
/// expected proportion.
struct ExactPhase {
  Matrix transitions;  // pairs x states
  Vector cost;
  std::vector<double> distribution;  // of the actions
  Recorded data;

  ExactPhase(int states, int actions, std::uint64_t seed) {
    Rng rng(seed);
    FiniteModel model;
    model.states = states;
    model.actions = actions;
    data.features = tabular_features(model);
    transitions = Matrix::Zero(states * actions, states);
    cost = Vector::Zero(states * actions);
    for (Eigen::Index k = 0; k < cost.size(); ++k) cost[k] = rng.uniform();
    std::vector<int> copies;
    for (int a = 0; a < actions; ++a) copies.push_back(1 + static_cast<int>(rng.below(3)));
    const double total = std::accumulate(copies.begin(), copies.end(), 0.0);
    for (const int each : copies) distribution.push_back(each / total);
    for (int x = 0; x < states; ++x) data.policy.insert(data.policy.end(), distribution.begin(), distribution.end());
    // A rollout is one explorer step, which only shows the successor of the last target step, and one target step.
    std::vector<std::int32_t> after = {0};
    for (int a = 0; a < actions; ++a)
      for (int half = 0; half < 2; ++half) {
        std::vector<int> shuffled(static_cast<std::size_t>(states));
        std::iota(shuffled.begin(), shuffled.end(), 0);
        for (std::size_t k = shuffled.size(); k > 1; --k) std::swap(shuffled[k - 1], shuffled[rng.below(k)]);
        for (int x = 0; x < states; ++x) {
          const int pair = x * actions + a, next = shuffled[static_cast<std::size_t>(x)];
          transitions(pair, next) += 0.5;
          for (int copy = 0; copy < copies[static_cast<std::size_t>(a)]; ++copy) {
            data.pairs.insert(data.pairs.end(), {after.back() * actions, pair});
            data.costs.insert(data.costs.end(), {100.0, cost[pair]});
            after.push_back(next);
          }
        }
      }
    data.last_slot = after.back();
    data.lengths = {.rollouts = static_cast<std::int64_t>(after.size()) - 1, .explore = 1, .probe = 0, .follow = 1};
  }
};

TEST(Lspe, OnExactDataItSolvesBellmansEquation) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ExactPhase exact(7, 3, seed);
    // Q = c - lambda + H Q with nu Q = 0, nu the stationary distribution of the pairs.
    Matrix h(21, 21);
    Vector nu(21);
    for (int pair = 0; pair < 21; ++pair) {
      nu[pair] = exact.distribution[static_cast<std::size_t>(pair % 3)] / 7.0;
      for (int next = 0; next < 21; ++next)
        h(pair, next) = exact.transitions(pair, next / 3) * exact.distribution[static_cast<std::size_t>(next % 3)];
    }
    ASSERT_LT((nu.transpose() * h - nu.transpose()).cwiseAbs().maxCoeff(), 1e-14);
    const double lambda = nu.dot(exact.cost);
    const Vector q = (Matrix::Identity(21, 21) - h + Vector::Ones(21) * nu.transpose())
                         .fullPivLu()
                         .solve((exact.cost.array() - lambda).matrix());
    const auto w = estimate(exact.data, {.solve = TdSolve::min_norm});
    Vector got(21);
    for (int pair = 0; pair < 21; ++pair) got[pair] = exact.data.features.dot(pair, w);
    got.array() -= nu.dot(got);
    EXPECT_LT((got - q).cwiseAbs().maxCoeff(), 1e-10) << "seed " << seed;
  }
}

}  // namespace
}  // namespace politex
