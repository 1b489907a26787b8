// From names in a configuration to the things themselves, one line per entry.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "politex/env/cartpole.hpp"
#include "politex/env/classic_control.hpp"
#include "politex/env/finite_model.hpp"
#include "politex/lab/config.hpp"
#include "politex/policy/policy_table.hpp"
#include "politex/value/basis.hpp"
#include "politex/value/features.hpp"

namespace politex::lab {

bool is_finite_environment(std::string_view name);

/// The tables of a finite environment, laziness and teleporting included. Throws ConfigError naming the key.
FiniteModel make_model(const EnvironmentConfig& config);

/// An environment whose states are not finite.
using ContinuousWorld = std::variant<Cartpole, CartpoleBalance, MountainCar, Acrobot>;
ContinuousWorld make_continuous(const EnvironmentConfig& config);
/// The ranges of its observations, for tiles and the Fourier basis.
std::vector<Range> observation_ranges(const ContinuousWorld& world);

/// "auto": additive where states have coordinates, else tabular.
Features make_features(const FeaturesConfig& config, const FiniteModel& model);

/// The frozen exploration policy of a finite environment ("none" is uniform and never asked).
PolicyTable make_explorer(const ExplorerConfig& config, const FiniteModel& model);

}  // namespace politex::lab
