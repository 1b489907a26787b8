// Algorithm 1 against a second version that is written step by step, without tables, parts or phases. Equal bits.
#include "politex/algorithm/ee_politex.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "small_loops.hpp"

namespace politex {
namespace {

constexpr std::uint64_t seed = 5;
constexpr Lengths lengths{.rollouts = 3, .explore = 4, .probe = 1, .follow = 11};
constexpr int phases = 12;

/// What a run did: every pair and cost, and the sum of the Qs after every phase.
struct CallTrace {
  std::vector<std::int32_t> pairs;
  std::vector<double> costs;
  std::vector<std::vector<double>> weights;
  friend bool operator==(const CallTrace&, const CallTrace&) = default;
};

PolicyTable last_action(const FiniteModel& model) {
  PolicyTable explorer(model.states, model.actions);
  explorer.set_always(model.actions - 1);
  return explorer;
}

/// The action that `probabilities` gives for the next draw of the stream.
Action draw(std::span<const double> probabilities, Rng& rng) {
  std::vector<double> cumulative(probabilities.size() - 1);
  accumulate(probabilities, cumulative);
  return pick_action(cumulative, uniform_bits(rng));
}

/// The paper's box, line by line, on one environment.
CallTrace straightforward(const FiniteModel& model, const Features& features, const LsmcOptions& options, double eta) {
  Lsmc estimator(options, features.structure());
  const TableEnvironment environment(model);
  const auto actions = static_cast<std::size_t>(model.actions);
  Rng moves(seed, Use::environment), explorer(seed, Use::explorer), probe(seed, Use::probe), target(seed, Use::action);
  std::vector<double> sum(static_cast<std::size_t>(features.dimension()), 0.0), newest = sum;
  std::vector<double> uniform(actions, 1.0 / model.actions);
  CallTrace trace;
  int x = environment.start(moves);
  for (int i = 1; i <= phases; ++i) {
    std::vector<double> policy(static_cast<std::size_t>(model.pairs())), q(policy.size());
    features.values(sum, q);
    for (std::size_t at = 0; at < q.size(); at += actions)
      Rule::boltzmann(eta).probabilities(std::span(q).subspan(at, actions), std::span(policy).subspan(at, actions));
    std::vector<std::int32_t> pairs;
    std::vector<double> costs;
    const auto take = [&](Action a) {
      pairs.push_back(x * model.actions + a);
      costs.push_back(environment.step(x, a, moves).cost);
    };
    for (int j = 1; j <= lengths.rollouts; ++j) {
      for (int t = 0; t < lengths.explore; ++t) {
        uniform_bits(explorer);  // the explorer draws although it always takes the last action
        take(model.actions - 1);
      }
      take(draw(uniform, probe));
      for (int t = 0; t < lengths.follow; ++t)
        take(draw(std::span(policy).subspan(static_cast<std::size_t>(x) * actions, actions), target));
    }
    const Phase z{.lengths = lengths,
                  .pairs = pairs,
                  .costs = costs,
                  .last_slot = x,
                  .features = &features,
                  .policy = policy,
                  .slots_are_states = true,
                  .model_pairs = pairs,
                  .last_state = x};
    estimator.estimate(z, newest);
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += newest[k];
    trace.pairs.insert(trace.pairs.end(), pairs.begin(), pairs.end());
    trace.costs.insert(trace.costs.end(), costs.begin(), costs.end());
    trace.weights.push_back(sum);
  }
  return trace;
}

CallTrace by_play_phase(const FiniteModel& model, const Features& features, const LsmcOptions& options, double eta) {
  FiniteCollector collector(TableEnvironment(model), features, last_action(model), seed);
  PolitexLearner learner(Lsmc(options, features.structure()), features.structure(), {.eta = eta, .q_max = 0.0},
                         model.actions, phases);
  CallTrace trace;
  for (int i = 1; i <= phases; ++i) {
    const Phase z = play_phase(collector, learner, {.lengths = lengths, .steps = lengths.total()});
    trace.pairs.insert(trace.pairs.end(), z.pairs.begin(), z.pairs.end());
    trace.costs.insert(trace.costs.end(), z.costs.begin(), z.costs.end());
    trace.weights.emplace_back(learner.weights().begin(), learner.weights().end());
  }
  return trace;
}

TEST(EePolitex, PlayPhaseIsTheAlgorithmWrittenStepByStep) {
  for (const FiniteModel& model : test::some_models())
    for (const Visits visits : {Visits::one, Visits::first, Visits::every})
      for (const double eta : {0.05, 0.5}) {
        const Features features = test::features_of(model);
        const LsmcOptions options{.visits = visits, .average = Average::phase, .horizon = 0, .ridge = 0.01};
        const CallTrace expected = straightforward(model, features, options, eta);
        ASSERT_EQ(expected.pairs.size(), static_cast<std::size_t>(phases * lengths.total()));
        EXPECT_EQ(by_play_phase(model, features, options, eta), expected) << model.name << " eta " << eta;
      }
}

TEST(EePolitex, ThePhaseLoopIsARunOfPlayPhase) {
  const FiniteModel model = test::some_models()[1];
  const Features features = test::features_of(model);
  const LsmcOptions options{.ridge = 0.01};
  const CallTrace expected = by_play_phase(model, features, options, 0.1);
  const std::int64_t steps = phases * lengths.total();
  PhaseLoop loop(std::make_unique<FiniteCollector>(TableEnvironment(model), features, last_action(model), seed),
                 std::make_unique<PolitexLearner>(Lsmc(options, features.structure()), features.structure(),
                                                  PolitexLearner::StepSize{.eta = 0.1, .q_max = 0.0}, model.actions, 1),
                 Schedule({.kind = ScheduleOptions::Kind::fixed, .steps = steps, .explores = true, .fixed = lengths}),
                 steps);
  CallTrace trace;
  while (!loop.done()) {
    if (loop.phases() % 3 == 1) loop.prepare();  // an observer looks: nothing may change
    const Phase z = loop.advance();
    trace.pairs.insert(trace.pairs.end(), z.pairs.begin(), z.pairs.end());
    trace.costs.insert(trace.costs.end(), z.costs.begin(), z.costs.end());
    trace.weights.emplace_back(loop.learner().weights().begin(), loop.learner().weights().end());
  }
  EXPECT_EQ(trace, expected);
}

TEST(EePolitex, ACutPhaseIsPlayedNotLearnedFrom) {
  const FiniteModel model = deep_sea_model(DeepSea(5));
  const Features features = test::features_of(model);
  FiniteCollector collector(TableEnvironment(model), features, last_action(model), seed);
  PolitexLearner learner(Lsmc({}, features.structure()), features.structure(), {}, model.actions, 1);
  const Phase z = play_phase(collector, learner, {.lengths = lengths, .steps = lengths.total() - 1});
  EXPECT_EQ(static_cast<std::int64_t>(z.costs.size()), lengths.total() - 1);
  EXPECT_TRUE(std::ranges::all_of(learner.weights(), [](double weight) { return weight == 0.0; }));
}

}  // namespace
}  // namespace politex
