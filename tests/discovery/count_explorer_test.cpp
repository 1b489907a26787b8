// U against plain value iteration and against the enumeration of all ways, from the same transitions.
#include "politex/discovery/count_explorer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "algorithm/exploring.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/garnet.hpp"
#include "politex/features/tabular.hpp"

namespace politex {
namespace {

using test::explore;
using test::ObservedWalk;

constexpr double way = 0.99;
using ValueOfCounts = CountExplorer::Value;

/// Value iteration from a value that is too large, so that every iterate is an upper bound.
std::vector<double> iterated(const TransitionCounts& counts, ValueOfCounts kind) {
  std::vector<double> u(static_cast<std::size_t>(counts.states()), kind == ValueOfCounts::goal ? 1.0 : 100.0);
  for (int k = 0; k < 5000; ++k) {
    std::vector<double> next = u;
    for (const std::int32_t x : counts.seen()) {
      double most = 0.0;
      for (int a = 0; a < counts.actions(); ++a) {
        const std::int32_t pair = x * counts.actions() + a;
        const double own = 1.0 / (1.0 + counts.count(pair));
        double ahead = 0.0;
        for (const auto& one : counts.successors(pair))
          ahead += way * one.count / counts.count(pair) * u[static_cast<std::size_t>(one.state)];
        most = std::max(most, kind == ValueOfCounts::goal ? std::max(own, ahead) : own + ahead);
      }
      next[static_cast<std::size_t>(x)] = most;
    }
    u = next;
  }
  return u;
}

TEST(CountExplorer, PlansAsValueIterationDoes) {
  const FiniteModel model = garnet_model({.states = 8, .actions = 2, .branching = 3, .model_seed = 4});
  const Features features = tabular_features(model);
  for (const auto kind : {ValueOfCounts::goal, ValueOfCounts::sum}) {
    CountExplorer explorer(model.states, model.actions, kind);
    ObservedWalk walk(model, features, 1);
    Rng rng(1, Use::explorer);
    explore(explorer, walk, 40, 20, rng);
    for (int k = 0; k < 5000; ++k) explorer.plan(1);
    const auto u = iterated(explorer.counts(), kind);
    for (const std::int32_t x : explorer.counts().seen())
      EXPECT_NEAR(explorer.value(x), u[static_cast<std::size_t>(x)], 1e-9) << x;
  }
}

/// Without chance, U(x) of the goal is the best of 0.99^d / (1 + n) over all pairs at distance d.
TEST(CountExplorer, TheGoalIsTheBestOfAllWays) {
  const FiniteModel model = deep_sea_model(DeepSea(5));
  const Features features = tabular_features(model);
  CountExplorer explorer(model.states, model.actions);
  ObservedWalk walk(model, features, 1);
  Rng rng(2, Use::explorer);
  explore(explorer, walk, 60, 20, rng);
  for (int k = 0; k < 5000; ++k) explorer.plan(1);
  const TransitionCounts& counts = explorer.counts();
  for (const std::int32_t from : counts.seen()) {
    std::vector<int> distance(static_cast<std::size_t>(model.states), -1);
    std::deque<std::int32_t> queue{from};
    distance[static_cast<std::size_t>(from)] = 0;
    double best = 0.0;
    while (!queue.empty()) {
      const std::int32_t x = queue.front();
      queue.pop_front();
      for (std::int32_t pair = 2 * x; pair < 2 * x + 2; ++pair) {
        best = std::max(best, std::pow(way, distance[static_cast<std::size_t>(x)]) / (1.0 + counts.count(pair)));
        for (const auto& one : counts.successors(pair))
          if (int& there = distance[static_cast<std::size_t>(one.state)]; there < 0) {
            there = distance[static_cast<std::size_t>(x)] + 1;
            queue.push_back(one.state);
          }
      }
    }
    EXPECT_NEAR(explorer.value(from), best, 1e-12) << from;
  }
}

TEST(CountExplorer, UpdatesOnTheWayKeepAnUpperBound) {
  const FiniteModel model = deep_sea_model(DeepSea(5));
  const Features features = tabular_features(model);
  CountExplorer explorer(model.states, model.actions);
  ObservedWalk walk(model, features, 1);
  Rng rng(3, Use::explorer);
  for (int k = 0; k < 25; ++k) {
    explore(explorer, walk, 4, 15, rng);
    const auto u = iterated(explorer.counts(), ValueOfCounts::goal);
    for (const std::int32_t x : explorer.counts().seen())
      EXPECT_GE(explorer.value(x), u[static_cast<std::size_t>(x)] - 1e-9) << x;
  }
}

TEST(CountExplorer, TriesEveryPairThatItCanReach) {
  const FiniteModel model = deep_sea_model(DeepSea(6));
  const Features features = tabular_features(model);
  CountExplorer explorer(model.states, model.actions);
  ObservedWalk walk(model, features, 1);
  Rng rng(4, Use::explorer);
  explore(explorer, walk, 200, 50, rng);
  EXPECT_EQ(explorer.coverage().untried, 0);
  EXPECT_EQ(explorer.coverage().known, model.pairs());
}

// Cells are many states, so that more than one visit is wanted of each pair.
TEST(CountExplorer, CountsTheVisitsThatAreMissing) {
  const FiniteModel model = deep_sea_model(DeepSea(4));
  const Features features = tabular_features(model);
  CountExplorer explorer(model.states, model.actions, ValueOfCounts::goal, 3);
  CountExplorer restored(model.states, model.actions, ValueOfCounts::goal, 3);
  ObservedWalk walk(model, features, 1);
  Rng rng(4, Use::explorer);
  explore(explorer, walk, 20, 10, rng);
  const TransitionCounts& counts = explorer.counts();
  std::int64_t missing = 0;
  for (const std::int32_t state : counts.seen())
    for (int a = 0; a < model.actions; ++a)
      missing += std::max(0, 3 - static_cast<int>(counts.count(state * model.actions + a)));
  EXPECT_GT(missing, 0);
  EXPECT_EQ(explorer.coverage().untried, missing);
  EXPECT_EQ(explorer.coverage().known, 3 * counts.known_pairs());
  ByteWriter saved;
  explorer.save(saved);
  ByteReader from(saved.bytes());
  restored.restore(from);
  EXPECT_EQ(restored.coverage().untried, missing);
}

TEST(CountExplorer, StopsAtAPairThatIsWorthAsMuchAsTheWay) {
  const FiniteModel model = deep_sea_model(DeepSea(5));
  const Features features = tabular_features(model);
  CountExplorer explorer(model.states, model.actions);
  ObservedWalk walk(model, features, 1);
  Rng rng(5, Use::explorer);
  for (int k = 0; k < 300; ++k) {
    explorer.begin_phase();
    explorer.begin(walk.here(), rng);
    std::optional<Action> action;
    while ((action = explorer.act(walk.here(), rng))) explorer.observe(walk.step(*action));
    const std::int32_t here = walk.state();
    const Action probe = *explorer.probe(walk.here(), rng);
    EXPECT_NEAR(explorer.bonus(2 * here + probe), explorer.value(here), 1e-9);
    explorer.observe(walk.step(probe));
  }
}

}  // namespace
}  // namespace politex
