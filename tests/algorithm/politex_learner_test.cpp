#include "politex/algorithm/politex_learner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "small_loops.hpp"

namespace politex {
namespace {

TEST(PolitexLearner, PolicyIsTheSumOfAllQs) {
  test::SmallRun setup{.algorithm = "ee_every"};
  const auto loop = test::make_loop(setup);
  std::vector<double> sum(loop->learner().weights().size(), 0.0);
  while (!loop->done()) {
    loop->advance();
    if (loop->done()) break;
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += loop->learner().newest()[k];
    ASSERT_TRUE(std::ranges::equal(sum, loop->learner().weights()));
  }
}

TEST(PolitexLearner, TheStepSizeOfTheTheorem) {
  const PolitexLearner::StepSize theory{.eta = 0.0, .q_max = 20.0};
  EXPECT_DOUBLE_EQ(theory.of(100.0, 3), std::sqrt(8.0 * std::log(3.0) / 100.0) / 20.0);
  EXPECT_EQ((PolitexLearner::StepSize{.eta = 0.3, .q_max = 20.0}).of(100.0, 3), 0.3);
}

/// Runs a learner on a model and returns the probabilities of every phase's policy, with the actions played.
struct PlayedPhases {
  std::vector<std::vector<double>> policies;
  std::vector<std::vector<std::int32_t>> pairs;
};

struct Setting {
  Baseline baseline = Baseline::state;
  bool count = true;
  Combine combine = Combine::sum;
  bool tabular = false;
};

PolitexLearner learner_of(const Setting& setting, const FeatureStructure& structure, int actions) {
  return {Lsmc({.horizon = 6, .baseline = setting.baseline, .ridge_by_count = setting.count}, structure),
          structure,
          {.eta = 0.0, .q_max = 0.0, .scale_free = true},
          actions,
          1.0,
          setting.combine};
}

constexpr Lengths small_lengths{4, 3, 1, 14};

PlayedPhases play(FiniteModel model, double scale, const Setting& setting) {
  for (double& cost : model.cost) cost *= scale;
  const Features features = setting.tabular ? tabular_features(model) : test::features_of(model);
  PolitexLearner learner = learner_of(setting, features.structure(), model.actions);
  PolicyTable explorer(model.states, model.actions);
  FiniteCollector collector(TableEnvironment(model), features, explorer, 3);
  PlayedPhases played;
  for (int phase = 0; phase < 40; ++phase) {
    collector.follow(learner.rule(), learner.weights());
    const auto p = collector.target().probabilities();
    played.policies.emplace_back(p.begin(), p.end());
    const Phase z = collector.collect({.lengths = small_lengths, .steps = small_lengths.total()});
    played.pairs.emplace_back(z.pairs.begin(), z.pairs.end());
    learner.learn(z);
  }
  return played;
}

std::vector<Setting> unitless_settings() {
  return {{},
          {.baseline = Baseline::none, .count = false},
          {.baseline = Baseline::mean},
          {.combine = Combine::adaptive},
          {.baseline = Baseline::none, .count = false, .combine = Combine::adaptive}};
}

TEST(PolitexLearner, AScaleFreeStepHasNoUnitsOfCost) {
  for (const FiniteModel& model : test::some_models())
    for (const Setting& setting : unitless_settings()) {
      const PlayedPhases base = play(model, 1.0, setting);
      bool moved = false;
      for (const double p : base.policies.back()) moved = moved || std::abs(p - 1.0 / model.actions) > 0.05;
      EXPECT_TRUE(moved) << "the policy stays uniform, so this test could not fail";
      for (const double power_of_two : {1024.0, 0x1p-40}) {
        const PlayedPhases scaled = play(model, power_of_two, setting);
        EXPECT_EQ(scaled.policies, base.policies) << model.name;
        EXPECT_EQ(scaled.pairs, base.pairs) << model.name;
      }
      for (const double factor : {1000.0, 1e-3}) {
        const PlayedPhases scaled = play(model, factor, setting);
        EXPECT_EQ(scaled.pairs, base.pairs) << model.name;
        for (std::size_t i = 0; i < base.policies.size(); ++i)
          for (std::size_t k = 0; k < base.policies[i].size(); ++k)
            ASSERT_NEAR(scaled.policies[i][k], base.policies[i][k], 1e-9) << model.name << ", phase " << i;
      }
    }
}

TEST(PolitexLearner, TheScaleFreeStepIsSoloFtrlWithTheMeanSquaredRange) {
  const FiniteModel model = test::some_models()[2];
  const Features features = tabular_features(model);
  PolitexLearner learner = learner_of({}, features.structure(), model.actions);
  FiniteCollector collector(TableEnvironment(model), features, PolicyTable(model.states, model.actions), 1);
  double squares = 0.0;
  EXPECT_EQ(learner.rule().eta, 0.0);
  for (int phase = 0; phase < 5; ++phase) {
    collector.follow(learner.rule(), learner.weights());
    const Phase z = collector.collect({.lengths = small_lengths, .steps = small_lengths.total()});
    learner.learn(z);
    double mean = 0.0;
    for (const auto pair : z.pairs) {
      double low = 1e300, high = -1e300;
      for (int a = 0; a < model.actions; ++a) {
        const double q = features.dot(pair - pair % model.actions + a, learner.newest());
        low = std::min(low, q);
        high = std::max(high, q);
      }
      mean += (high - low) * (high - low) / static_cast<double>(z.pairs.size());
    }
    squares += mean;
    EXPECT_NEAR(learner.rule().eta, std::sqrt(11.0 * std::log(3.0) / squares), 1e-12 * learner.rule().eta);
    EXPECT_TRUE(learner.rule().norms.empty());
  }
}

// AAPI from its formula, with the Qs of all phases kept: exact per state where one feature is active, and with other
// features a step that is never longer.
TEST(PolitexLearner, AdaptiveIsAapi) {
  for (const FiniteModel& model : test::some_models())
    for (const bool tabular : {true, false}) {
      const Features features = tabular ? tabular_features(model) : test::features_of(model);
      PolitexLearner learner = learner_of({.combine = Combine::adaptive}, features.structure(), model.actions);
      FiniteCollector collector(TableEnvironment(model), features, PolicyTable(model.states, model.actions), 1);
      const auto actions = static_cast<std::size_t>(model.actions), states = static_cast<std::size_t>(model.states);
      std::vector<double> q(states * actions), before(q), sum(q), squares(states);
      for (int phase = 1; phase <= 6; ++phase) {
        collector.follow(learner.rule(), learner.weights());
        learner.learn(collector.collect({.lengths = small_lengths, .steps = small_lengths.total()}));
        before = q;
        features.values(learner.newest(), q);
        collector.follow(learner.rule(), learner.weights());
        for (std::size_t x = 0; x < states; ++x) {
          double mean = 0.0, largest = 0.0;
          for (std::size_t a = 0; a < actions; ++a) mean += q[x * actions + a] / static_cast<double>(actions);
          for (std::size_t a = 0; a < actions; ++a) {
            const std::size_t k = x * actions + a;
            largest = std::max(largest, std::abs(q[k] - (phase == 1 ? mean : before[k])));
            sum[k] += q[k];
          }
          squares[x] += largest * largest;
          const double norm = std::sqrt(2.0 * squares[x]);
          const double bound = features.norm(static_cast<int>(x), learner.rule().norms);
          ASSERT_GE(bound, norm * (1.0 - 1e-12));
          if (tabular) {
            ASSERT_LE(bound, norm * (1.0 + 1e-12));
          }
          double total = 0.0;
          std::vector<double> weight(actions, 1.0);
          for (std::size_t a = 0; a < actions; ++a) {
            const std::size_t k = x * actions + a;
            if (bound > 0.0) weight[a] = std::exp(-(sum[k] + q[k]) / bound);
            total += weight[a];
          }
          for (std::size_t a = 0; a < actions; ++a)
            ASSERT_NEAR(collector.target().probabilities(static_cast<int>(x))[a], weight[a] / total, 1e-10)
                << model.name << ", phase " << phase;
        }
      }
    }
}

TEST(PolitexLearner, SavedAndRestoredItContinuesWithTheSameBits) {
  const FiniteModel model = test::some_models()[2];
  const Features features = tabular_features(model);
  for (const Setting& setting : unitless_settings()) {
    PolitexLearner kept = learner_of(setting, features.structure(), model.actions);
    FiniteCollector collector(TableEnvironment(model), features, PolicyTable(model.states, model.actions), 1);
    for (int phase = 0; phase < 8; ++phase) {
      ByteWriter saved;
      kept.save(saved);
      PolitexLearner other = learner_of(setting, features.structure(), model.actions);
      ByteReader reader(saved.bytes());
      other.restore(reader);
      EXPECT_TRUE(reader.empty());
      EXPECT_EQ(other.rule().eta, kept.rule().eta);
      ASSERT_TRUE(std::ranges::equal(other.rule().norms, kept.rule().norms));
      ASSERT_TRUE(std::ranges::equal(other.weights(), kept.weights()));
      collector.follow(kept.rule(), kept.weights());
      const Phase z = collector.collect({.lengths = small_lengths, .steps = small_lengths.total()});
      kept.learn(z);
      other.learn(z);
      ASSERT_TRUE(std::ranges::equal(other.weights(), kept.weights()));
      EXPECT_EQ(other.rule().eta, kept.rule().eta);
    }
  }
}

TEST(PolitexLearner, SavedWeightsOfOtherFeaturesAreRefused) {
  const Features small = tabular_features(deep_sea_model(DeepSea(3))),
                 large = tabular_features(deep_sea_model(DeepSea(4)));
  for (const Setting& setting : unitless_settings()) {
    ByteWriter saved;
    learner_of(setting, small.structure(), 2).save(saved);
    PolitexLearner other = learner_of(setting, large.structure(), 2);
    ByteReader reader(saved.bytes());
    EXPECT_THROW(other.restore(reader), Error);
  }
}

TEST(PolitexLearner, RestartForgetsTheSumAndTakesTheNewNumberOfPhases) {
  const FiniteModel model = deep_sea_model(DeepSea(4));
  const Features features = test::features_of(model);
  const PolitexLearner::StepSize step_size{.eta = 0.0, .q_max = 10.0};
  PolitexLearner learner(Lsmc({}, features.structure()), features.structure(), step_size, 2, 4.0);
  FiniteCollector collector(TableEnvironment(model), features, PolicyTable(16, 2), 1);
  const Lengths lengths{2, 1, 1, 8};
  collector.follow(learner.rule(), learner.weights());
  learner.learn(collector.collect({.lengths = lengths, .steps = lengths.total()}));
  EXPECT_FALSE(std::ranges::all_of(learner.weights(), [](double weight) { return weight == 0.0; }));
  learner.restart(16.0);
  EXPECT_TRUE(std::ranges::all_of(learner.weights(), [](double weight) { return weight == 0.0; }));
  EXPECT_TRUE(std::ranges::all_of(learner.newest(), [](double weight) { return weight == 0.0; }));
  ByteWriter restarted, made;
  learner.save(restarted);
  PolitexLearner(Lsmc({}, features.structure()), features.structure(), step_size, 2, 16.0).save(made);
  EXPECT_EQ(restarted.bytes(), made.bytes());
}

}  // namespace
}  // namespace politex
