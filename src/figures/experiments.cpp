#include "politex/figures/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/run/config_io.hpp"

namespace politex::inline figures {

Config read_experiment(const Experiment& experiment, std::span<const std::string> overrides) {
  std::vector<Assignment> assignments = parse_toml(experiment.text, experiment.name);
  for (const std::string& text : overrides) assignments.push_back(parse_override(text));
  return build_config(assignments).config;
}

Config read_experiment(std::string_view name, std::span<const std::string> overrides) {
  const auto found = std::ranges::find(experiments(), name, &Experiment::name);
  if (found == experiments().end())
    throw ConfigError{std::string(name), "is not an experiment; `politex list experiments` shows all of them"};
  return read_experiment(*found, overrides);
}

}  // namespace politex::inline figures
