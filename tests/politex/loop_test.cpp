#include "politex/politex/loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "small_loops.hpp"

namespace politex {
namespace {

using test::make_loop;
using test::SmallRun;

TEST(Loop, BothPathsCollectTheSameTransitionsForTheSamePolicy) {
  for (const FiniteModel& model : test::some_models()) {
    const FiniteWorld world(model);
    const Features features = test::features_of(model);
    PolicyTable explorer(world.states(), world.actions());
    FiniteCollector fast(world, features, explorer, 9);
    GenericCollector<FiniteWorld, FiniteMap> general(
        world, FiniteMap(features), [&](int x, Rng& rng) { return explorer.sample(x, rng); }, 9);
    std::vector<double> weights(static_cast<std::size_t>(features.dimension()));
    Rng rng{3};
    for (int phase = 0; phase < 20; ++phase) {
      for (double& weight : weights) weight = rng.normal();
      const Rule rule = phase % 4 == 3 ? Rule::greedy(0.1) : Rule::boltzmann(0.5);
      fast.follow(rule, weights);
      general.follow(rule, weights);
      const Phase a = fast.collect({3, 5, 1, 20}, 78), b = general.collect({3, 5, 1, 20}, 78);
      ASSERT_TRUE(std::ranges::equal(a.model_pairs, b.model_pairs)) << model.name << " phase " << phase;
      ASSERT_TRUE(std::ranges::equal(a.costs, b.costs));
      ASSERT_EQ(a.last_state, b.last_state);
    }
  }
}

TEST(Loop, BothPathsEstimateTheSameWeights) {
  for (const FiniteModel& model : test::some_models())
    for (const char* algorithm : test::every_algorithm) {
      // One phase of learning: afterwards policies may differ in the last bit, and the paths part.
      SmallRun setup{.model = model, .algorithm = algorithm, .steps = 68};
      const auto fast = make_loop(setup);
      setup.compiled = false;
      const auto general = make_loop(setup);
      const Phase a = fast->advance(), b = general->advance();
      ASSERT_TRUE(std::ranges::equal(a.model_pairs, b.model_pairs)) << algorithm;
      const auto one = fast->learner().weights(), other = general->learner().weights();
      for (std::size_t k = 0; k < one.size(); ++k) ASSERT_NEAR(one[k], other[k], 1e-10) << algorithm << " weight " << k;
    }
}

TEST(Loop, ReadsLikeAlgorithmOne) {
  SmallRun setup{.algorithm = "ee_every"};
  const auto loop = make_loop(setup);
  int state = 0;
  while (!loop->done()) {
    const std::int64_t before = loop->steps_done();
    const Phase phase = loop->advance();
    // The state carries on across rollouts and phases: no resets, ever.
    for (std::size_t t = 0; t < phase.pairs.size(); ++t) {
      ASSERT_EQ(phase.pairs[t] / 2, state);
      state = setup.model.next[static_cast<std::size_t>(phase.pairs[t])];
      const auto within = static_cast<std::int64_t>(t) % phase.lengths.rollout();
      if (within < phase.lengths.explore) {
        ASSERT_EQ(phase.pairs[t] % 2, 1);
      }
    }
    ASSERT_EQ(phase.last_state, state);
    ASSERT_EQ(loop->steps_done() - before, static_cast<std::int64_t>(phase.pairs.size()));
  }
  EXPECT_EQ(loop->steps_done(), setup.steps);
  EXPECT_EQ(loop->costs().all().steps, setup.steps);
}

TEST(Loop, TheLastPartialPhaseIsPlayedNotLearnedFrom) {
  SmallRun setup{.algorithm = "ee_every", .steps = 68 + 30};
  const auto loop = make_loop(setup);
  loop->advance();
  const std::vector<double> weights(loop->learner().weights().begin(), loop->learner().weights().end());
  loop->advance();
  EXPECT_TRUE(loop->done());
  EXPECT_TRUE(std::ranges::equal(weights, loop->learner().weights()));
  EXPECT_EQ(loop->costs().all().steps, 98);
}

TEST(Loop, PolicyIsTheSumOfAllQs) {
  SmallRun setup{.algorithm = "ee_every"};
  const auto loop = make_loop(setup);
  std::vector<double> sum(loop->learner().weights().size(), 0.0);
  while (!loop->done()) {
    loop->advance();
    if (loop->done()) break;
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += loop->learner().newest()[k];
    ASSERT_TRUE(std::ranges::equal(sum, loop->learner().weights()));
  }
}

TEST(Loop, CostsAreTaggedAndTheLastTenthIsExact) {
  for (const std::int64_t steps : {10, 11, 99, 1000, 4999}) {
    SmallRun setup{.algorithm = "ee_every", .steps = steps};
    const auto loop = make_loop(setup);
    std::vector<double> costs;
    std::array<double, 3> by{};
    while (!loop->done()) {
      const Phase phase = loop->advance();
      for (std::size_t t = 0; t < phase.costs.size(); ++t) {
        const auto within = static_cast<std::int64_t>(t) % phase.lengths.rollout();
        by[within < phase.lengths.explore ? 0 : within == phase.lengths.explore ? 1 : 2] += phase.costs[t];
        costs.push_back(phase.costs[t]);
      }
    }
    // DeepSea's costs are whole numbers: sums are exact.
    for (const By who : {By::explorer, By::probe, By::target})
      EXPECT_EQ(loop->costs().part(who).cost, by[static_cast<std::size_t>(who)]);
    double tenth = 0.0;
    const auto last = static_cast<std::size_t>((steps + 9) / 10);
    for (std::size_t t = costs.size() - last; t < costs.size(); ++t) tenth += costs[t];
    EXPECT_EQ(loop->costs().last_tenth().cost, tenth);
    EXPECT_EQ(loop->costs().last_tenth().steps, static_cast<std::int64_t>(last));
  }
}

TEST(Loop, SavedAndRestoredItGoesOnWithTheSameBits) {
  for (const bool compiled : {true, false})
    for (const char* algorithm : test::every_algorithm) {
      const SmallRun setup{
          .model = test::some_models()[2], .algorithm = algorithm, .steps = 1500, .compiled = compiled};
      const auto whole = make_loop(setup);
      while (!whole->done()) whole->advance();
      auto part = make_loop(setup);
      for (int phase = 0; phase < 22; ++phase) {
        if (phase % 5 == 4) {
          ByteWriter to;
          part->save(to);
          part = make_loop(setup);
          ByteReader from{to.bytes()};
          part->restore(from);
          EXPECT_TRUE(from.empty());
        }
        part->advance();
      }
      while (!part->done()) part->advance();
      EXPECT_EQ(part->signature().text(), whole->signature().text()) << algorithm << compiled;
      EXPECT_EQ(part->costs().all().cost, whole->costs().all().cost);
    }
}

TEST(Loop, TheSignatureTellsSeedsAndAlgorithmsApart) {
  std::vector<std::string> seen;
  for (const char* algorithm : test::every_algorithm)
    for (std::uint64_t seed : {1, 2}) {
      const auto loop = make_loop({.algorithm = algorithm, .steps = 500, .seed = seed});
      while (!loop->done()) loop->advance();
      seen.push_back(loop->signature().text());
      const auto again = make_loop({.algorithm = algorithm, .steps = 500, .seed = seed});
      while (!again->done()) again->advance();
      EXPECT_EQ(again->signature().text(), seen.back());
    }
  std::ranges::sort(seen);
  EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
}

// A world that turns bad in the middle.
struct Souring {
  using State = int;
  int actions() const { return 2; }
  State start(Rng&) const { return 0; }
  Step step(State& s, Action, Rng&) const {
    ++s;
    return {.cost = s == 137 ? std::nan("") : 1.0, .restarted = false};
  }
};
struct Constant {
  int columns() const { return 1; }
  int exclusive() const { return 1; }
  bool replicated() const { return true; }
  void append(int, SparseRows& into) const {
    into.append(0, 1.0);
    into.end_row();
  }
};

TEST(Loop, ANanCostIsNamedWithItsStep) {
  auto collector = std::make_unique<GenericCollector<Souring, Constant>>(
      Souring{}, Constant{}, [](int, Rng&) { return 0; }, 1);
  const FeatureStructure structure = collector->structure();
  auto learner = std::make_unique<PolitexLearner>(Lsmc({}, structure), structure, PolitexLearner::StepSize{}, 2, 1.0);
  Loop loop(std::move(collector), std::move(learner),
            Schedule({.kind = ScheduleOptions::Kind::fixed, .steps = 1000, .explores = true, .fixed = {2, 3, 1, 6}}),
            1000);
  try {
    while (!loop.done()) loop.advance();
    ADD_FAILURE() << "it went on";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("nan at step 137"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace politex
