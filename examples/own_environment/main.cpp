// EE-Politex on a finite and on a continuous environment of one's own, without files or names: Algorithm 1 is a loop
// over a collector (which steps the environment) and a learner (which turns its data into the next policy).
#include <cstdint>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "heater.hpp"
#include "inventory.hpp"
#include "politex/algorithm/block_collector.hpp"
#include "politex/algorithm/finite_collector.hpp"
#include "politex/algorithm/phase_loop.hpp"
#include "politex/algorithm/politex_learner.hpp"
#include "politex/env/conformance.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/features/fourier.hpp"
#include "politex/features/tabular.hpp"
#include "politex/policy/uniform.hpp"

namespace {

constexpr std::uint64_t seed = 1;

/// Plays `steps` steps: phases of 20 rollouts, each 10 steps of the explorer, one random action, 40 of the policy.
politex::PhaseLoop play(std::unique_ptr<politex::Collector> collector, double eta, std::int64_t steps) {
  const politex::Schedule schedule({.kind = politex::ScheduleOptions::Kind::fixed,
                                    .steps = steps,
                                    .explores = true,
                                    .fixed = {.rollouts = 20, .explore = 10, .probe = 1, .follow = 40}});
  const auto structure = collector->structure();
  auto learner = std::make_unique<politex::PolitexLearner>(
      politex::Lsmc(
          {.visits = politex::Visits::every, .horizon = 20, .ridge = 0.01, .baseline = politex::Baseline::mean},
          structure),
      structure, politex::PolitexLearner::StepSize{.eta = eta}, collector->actions(), schedule.phases(0));
  politex::PhaseLoop loop(std::move(collector), std::move(learner), schedule, steps);
  while (!loop.done()) loop.advance();
  return loop;
}

double average(const politex::CostLedger::Sum& part) { return part.cost / static_cast<double>(part.steps); }

/// Finite environments are compiled to tables: the fast path, and the exact answers to judge the learner by.
bool learn_inventory() {
  constexpr int capacity = 8;
  const politex::TableEnvironment environment(politex::compile(Inventory(capacity), "inventory", capacity, 0));
  const auto features = politex::tabular_features(environment.model());
  const politex::PolicyTable explorer(environment.states(), environment.actions());  // uniformly random
  const auto loop =
      play(std::make_unique<politex::FiniteCollector>(environment, features, explorer, seed), 0.1, 1'000'000);

  std::vector<double> q(static_cast<std::size_t>(environment.model().pairs()));
  features.values(loop.learner().weights(), q);
  politex::PolicyTable learned(environment.states(), environment.actions());
  learned.set(loop.learner().rule(), q);
  const double gain = politex::exact::evaluate(environment.model(), learned.probabilities()).gain[0];
  const double best = politex::exact::optimum(environment.model()).gain[0];
  const double random = politex::exact::evaluate(environment.model(), explorer.probabilities()).gain[0];
  std::printf("inventory: cost a day while learning %.4f; of the last policy %.4f, optimal %.4f, random %.4f\n",
              average(loop.costs().all()), gain, best, random);
  return gain < best + 0.02 * (random - best);
}

/// Any other environment needs a way to see its states: here the Fourier basis of its observations.
bool learn_heater() {
  auto block = std::make_unique<politex::BlockOf<Heater>>(Heater{}, seed);
  auto features = std::make_unique<politex::Fourier>(std::vector<politex::Range>{{-1.0, 1.0}, {-1.0, 1.0}}, 5);
  auto explorer = std::make_shared<politex::UniformExplorer>(2);
  const auto loop =
      play(std::make_unique<politex::BlockCollector>(std::move(block), std::move(features), std::move(explorer), seed),
           0.5, 500'000);
  const double random = average(loop.costs().sum(politex::By::explorer));
  const double learned = average(loop.costs().sum(politex::By::target));
  std::printf("heater: cost a quarter of an hour %.3f, of random actions %.3f\n", learned, random);
  return learned < 0.7 * random;
}

/// Every promise that an environment makes, checked in one line.
template <politex::Environment E>
bool conforms(const E& environment) {
  const auto problems = politex::conformance_problems(environment);
  for (const auto& problem : problems) std::puts(problem.c_str());
  return problems.empty();
}

}  // namespace

int main() {
  if (!conforms(Inventory(8)) || !conforms(Heater{})) return 1;
  const bool good = learn_inventory() & learn_heater();
  if (!good) std::puts("a learner did worse than it should");
  return good ? 0 : 1;
}
