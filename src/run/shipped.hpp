// The files of experiments/, built into the program (cmake/embed.cmake): `politex run` and `politex reproduce` need no
// other file, wherever the program is installed.
#pragma once

#include <span>
#include <string_view>

namespace politex::inline run {

struct Experiment {
  std::string_view name;  // "deep_sea/figure.toml"
  std::string_view text;
};

/// The configuration files, sorted by name.
std::span<const Experiment> experiments();

/// Files that the environments of experiments read: models and networks of queues. Sorted by name.
std::span<const Experiment> experiment_inputs();

/// The experiment that a path means, "deep_sea/tuned.toml" or "experiments/deep_sea/tuned.toml", or nullptr.
const Experiment* find_experiment(std::string_view path);

}  // namespace politex::inline run
