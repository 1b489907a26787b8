#include <gtest/gtest.h>

#include <cmath>

#include "politex/base/error.hpp"
#include "politex/env/conformance.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/garnet.hpp"
#include "politex/env/river_swim.hpp"

namespace politex {
namespace {

TEST(Conformance, EveryTableEnvironment) {
  for (int n : {2, 3, 10}) EXPECT_EQ(conformance_problems(DeepSea(n)), no_problems);
  EXPECT_EQ(conformance_problems(DeepSea(7, Swap::all)), no_problems);
  EXPECT_EQ(conformance_problems(DeepSea(7, Swap::rows, 3)), no_problems);
  EXPECT_EQ(conformance_problems(RiverSwim()), no_problems);
  EXPECT_EQ(conformance_problems(TableEnvironment(garnet_model({}))), no_problems);
  EXPECT_EQ(conformance_problems(TableEnvironment(with_laziness(garnet_model({}), 0.3))), no_problems);
}

// An environment that violates one requirement at a time, to see that the suite can fail.
struct Broken {
  using State = int;
  enum class Fault { none, nan_cost, wrong_cost, wrong_outcome, extra_draw, hidden_state } fault = Fault::none;
  mutable int hidden = 0;
  int actions() const { return 2; }
  int states() const { return 3; }
  State start(Rng&) const { return 0; }
  int index(State s) const { return s; }
  State state(int i) const { return i; }
  double cost(int x, Action) const { return x; }
  void outcomes(int x, Action a, std::vector<Outcome>& into) const { into.push_back({(x + a) % 3, 1.0}); }
  Step step(State& s, Action a, Rng& rng) const {
    if (fault == Fault::extra_draw) rng.bits();
    const double paid = fault == Fault::nan_cost ? std::nan("") : fault == Fault::wrong_cost ? s + 1.0 : s;
    s = (s + (fault == Fault::wrong_outcome ? 1 - a : a)) % 3;
    if (fault == Fault::hidden_state) s = ++hidden % 3;
    return {.cost = paid, .restarted = false};
  }
};

TEST(Conformance, FindsEveryFault) {
  using Fault = Broken::Fault;
  EXPECT_EQ(conformance_problems(Broken{}), no_problems);
  for (const Fault fault :
       {Fault::nan_cost, Fault::wrong_cost, Fault::wrong_outcome, Fault::extra_draw, Fault::hidden_state})
    EXPECT_NE(conformance_problems(Broken{.fault = fault}), no_problems) << static_cast<int>(fault);
}

TEST(DeepSea, MovesAndCostsOfThePaper) {
  const DeepSea sea(4);
  Rng unused{0};
  const auto after = [&](DeepSea::State s, Action a) {
    sea.step(s, a, unused);
    return s;
  };
  EXPECT_EQ(after({1, 2}, 0), (DeepSea::State{2, 1}));
  EXPECT_EQ(after({1, 2}, 1), (DeepSea::State{2, 3}));
  EXPECT_EQ(after({3, 0}, 0), (DeepSea::State{0, 0}));
  EXPECT_EQ(after({3, 3}, 1), (DeepSea::State{0, 3}));
  for (int x = 0; x < 15; ++x) {
    EXPECT_EQ(sea.cost(x, 0), 0.0);
    EXPECT_EQ(sea.cost(x, 1), 1.0);
  }
  EXPECT_EQ(sea.cost(15, 0), -8.0);
  EXPECT_EQ(sea.cost(15, 1), -8.0);
}

TEST(DeepSea, SwapExchangesActions) {
  const DeepSea plain(5), all(5, Swap::all), rows(5, Swap::rows, 1);
  const FiniteModel a = deep_sea_model(plain), b = deep_sea_model(all), c = deep_sea_model(rows);
  int swapped_rows = 0;
  for (int x = 0; x < 25; ++x) {
    for (int action : {0, 1}) {
      EXPECT_EQ(a.next[static_cast<std::size_t>(a.pair(x, action))],
                b.next[static_cast<std::size_t>(b.pair(x, 1 - action))]);
      EXPECT_EQ(a.cost[static_cast<std::size_t>(a.pair(x, action))],
                b.cost[static_cast<std::size_t>(b.pair(x, 1 - action))]);
    }
    const bool same = a.next[static_cast<std::size_t>(a.pair(x, 0))] == c.next[static_cast<std::size_t>(c.pair(x, 0))];
    if (x % 5 == 2) swapped_rows += same ? 0 : 1;
  }
  EXPECT_GT(swapped_rows, 0);
  EXPECT_LT(swapped_rows, 5);
}

TEST(DeepSea, RefusesSizes) {
  for (int n : {-1, 0, 1, 1001}) EXPECT_THROW(DeepSea{n}, ConfigError);
}

TEST(Garnet, IsDrawnBySeedAlone) {
  const FiniteModel one = garnet_model({.model_seed = 4}), again = garnet_model({.model_seed = 4}),
                    other = garnet_model({.model_seed = 5});
  EXPECT_EQ(one.next, again.next);
  EXPECT_EQ(one.cost, again.cost);
  EXPECT_NE(one.cost, other.cost);
  EXPECT_THROW(garnet_model({.states = 3, .branching = 4}), ConfigError);
}

TEST(FiniteModel, LazinessAndTeleporting) {
  const FiniteModel slow = with_laziness(deep_sea_model(DeepSea(3)), 0.25);
  EXPECT_FALSE(slow.deterministic());
  EXPECT_EQ(slow.next[0], 0);
  EXPECT_EQ(slow.probability[0], 0.25);
  EXPECT_EQ(slow.probability[1], 0.75);
  EXPECT_EQ(slow.cost, deep_sea_model(DeepSea(3)).cost);
  EXPECT_EQ(with_teleport(with_teleport(slow, 0.5), 0.5).teleport, 0.75);
  EXPECT_THROW(with_laziness(slow, 1.0), ConfigError);
  EXPECT_THROW(with_teleport(slow, -0.1), ConfigError);
}

// 40,000 steps; each bound is 4.5 standard errors: a false alarm in fewer than 1 of 10,000 seeds.
TEST(TableEnvironment, TeleportsAndStaysWithTheirProbabilities) {
  const TableEnvironment environment(with_teleport(with_laziness(deep_sea_model(DeepSea(10)), 0.2), 0.3));
  Rng rng{5, Use::environment};
  const int steps = 40000;
  int jumped = 0, stayed = 0, from = 0;
  for (int t = 0; t < steps; ++t) {
    const int down = ((from / 10) + 1) % 10 * 10 + std::max(from % 10 - 1, 0);
    const int next = environment.successor(2 * from, rng);
    stayed += next == from ? 1 : 0;
    jumped += next != from && next != down ? 1 : 0;
    from = next;
  }
  const auto near = [&](int count, double p) {
    EXPECT_NEAR(count / double(steps), p, 4.5 * std::sqrt(p * (1 - p) / steps));
  };
  near(jumped, 0.3 * 0.98);
  near(stayed, 0.7 * 0.2 + 0.3 * 0.01);
}

}  // namespace
}  // namespace politex
