#include "politex/lab/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "politex/base/error.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/finite_mdp.hpp"
#include "politex/env/garnet.hpp"
#include "politex/env/river_swim.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/excitation.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/policy/policy_file.hpp"

namespace politex::lab {
namespace {

FiniteModel bare_model(const EnvironmentConfig& config) {
  const auto size = static_cast<int>(config.size);
  if (config.name == "deep_sea") {
    const Swap swap = config.swap == "all" ? Swap::all : config.swap == "rows" ? Swap::rows : Swap::none;
    return deep_sea_model(DeepSea(size, swap, config.model_seed));
  }
  if (config.name == "river_swim") return compile(RiverSwim(size), "river_swim", size, 0);
  if (config.name == "garnet")
    return garnet_model({.states = static_cast<int>(config.states),
                         .actions = static_cast<int>(config.actions),
                         .branching = static_cast<int>(config.branching),
                         .model_seed = config.model_seed});
  if (config.name == "finite_mdp") {
    if (config.file.empty()) throw ConfigError{"environment.file", "is missing; accepted: the path of a JSON file"};
    return read_finite_mdp(config.file);
  }
  throw ConfigError{
      "environment.name",
      fmt::format("\"{}\" has no finite list of states, so nothing is known exactly; accepted here: deep_sea, "
                  "river_swim, garnet, finite_mdp (the average cost of a long run estimates a gain anywhere)",
                  config.name)};
}

}  // namespace

bool is_finite_environment(std::string_view name) {
  constexpr std::array finite = {"deep_sea", "river_swim", "garnet", "finite_mdp"};
  return std::ranges::find(finite, name) != finite.end();
}

FiniteModel make_model(const EnvironmentConfig& config) {
  return with_teleport(with_laziness(bare_model(config), config.lazy), config.teleport);
}

ContinuousWorld make_continuous(const EnvironmentConfig& config) {
  const auto episode = [&](std::int64_t own) { return config.episode > 0 ? config.episode : own; };
  if (config.name == "cartpole")
    return Cartpole({.height = config.height,
                     .centre = config.centre,
                     .spin = config.spin,
                     .move_cost = config.move_cost,
                     .episode = episode(1000),
                     .raised_reward = config.reward == "raised"});
  if (config.name == "cartpole_balance") return CartpoleBalance(episode(500));
  if (config.name == "mountain_car") return MountainCar(episode(200));
  if (config.name == "acrobot") return Acrobot(episode(500));
  throw ConfigError{"environment.name", fmt::format("\"{}\" is no environment of the linear learners", config.name)};
}

std::vector<Range> observation_ranges(const ContinuousWorld& world) {
  // In the units of observe(): what the worlds scale for networks is scaled here too.
  if (std::holds_alternative<Cartpole>(world)) return {{-2, 2}, {-1.5, 1.5}, {-1, 1}, {-1, 1}, {-3, 3}};
  if (std::holds_alternative<CartpoleBalance>(world)) return {{-2.4, 2.4}, {-3, 3}, {-0.21, 0.21}, {-3, 3}};
  if (std::holds_alternative<MountainCar>(world)) return {{-0.7, 1.1}, {-1, 1}};
  return {{-1, 1}, {-1, 1}, {-1, 1}, {-1, 1}, {-1, 1}, {-1, 1}};
}

namespace {

Features all_features(const FeaturesConfig& config, const FiniteModel& model) {
  if (config.name == "additive" || (config.name == "auto" && !model.axes.empty())) return additive_features(model);
  if (config.name == "tabular" || config.name == "auto") return tabular_features(model);
  if (config.name == "file") {
    if (config.file.empty()) throw ConfigError{"features.file", "is missing; accepted: the path of a JSON file"};
    return read_features(config.file, model);
  }
  throw ConfigError{"features.name", fmt::format("\"{}\" is for continuous states, and {} is finite; accepted here: "
                                                 "auto, tabular, additive, file",
                                                 config.name, model.name)};
}

/// Columns are kept from left to right, so that exclusive ones stay in front.
Features basis_of(Features features) {
  const std::vector<int> columns = exact::independent_columns(features.rows);
  features.exclusive = static_cast<int>(std::ranges::lower_bound(columns, features.exclusive) - columns.begin());
  features.rows = exact::select_columns(features.rows, columns);
  features.two_indicators = false;
  return features;
}

}  // namespace

Features make_features(const FeaturesConfig& config, const FiniteModel& model) {
  Features features = all_features(config, model);
  return config.basis ? basis_of(std::move(features)) : features;
}

PolicyTable make_explorer(const ExplorerConfig& config, const FiniteModel& model) {
  PolicyTable table(model.states, model.actions);
  if (config.name == "always") {
    if (config.action < 0 || config.action >= model.actions)
      throw ConfigError{"explorer.action", fmt::format("{} is no action of {}; accepted: 0 to {}", config.action,
                                                       model.name, model.actions - 1)};
    table.set_always(static_cast<int>(config.action));
  } else if (config.name == "optimal") {
    table.set(exact::deterministic_policy(model, exact::optimum(model).action));
  } else if (config.name == "file") {
    if (config.file.empty()) throw ConfigError{"explorer.file", "is missing; accepted: the path of a policy file"};
    table.set(read_policy("explorer.file", config.file, model.states, model.actions));
  } else if (config.name != "uniform" && config.name != "none") {
    throw ConfigError{"explorer.name",
                      fmt::format("\"{}\" is no explorer of finite environments; accepted here: none, always, uniform, "
                                  "optimal, file",
                                  config.name)};
  }
  return table;
}

}  // namespace politex::lab
