// From Python's values to configuration values.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "module.hpp"
#include "politex/run/config_io.hpp"

namespace politex::python {

/// A bool, int, float, str or path, or a NumPy scalar of such. Throws ConfigError naming the key.
Value value_of(const std::string& key, py::handle given);

/// As if it had been typed on the command line.
Assignment assignment(std::string_view key, Value value);

/// One assignment per entry of a dict, as if it had been typed on the command line; `table` as in resolve_key.
std::vector<Assignment> assignments_of(const py::dict& settings, std::string_view table = {});

/// Tables whose keys are keywords of a learner, without the table; where two have the same key, the first one's.
inline constexpr std::array<std::string_view, 9> keyword_tables = {
    "algorithm", "schedule", "features", "learner", "network", "replay", "actors", "policy", "exact"};
/// The key that a keyword of a learner means; a name that is none comes back as it is. A word that an earlier table has
/// is written with its table: "kind" is schedule.kind, "network_kind" is network.kind.
std::string full_name(const std::string& keyword);
std::string keyword_of(const Key& key);

/// The configuration of the environment `name` with these options; only keys of [environment] are taken.
Config environment_config(const std::string& name, const py::dict& options);

}  // namespace politex::python
