// Whether several seeds in one loop are faster than one after the other (docs/internals/decisions/011): K seeds of a
// compiled environment, each with its own streams, policy, state and learner. An item is a step of one seed:
//   step     the bare step, with a frozen policy
//   collect  a phase of it: the policy is compiled, costs are looked up
//   all      EE-Politex: the phase is learned from, too
// Before anything is timed, the pairs of every seed are compared with those of a FiniteCollector with that seed alone.
#include <benchmark/benchmark.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "politex/algorithm/finite_collector.hpp"
#include "politex/algorithm/learner.hpp"
#include "politex/algorithm/schedule.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/parts.hpp"

namespace politex {
namespace {

enum Problem { deep_sea, rooms, garnet };
enum Work { step, collect, all };

Config interleaved_config(Problem problem) {
  std::vector<std::string> overrides;
  if (problem == rooms)
    overrides = {"environment.name=rooms", "environment.size=11", "environment.slip=0.1", "features.name=tabular",
                 "explorer.name=uniform"};
  // Tables of 12 MB, which are not in the nearest caches, and phases that are long next to compiling a policy for them.
  if (problem == garnet)
    overrides = {"environment.name=garnet", "environment.states=100000", "features.name=tabular",
                 "explorer.name=uniform",   "schedule.explore=100",      "schedule.follow=20000",
                 "algorithm.horizon=100"};
  return read_config("experiments/deep_sea/tuned.toml", overrides).config;
}

/// One seed: what FiniteCollector and PhaseLoop keep.
struct InterleavedSeed {
  InterleavedSeed(const Config& config, const TableEnvironment& environment, const Features& features,
                  const LearnerParts& parts, std::uint64_t seed)
      : tables{make_explorer_table(config, environment.model()),
               PolicyTable(environment.states(), environment.actions()),
               PolicyTable(environment.states(), environment.actions())},
        streams(seed),
        transitions(seed, Use::environment),
        state(environment.start(transitions)),
        q(static_cast<std::size_t>(environment.model().pairs())),
        pairs(static_cast<std::size_t>(parts.lengths.total())),
        costs(pairs.size()),
        learner(learner_of(config).make(config.values, parts)) {
    follow(features);
  }
  void follow(const Features& features) {
    features.values(learner->weights(), q);
    tables[2].set(learner->rule(), q);
  }
  Phase phase(const Lengths& lengths, const Features& features) const {
    return {.lengths = lengths,
            .pairs = pairs,
            .costs = costs,
            .last_slot = state,
            .features = &features,
            .policy = tables[2].probabilities(),
            .model_pairs = pairs,
            .last_state = state};
  }

  std::array<PolicyTable, 3> tables;
  ActionStreams streams;
  Rng transitions;
  int state;
  std::vector<double> q;
  std::vector<std::int32_t> pairs;
  std::vector<double> costs;
  std::unique_ptr<Learner> learner;
};

/// walk() of finite_collector.cpp for K seeds in turn. Their streams are at the same position, because all take as many
/// draws.
template <int K>
void walk_together(const TableEnvironment& environment, std::vector<InterleavedSeed>& seeds, std::int64_t count, By by,
                   std::size_t at) {
  const FiniteModel& model = environment.model();
  const auto kind = static_cast<std::size_t>(by);
  std::array<std::int32_t*, K> pairs;
  std::array<int, K> state;
  for (std::size_t k = 0; k < K; ++k) {
    pairs[k] = seeds[k].pairs.data() + at;
    state[k] = seeds[k].state;
  }
  if (model.actions == 2 && model.deterministic()) {
    const std::int32_t* next = model.next.data();
    std::array<const double*, K> cumulative;
    for (std::size_t k = 0; k < K; ++k) cumulative[k] = seeds[k].tables[kind].cumulative();
    while (count > 0) {
      std::array<const std::uint64_t*, K> draws;
      std::size_t taken = 0;
      for (std::size_t k = 0; k < K; ++k) {
        const auto some = seeds[k].streams.of(by).take(count);
        draws[k] = some.data();
        taken = some.size();
      }
      for (std::size_t t = 0; t < taken; ++t)
        for (std::size_t k = 0; k < K; ++k) {
          const std::int32_t pair = 2 * state[k];
          const std::int32_t left = next[pair], right = next[pair + 1];
          const bool second = __builtin_expect_with_probability(
              uniform_bits(draws[k][t]) >= std::bit_cast<std::uint64_t>(cumulative[k][state[k]]), 1, 0.5);
          *pairs[k]++ = pair + static_cast<std::int32_t>(second);
          state[k] = second ? right : left;
        }
      count -= static_cast<std::int64_t>(taken);
    }
  } else {
    for (std::int64_t t = 0; t < count; ++t)
      for (std::size_t k = 0; k < K; ++k) {
        const std::int32_t pair = model.pair(state[k], seeds[k].tables[kind].sample(state[k], seeds[k].streams.of(by)));
        *pairs[k]++ = pair;
        state[k] = environment.successor(pair, seeds[k].transitions);
      }
  }
  for (std::size_t k = 0; k < K; ++k) seeds[k].state = state[k];
}

template <int K>
class Interleaved {
 public:
  explicit Interleaved(Problem problem)
      : config_(interleaved_config(problem)),
        environment_(make_model(config_)),
        features_(make_features(config_, environment_.model())) {
    const auto lengths = config_.read<ScheduleLengths>();
    const int size = environment_.space().size();
    parts_.structure = features_.structure();
    parts_.finite = &features_;
    parts_.actions = environment_.actions();
    parts_.size = size;
    parts_.phases = 1000.0;
    parts_.lengths = {.rollouts = lengths.rollouts,
                      .explore = lengths.explore.resolve(size),
                      .probe = 1,
                      .follow = lengths.follow.resolve(size)};
    parts_.explores = true;
    for (std::uint64_t seed = 1; seed <= K; ++seed) seeds_.emplace_back(config_, environment_, features_, parts_, seed);
  }
  std::int64_t steps() const { return K * parts_.lengths.total(); }

