// The parts of a run that a configuration names: its space, explorer and feature map.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "politex/env/finite_model.hpp"
#include "politex/env/space.hpp"
#include "politex/features/feature_map.hpp"
#include "politex/features/features.hpp"
#include "politex/policy/explorer.hpp"
#include "politex/policy/policy_table.hpp"
#include "politex/process/process_block.hpp"
#include "politex/run/config.hpp"
#include "politex/run/run_options.hpp"

namespace politex::inline run {

/// What the environment is like, where that is known before it runs.
std::optional<Space> known_space(const Config& config);

/// The tables of a finite environment. Throws ConfigError that lists the finite ones.
FiniteModel make_model(const Config& config);

/// The name of the environment for summaries and policy files: of what the caller brings, else environment.name.
std::string environment_name(const Config& config, const RunParts& parts);

/// The exploration policy; nullptr where there is none. `environment` is the name above. Throws ConfigError where it
/// does not fit the environment.
std::shared_ptr<const Explorer> make_explorer(const Config& config, const Space& space, const FiniteModel* model,
                                              std::string environment);

/// As a table over the states of a finite environment. Throws ConfigError where it is not a fixed policy.
PolicyTable make_explorer_table(const Config& config, const FiniteModel& model);

/// Throws ConfigError that lists the maps that fit.
std::unique_ptr<FeatureMap> make_feature_map(const Config& config, const Space& space, const FiniteModel* model);
/// The features of all states of a finite environment; features.basis keeps only a basis of their span.
Features make_features(const Config& config, const FiniteModel& model);
Features compile_features(const Config& config, const FeatureMap& map, const FiniteModel& model);

/// Environments first, first + 1, ... of a configuration whose environment is in other processes. Throws ConfigError.
std::unique_ptr<ProcessBlock> start_processes(const Config& config, int first, int count, int processes);

/// features.basis.
struct BasisOptions {
  bool basis = false;
};
Keys basis_keys();

/// Checks of the explorer and the features that need nothing but the configuration. Throw ConfigError.
void check_explorer(const Config& config);
void check_features(const Config& config);

}  // namespace politex::inline run
