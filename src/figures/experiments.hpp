// The configuration files of experiments/, built into the program (cmake/embed.cmake): `politex reproduce` needs no
// other file, wherever the program is installed.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "politex/run/config.hpp"

namespace politex::inline figures {

struct Experiment {
  std::string_view name;  // "deep_sea/figure.toml"
  std::string_view text;
};

/// All of them, sorted by name.
std::span<const Experiment> experiments();

/// Files that the environments of experiments read: models and networks of queues. Sorted by name.
std::span<const Experiment> experiment_inputs();

/// The configuration of an experiment with overrides ("environment.size=10"), as `politex run` reads it. Throws
/// ConfigError as read_config() does, and where there is no such experiment.
Config read_experiment(std::string_view name, std::span<const std::string> overrides = {});
Config read_experiment(const Experiment& experiment, std::span<const std::string> overrides);

}  // namespace politex::inline figures
