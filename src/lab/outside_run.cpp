#include "politex/lab/outside_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "politex/base/error.hpp"
#include "politex/lab/linear_run.hpp"
#include "politex/policy/policy_file.hpp"
#include "politex/policy/policy_table.hpp"
#include "politex/value/basis.hpp"

namespace politex::lab {
namespace {

/// So many that estimating costs little beside an interpreted environment's step.
constexpr std::int64_t cheap_features = 80;

template <class Basis>
std::unique_ptr<ObservationMap> map_of(Basis basis) {
  return std::make_unique<BasisMap<Basis>>(std::move(basis));
}

/// The finest Fourier basis within the number of cheap features: of all products, then of pairs, then of none.
std::unique_ptr<ObservationMap> cheap_fourier(const OutsideSpace& space) {
  const auto n = static_cast<std::int64_t>(space.ranges.size());
  if (n <= 3) return map_of(Fourier(space.ranges, n == 3 ? 3 : 7));
  for (const std::int64_t order : {2, 1})
    if (1 + n * order + n * (n - 1) / 2 * order * order <= cheap_features)
      return map_of(SparseFourier(space.ranges, order, true));
  for (const std::int64_t order : {3, 2})
    if (1 + n * order <= cheap_features) return map_of(SparseFourier(space.ranges, order, false));
  return map_of(SparseFourier(space.ranges, 1, false));
}

OutsideExplorer named_explorer(const Config& config, const OutsideSpace& space) {
  const ExplorerConfig& explorer = config.explorer;
  const int actions = space.actions;
  if (!explores(config) || explorer.name == "uniform" || explorer.name == "none")
    return [actions](std::span<const double>, Rng& rng) {
      return static_cast<Action>(rng.below(static_cast<unsigned>(actions)));
    };
  if (explorer.name == "always") {
    if (explorer.action < 0 || explorer.action >= actions)
      throw ConfigError{"explorer.action", fmt::format("{} is no action of {}; accepted: 0 to {}", explorer.action,
                                                       space.name, actions - 1)};
    return [action = static_cast<Action>(explorer.action)](std::span<const double>, Rng&) { return action; };
  }
  if (explorer.name == "file" && space.states > 0) {
    if (explorer.file.empty()) throw ConfigError{"explorer.file", "is missing; accepted: the path of a policy file"};
    PolicyTable table(space.states, actions);
    table.set(read_policy("explorer.file", explorer.file, space.states, actions));
    return [table](std::span<const double> observation, Rng& rng) {
      return table.sample(static_cast<int>(observation[0]), rng);
    };
  }
  throw ConfigError{"explorer.name",
                    fmt::format("\"{}\" is no explorer of {}; accepted here: none, always, uniform{}, or in Python a "
                                "function or a model with predict",
                                explorer.name, space.name, space.states > 0 ? ", file" : "")};
}

}  // namespace

int outside_size(const OutsideSpace& space) {
  if (space.states > 0) return space.states;
  return space.episode > 0 ? static_cast<int>(std::min<std::int64_t>(space.episode, 1'000'000)) : 100;
}

std::unique_ptr<ObservationMap> make_observation_map(const FeaturesConfig& config, const OutsideSpace& space) {
  if (config.name == "tiles" && space.states == 0) return map_of(Tiles(space.ranges, config.tilings, config.tiles));
  if (config.name == "fourier" && space.states == 0) {
    if (config.coupling > 0) return map_of(SparseFourier(space.ranges, config.order, config.coupling == 2));
    return map_of(Fourier(space.ranges, config.order));
  }
  if ((config.name == "auto" || config.name == "tabular") && space.states > 0) return tabular_map(space.states);
  if (config.name == "auto") return cheap_fourier(space);
  throw ConfigError{"features.name",
                    fmt::format("\"{}\" does not fit {}, whose observations are {}; accepted here: {}", config.name,
                                space.name, space.states > 0 ? "states" : "vectors of numbers",
                                space.states > 0 ? "auto, tabular" : "auto, tiles, fourier")};
}

std::unique_ptr<Run> make_outside_run(const Config& config, std::unique_ptr<OutsideBlock> block,
                                      const OutsideRunOptions& options) {
  const OutsideSpace space = block->space();
  if (block->count() != 1)
    throw ConfigError{"environment", fmt::format("{} environments of {} at once; accepted by the linear learners: one",
                                                 block->count(), space.name)};
  if (space.actions < 1 || space.ranges.empty())
    throw ConfigError{"environment", fmt::format("{} has no actions or shows nothing", space.name)};
  if (config.algorithm.path == "compiled")
    throw ConfigError{"algorithm.path", "\"compiled\" needs an environment of our own; accepted here: auto, generic"};
  const int size = outside_size(space);
  const ScheduleOptions lengths = schedule_options(config, size);
  const Schedule schedule(lengths);
  std::vector<std::string> warnings = find_warnings(config, lengths, schedule, size);
  if (config.algorithm.name == "rlsvi" || config.algorithm.name == "lspi")
    warnings.push_back(fmt::format("states are not listed: {} keeps the last {} transitions (algorithm.buffer)",
                                   config.algorithm.name, config.algorithm.buffer));
  auto map = options.observation_is_features ? identity_map(static_cast<int>(space.ranges.size()))
                                             : make_observation_map(config.features, space);
  auto explorer = options.explorer ? options.explorer : named_explorer(config, space);
  auto collector = std::make_unique<OutsideCollector>(
      std::move(block), std::move(map), std::move(explorer), config.seed,
      OutsideCollector::Options{.restart_cost = config.environment.restart_cost, .stop = options.stop});
  const OutsideCollector& told = *collector;
  Features start = collector->present();
  auto run = std::make_unique<LinearRun>(
      config, make_loop(config, std::move(collector), schedule, size, std::move(start), nullptr), std::move(warnings),
      "outside");
  run->warn_later([&told, name = space.name]() -> std::string {
    if (!told.constant_cost() || told.terminations() == 0) return {};
    return fmt::format(
        "every step of {} cost {:g}, whatever was done: an average cost cannot tell its policies apart; where an end "
        "is what to avoid or to reach, restart_cost says so",
        name, told.lowest_cost());
  });
  if (options.extendable) run->make_extendable();
  return run;
}

}  // namespace politex::lab
