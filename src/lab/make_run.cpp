// From a configuration to its run: a finite world with exact answers beside it, a continuous one, or a neural learner.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/lab/catalogue.hpp"
#include "politex/lab/goal_run.hpp"
#include "politex/lab/linear_run.hpp"
#include "politex/lab/neural_run.hpp"
#include "politex/lab/outside_run.hpp"
#include "politex/lab/process_environment.hpp"
#include "politex/politex/generic_collector.hpp"

namespace politex::lab {
namespace {

/// How many policies are evaluated exactly where exact.every is 0: enough for the terms, little beside the run.
constexpr std::int64_t evaluations_by_default = 100;
/// Beyond this many states a run goes on without exact answers, and says so.
constexpr int most_states_for_exact = 200'000;

template <class World, class Basis>
std::unique_ptr<Run> continuous_run(const Config& config, const World& world, Basis basis, bool extendable) {
  const ScheduleOptions lengths = schedule_options(config, 0);
  const Schedule schedule(lengths);
  std::vector<std::string> warnings = find_warnings(config, lengths, schedule, 0);
  if (config.algorithm.name == "rlsvi" || config.algorithm.name == "lspi")
    warnings.push_back(fmt::format("states are not finite: {} keeps the last {} transitions (algorithm.buffer)",
                                   config.algorithm.name, config.algorithm.buffer));
  if (config.exact.every > 0)
    warnings.push_back(fmt::format(
        "exact.every has no effect: the states of {} are not finite, so no gain is known exactly; average_cost "
        "of a long run estimates it",
        config.environment.name));
  using Map = Observed<World, Basis>;
  const Map map(world, std::move(basis));
  const int actions = world.actions();
  if (explores(config) && config.explorer.name == "always" && config.explorer.action >= actions)
    throw ConfigError{"explorer.action",
                      fmt::format("{} is no action; accepted: 0 to {}", config.explorer.action, actions - 1)};
  typename GenericCollector<World, Map>::Explorer explorer;
  if (config.explorer.name == "always")
    explorer = [action = static_cast<Action>(config.explorer.action)](const auto&, Rng&) { return action; };
  else if (config.explorer.name == "uniform" || config.explorer.name == "none" || !explores(config))
    explorer = [actions](const auto&, Rng& rng) {
      return static_cast<Action>(rng.below(static_cast<unsigned>(actions)));
    };
  else
    throw ConfigError{"explorer.name", fmt::format("\"{}\" needs finite states; accepted here: none, always, uniform",
                                                   config.explorer.name)};
  auto collector = std::make_unique<GenericCollector<World, Map>>(world, map, std::move(explorer), config.seed);
  Features start = features_at(map, collector->state(), actions);
  auto run = std::make_unique<LinearRun>(
      config, make_loop(config, std::move(collector), schedule, 0, std::move(start), nullptr), std::move(warnings),
      "generic");
  if (extendable) run->make_extendable();
  return run;
}

std::unique_ptr<Run> continuous_run(const Config& config, bool extendable) {
  if (config.algorithm.path == "compiled")
    throw ConfigError{"algorithm.path", "\"compiled\" needs finite states; accepted here: auto, generic"};
  const ContinuousWorld world = make_continuous(config.environment);
  std::vector<Range> ranges = observation_ranges(world);
  const FeaturesConfig& features = config.features;
  if (features.name != "tiles" && features.name != "fourier" && features.name != "auto")
    throw ConfigError{"features.name",
                      fmt::format("\"{}\" needs finite states; accepted here: auto, tiles, fourier", features.name)};
  return std::visit(
      [&](const auto& chosen) -> std::unique_ptr<Run> {
        if (features.name == "tiles")
          return continuous_run(config, chosen, Tiles(std::move(ranges), features.tilings, features.tiles), extendable);
        if (features.coupling > 0)
          return continuous_run(config, chosen,
                                SparseFourier(std::move(ranges), features.order, features.coupling == 2), extendable);
        return continuous_run(config, chosen, Fourier(std::move(ranges), features.order), extendable);
      },
      world);
}

std::unique_ptr<Run> process_run(const Config& config, bool extendable) {
  auto block = make_process_block(config.environment, config.seed, 0, 1, 1);
  for (const Range& range : block->space().ranges)
    if (!std::isfinite(range.low) || !std::isfinite(range.high))
      throw ConfigError{"environment", fmt::format("the server of {} gives no finite range for every number of an "
                                                   "observation, and features need one (its lines low and high)",
                                                   block->space().name)};
  return make_outside_run(config, std::move(block), {.extendable = extendable});
}

}  // namespace

std::unique_ptr<Run> make_finite_run(const Config& config, FiniteModel finite_model, const RunOptions& options) {
  auto world = std::make_unique<FiniteWorld>(std::move(finite_model));
  const FiniteModel& model = world->model();
  const Features features = make_features(config.features, model);
  const ScheduleOptions lengths = schedule_options(config, model.size);
  const Schedule schedule(lengths);
  std::vector<std::string> warnings = find_warnings(config, lengths, schedule, model.size);
  const PolicyTable explorer =
      explores(config) ? make_explorer(config.explorer, model) : PolicyTable(model.states, model.actions);
  const FiniteMap map(features);
  const bool compiled = config.algorithm.path != "generic";
  std::unique_ptr<Collector> collector;
  const Features* finite = nullptr;
  const PolicyTable* acting = nullptr;
  if (compiled) {
    auto made = std::make_unique<FiniteCollector>(*world, features, explorer, config.seed);
    finite = &made->features();
    acting = &made->target();
    collector = std::move(made);
  } else {
    collector = std::make_unique<GenericCollector<FiniteWorld, FiniteMap>>(
        *world, map, [explorer](int state, Rng& rng) { return explorer.sample(state, rng); }, config.seed);
  }
  auto loop = make_loop(config, std::move(collector), schedule, model.size,
                        features_at(map, model.start, model.actions), finite);
  const bool exact = model.states <= most_states_for_exact;
  if (!exact)
    warnings.push_back(
        fmt::format("{} states are too many for exact answers: no gains and no regret, the limit is {}; a smaller "
                    "environment has them",
                    model.states, most_states_for_exact));
  auto run =
      std::make_unique<LinearRun>(config, std::move(loop), std::move(warnings), compiled ? "compiled" : "generic");
  if (options.extendable) run->make_extendable();
  const double phases = std::ceil(static_cast<double>(config.steps) /
                                  static_cast<double>(std::max<std::int64_t>(1, schedule.next(0).lengths.total())));
  const std::int64_t stride =
      config.exact.every > 0 ? config.exact.every
                             : std::max<std::int64_t>(1, static_cast<std::int64_t>(phases / evaluations_by_default));
  if (exact)
    run->watch(std::make_unique<ExactWatch>(
                   std::move(world), features, explorer,
                   ExactWatch::Options{.stride = stride,
                                       .regret = options.regret,
                                       .rows = config.exact.every > 0,
                                       .explores = lengths.explores && config.explorer.name != "none",
                                       .sums_q = (config.algorithm.name == "politex" || explores(config)) &&
                                                 config.schedule.kind != "doubling",
                                       .seed = config.seed}),
               acting);
  return run;
}

std::unique_ptr<Run> make_run(const Config& config, const RunOptions& options) {
  if (is_neural(config)) return make_neural_run(config);
  if (config.algorithm.name == "goals") return make_goal_run(config);
  if (is_process_environment(config.environment.name)) return process_run(config, options.extendable);
  return is_finite_environment(config.environment.name)
             ? make_finite_run(config, make_model(config.environment), options)
             : continuous_run(config, options.extendable);
}

}  // namespace politex::lab
