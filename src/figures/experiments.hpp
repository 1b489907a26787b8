// The configurations of figures, from the files that are built into the program (run/shipped.hpp).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "politex/run/config.hpp"
#include "politex/run/shipped.hpp"

namespace politex::inline figures {

/// The configuration of an experiment with overrides ("environment.size=10"), as `politex run` reads it. Throws
/// ConfigError as read_config() does, and where there is no such experiment.
Config read_experiment(std::string_view name, std::span<const std::string> overrides = {});
Config read_experiment(const Experiment& experiment, std::span<const std::string> overrides);

}  // namespace politex::inline figures
