// Where explorers go: runs are repeated and every step of the explorer is counted.
#include <cmath>
#include <numeric>

#include "politex/base/error.hpp"
#include "politex/base/pool.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/parts.hpp"
#include "politex/run/run.hpp"
#include "politex/studies/exploration/figure.hpp"
#include "politex/value/phase.hpp"

namespace politex::inline studies {
namespace {

/// Calls use(step, by) for every step that is not the target policy's.
template <class Use>
void for_each_explored(const Phase& phase, Use&& use) {
  std::size_t at = 0;
  const auto take = [&](std::int64_t steps, By by) {
    for (std::int64_t i = 0; i < steps && at < phase.pairs.size(); ++i, ++at)
      if (by != By::target) use(at, by);
  };
  if (!phase.segments.empty()) {
    for (const Segment& segment : phase.segments) take(segment.steps, segment.by);
    return;
  }
  for (std::int64_t j = 0; j < phase.lengths.rollouts; ++j) {
    take(phase.lengths.explore, By::explorer);
    take(phase.lengths.probe, By::probe);
    take(phase.lengths.follow, By::target);
  }
}

/// States that some policy reaches from the start.
std::size_t reachable_states(const FiniteModel& model) {
  if (model.teleport > 0.0) return static_cast<std::size_t>(model.states);
  std::vector<bool> seen(static_cast<std::size_t>(model.states), false);
  std::vector<int> open{model.start};
  seen[static_cast<std::size_t>(model.start)] = true;
  std::size_t count = 0;
  while (!open.empty()) {
    const int state = open.back();
    open.pop_back();
    ++count;
    const auto first = static_cast<std::size_t>(model.pair(state, 0));
    for (auto k = model.first[first]; k < model.first[first + static_cast<std::size_t>(model.actions)]; ++k) {
      const std::int32_t next = model.next[static_cast<std::size_t>(k)];
      if (model.probability[static_cast<std::size_t>(k)] == 0.0 || seen[static_cast<std::size_t>(next)]) continue;
      seen[static_cast<std::size_t>(next)] = true;
      open.push_back(next);
    }
  }
  return count;
}

}  // namespace

ExplorerWalk explorer_walk(const Config& config) {
  const FiniteModel model = make_model(config);
  const auto states = static_cast<std::size_t>(model.states);
  ExplorerWalk walk;
  walk.visits.assign(states, 0.0);
  walk.ends.assign(states, 0.0);
  const std::unique_ptr<Run> run = make_run(config, {.exact = false});
  while (!run->done()) {
    run->advance();
    const Phase* phase = run->phase();
    if (phase == nullptr) continue;
    const auto pairs = phase->model_pairs.empty() ? phase->pairs : phase->model_pairs;
    for_each_explored(*phase, [&](std::size_t step, By by) {
      const auto state = static_cast<std::size_t>(pairs[step] / model.actions);
      (by == By::probe ? walk.ends : walk.visits)[state] += 1.0;
    });
  }
  const double all = std::accumulate(walk.ends.begin(), walk.ends.end(), 0.0);
  double entropy = 0.0;
  for (const double ends : walk.ends) {
    if (ends == 0.0) continue;
    walk.covered += 1.0;
    entropy -= ends / all * std::log(ends / all);
  }
  const double reachable = static_cast<double>(reachable_states(model));
  walk.covered /= reachable;
  walk.effective = all > 0.0 ? std::exp(entropy) / reachable : 0.0;
  return walk;
}

std::vector<NamedWalk> explorer_walks(std::span<const ExplorationRun> runs, int jobs, const std::atomic<int>* stop) {
  std::vector<NamedWalk> walks;
  std::vector<Config> configs;
  for (const ExplorationRun& run : runs) {
    const bool shown = run.learner->role == SuiteLearner::Role::subject || run.learner->name == "default_uniform" ||
                       run.learner->only_action_one;
    if (!shown || run.cell.seed != first_suite_seed || !run.problem->listed()) continue;
    walks.push_back({run.problem, run.learner, {}});
    configs.push_back(config_of(run.cell));
  }
  std::vector<std::size_t> order(walks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  run_jobs(order, jobs, [&](std::size_t i) {
    if (stop != nullptr && stop->load() != 0) throw Error("stopped before its end");
    walks[i].walk = explorer_walk(configs[i]);
  });
  return walks;
}

}  // namespace politex::inline studies
