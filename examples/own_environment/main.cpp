// EE-Politex on a finite and on a continuous environment of one's own, without files or names: Algorithm 1 is a loop
// over a collector (which walks through the world) and a learner (which turns its data into the next policy).
#include <cstdint>
#include <cstdio>
#include <memory>
#include <utility>

#include "heater.hpp"
#include "inventory.hpp"
#include "politex/env/conformance.hpp"
#include "politex/env/finite_world.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/politex/finite_collector.hpp"
#include "politex/politex/generic_collector.hpp"
#include "politex/politex/learner.hpp"
#include "politex/politex/loop.hpp"
#include "politex/value/basis.hpp"

namespace {

constexpr std::uint64_t seed = 1;

/// Plays `steps` steps: phases of 20 rollouts, each 10 steps of the explorer, one random action, 40 of the policy.
politex::Loop play(std::unique_ptr<politex::Collector> collector, double eta, std::int64_t steps) {
  const politex::Schedule schedule({.kind = politex::ScheduleOptions::Kind::fixed,
                                    .steps = steps,
                                    .explores = true,
                                    .fixed = {.rollouts = 20, .explore = 10, .probe = 1, .follow = 40}});
  const auto structure = collector->structure();
  auto learner = std::make_unique<politex::PolitexLearner>(
      politex::Lsmc({.visits = politex::Visits::every, .horizon = 20, .ridge = 0.01, .centre = true}, structure),
      structure, politex::PolitexLearner::StepSize{.eta = eta}, collector->actions(), schedule.phases(0));
  politex::Loop loop(std::move(collector), std::move(learner), schedule, steps);
  while (!loop.done()) loop.advance();
  return loop;
}

double average(const politex::CostLedger::Part& part) { return part.cost / static_cast<double>(part.steps); }

/// Finite worlds are compiled to tables: the fast path, and the exact answers to judge the learner by.
bool learn_inventory() {
  constexpr int capacity = 8;
  const politex::FiniteWorld world(politex::compile(Inventory(capacity), "inventory", capacity, 0));
  const auto features = politex::tabular_features(world.model());
  const politex::PolicyTable explorer(world.states(), world.actions());  // uniformly random
  const auto loop = play(std::make_unique<politex::FiniteCollector>(world, features, explorer, seed), 0.1, 1'000'000);

  std::vector<double> q(static_cast<std::size_t>(world.model().pairs()));
  features.values(loop.learner().weights(), q);
  politex::PolicyTable learned(world.states(), world.actions());
  learned.set(loop.learner().rule(), q);
  const double gain = politex::exact::evaluate(world.model(), learned.probabilities()).gain[0];
  const double best = politex::exact::optimum(world.model()).gain[0];
  const double random = politex::exact::evaluate(world.model(), explorer.probabilities()).gain[0];
  std::printf("inventory: cost a day while learning %.4f; of the last policy %.4f, optimal %.4f, random %.4f\n",
              average(loop.costs().all()), gain, best, random);
  return gain < best + 0.02 * (random - best);
}

/// Any other world needs a way to see its states: here the Fourier basis of what it lets one observe.
bool learn_heater() {
  using Map = politex::Observed<Heater, politex::Fourier>;
  const Map map(Heater{}, politex::Fourier({{-1.0, 1.0}, {-1.0, 1.0}}, 5));
  const auto uniform = [](const Heater::State&, politex::Rng& rng) {
    return static_cast<politex::Action>(rng.below(2));
  };
  const auto loop =
      play(std::make_unique<politex::GenericCollector<Heater, Map>>(Heater{}, map, uniform, seed), 0.5, 500'000);
  const double random = average(loop.costs().part(politex::By::explorer));
  const double learned = average(loop.costs().part(politex::By::target));
  std::printf("heater: cost a quarter of an hour %.3f, of random actions %.3f\n", learned, random);
  return learned < 0.7 * random;
}

/// Every promise that an environment makes, checked in one line.
template <politex::Environment World>
bool conforms(const World& world) {
  const auto problems = politex::conformance_problems(world);
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