  void play(Work work) {
    if (work != step)
      for (InterleavedSeed& seed : seeds_) seed.follow(features_);
    std::size_t at = 0;
    for_each_segment(Part{.lengths = parts_.lengths, .steps = parts_.lengths.total()}, [&](std::int64_t count, By by) {
      walk_together<K>(environment_, seeds_, count, by, at);
      at += static_cast<std::size_t>(count);
    });
    if (work == step) return;
    const double* cost = environment_.model().cost.data();
    for (InterleavedSeed& seed : seeds_)
      for (std::size_t t = 0; t < seed.pairs.size(); ++t) seed.costs[t] = cost[seed.pairs[t]];
    if (work == all)
      for (InterleavedSeed& seed : seeds_) seed.learner->learn(seed.phase(parts_.lengths, features_));
  }

  /// Whether each seed plays the pairs that it plays alone.
  bool same_bits(int phases) {
    std::vector<FiniteCollector> alone;
    std::vector<std::unique_ptr<Learner>> learners;
    for (std::uint64_t seed = 1; seed <= K; ++seed) {
      alone.emplace_back(environment_, features_, make_explorer_table(config_, environment_.model()), seed);
      learners.push_back(learner_of(config_).make(config_.values, parts_));
    }
    for (int phase = 0; phase < phases; ++phase) {
      play(all);
      for (std::size_t k = 0; k < K; ++k) {
        alone[k].follow(learners[k]->rule(), learners[k]->weights());
        const Phase z = alone[k].collect({.lengths = parts_.lengths, .steps = parts_.lengths.total()});
        learners[k]->learn(z);
        if (!std::ranges::equal(z.pairs, seeds_[k].pairs)) return false;
      }
    }
    return true;
  }

 private:
  Config config_;
  TableEnvironment environment_;
  Features features_;
  LearnerParts parts_;
  std::vector<InterleavedSeed> seeds_;
};

template <int K>
void play_together(benchmark::State& state, Problem problem, Work work) {
  if (Interleaved<K> checked(problem); !checked.same_bits(problem == garnet ? 2 : 20)) {
    state.SkipWithError("the seeds do not play what they play alone");
    return;
  }
  Interleaved<K> seeds(problem);
  for (auto _ : state) seeds.play(work);
  state.SetItemsProcessed(state.iterations() * seeds.steps());
}

void interleave(benchmark::State& state, Problem problem, Work work) {
  switch (state.range(0)) {
    case 1:
      return play_together<1>(state, problem, work);
    case 2:
      return play_together<2>(state, problem, work);
    case 4:
      return play_together<4>(state, problem, work);
    default:
      return play_together<8>(state, problem, work);
  }
}
BENCHMARK_CAPTURE(interleave, deep_sea_step, deep_sea, step)->RangeMultiplier(2)->Range(1, 8);
BENCHMARK_CAPTURE(interleave, deep_sea_collect, deep_sea, collect)->RangeMultiplier(2)->Range(1, 8);
BENCHMARK_CAPTURE(interleave, deep_sea_all, deep_sea, all)->RangeMultiplier(2)->Range(1, 8);
BENCHMARK_CAPTURE(interleave, rooms_step, rooms, step)->RangeMultiplier(2)->Range(1, 8);
BENCHMARK_CAPTURE(interleave, rooms_collect, rooms, collect)->RangeMultiplier(2)->Range(1, 8);
BENCHMARK_CAPTURE(interleave, rooms_all, rooms, all)->RangeMultiplier(2)->Range(1, 8);
BENCHMARK_CAPTURE(interleave, garnet_step, garnet, step)->RangeMultiplier(2)->Range(1, 8);
BENCHMARK_CAPTURE(interleave, garnet_all, garnet, all)->RangeMultiplier(2)->Range(1, 8);

}  // namespace
}  // namespace politex
