#include "politex/run/parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "politex/base/error.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/exact/excitation.hpp"
#include "politex/run/catalogue.hpp"

namespace politex::inline run {
namespace {

/// Columns are kept from left to right, so that exclusive ones stay in front.
Features basis_of(Features features) {
  const std::vector<int> columns = exact::independent_columns(features.rows);
  features.exclusive = static_cast<int>(std::ranges::lower_bound(columns, features.exclusive) - columns.begin());
  features.rows = exact::select_columns(features.rows, columns);
  features.two_indicators = false;
  return features;
}

}  // namespace

std::optional<Space> known_space(const Config& config) {
  const EnvironmentEntry& environment = environment_of(config);
  if (environment.space == nullptr) return std::nullopt;
  return environment.space(config.values);
}

FiniteModel make_model(const Config& config) {
  const EnvironmentEntry& environment = environment_of(config);
  if (environment.model != nullptr) return environment.model(config.values);
  throw ConfigError{
      "environment.name",
      fmt::format("\"{}\" is not finite; exact answers need one of {}. For other environments, the average cost of a "
                  "long run estimates a gain",
                  environment.name,
                  environments_where([](const EnvironmentEntry& one) { return one.model != nullptr; }))};
}

std::string environment_name(const Config& config, const RunParts& parts) {
  if (parts.block) return parts.block->space().name;
  return parts.model ? parts.model->name : std::string(environment_of(config).name);
}

std::shared_ptr<const Explorer> make_explorer(const Config& config, const Space& space, const FiniteModel* model,
                                              std::string environment) {
  const ExplorerEntry& entry = explorer_of(config);
  if (entry.make == nullptr) return nullptr;
  // What the caller brings is known by its space alone, whatever its name.
  if (config.brings_environment) environment.clear();
  return entry.make({.values = config.values, .space = space, .model = model, .environment = std::move(environment)});
}

PolicyTable make_explorer_table(const Config& config, const FiniteModel& model) {
  PolicyTable table(model.states, model.actions);
  const auto explorer =
      make_explorer(config, TableEnvironment(model).space(), &model, std::string(environment_of(config).name));
  if (explorer != nullptr && !explorer->compile(table))
    throw ConfigError{"explorer.name", fmt::format("\"{}\" is not a fixed policy over the states of {}",
                                                   explorer_of(config).name, model.name)};
  return table;
}

std::unique_ptr<FeatureMap> make_feature_map(const Config& config, const Space& space, const FiniteModel* model) {
  const FeaturesEntry& entry = features_of(config);
  if (!entry.fits(space, model)) {
    std::vector<std::string_view> fitting;
    for (const FeaturesEntry* one : feature_maps())
      if (one->fits(space, model)) fitting.push_back(one->name);
    throw ConfigError{
        "features.name",
        fmt::format("\"{}\" does not fit {}, whose observations are {}; accepted here: {}", entry.name, space.name,
                    space.states > 0 ? "states" : "vectors of numbers", fmt::join(fitting, ", "))};
  }
  return entry.make({.values = config.values, .space = space, .model = model});
}

Features compile_features(const Config& config, const FeatureMap& map, const FiniteModel& model) {
  Features features = features_of_states(map, model.states, model.actions);
  return config.read<BasisOptions>().basis ? basis_of(std::move(features)) : features;
}

Features make_features(const Config& config, const FiniteModel& model) {
  return compile_features(config, *make_feature_map(config, space_of(TableEnvironment(model)), &model), model);
}

std::unique_ptr<ProcessBlock> start_processes(const Config& config, int first, int count, int processes) {
  const EnvironmentEntry& environment = environment_of(config);
  if (!environment.external)
    throw ConfigError{"environment.name", fmt::format("\"{}\" is not in another process", environment.name)};
  auto block =
      environment.block(config.values, {.seed = config.seed, .first = first, .count = count, .processes = processes});
  return std::unique_ptr<ProcessBlock>(static_cast<ProcessBlock*>(block.release()));
}

Keys basis_keys() {
  return {key<&BasisOptions::basis>("features.basis",
                                    "keep only a basis of the columns' span, so that assumption A3 can hold", flag())};
}

void check_explorer(const Config& config) {
  const ExplorerEntry& explorer = explorer_of(config);
  const std::optional<Space> space = known_space(config);
  if (explorer.needs_networks && !learner_of(config).networks)
    throw ConfigError{"explorer.name",
                      fmt::format("\"{}\" learns next to networks, which {} does not have; accepted "
                                  "here: another explorer, or algorithm.name = {}",
                                  explorer.name, learner_of(config).name, learners_where([](const LearnerEntry& one) {
                                    return one.networks && one.explores;
                                  }))};
  if (explorer.check != nullptr) explorer.check(config.values, space ? &*space : nullptr);
}

void check_features(const Config& config) {
  const FeaturesEntry& features = features_of(config);
  if (features.check != nullptr) features.check(config.values);
}

}  // namespace politex::inline run
