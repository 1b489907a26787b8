// From files and overrides to a Config, and back to TOML.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/run/catalogue.hpp"
#include "politex/run/config.hpp"

namespace politex::inline run {

/// One key with its value, and where it was given: a file with its line, or the command line.
struct Assignment {
  const KnownKey* key = nullptr;
  Value value;
  std::string where;
  bool from_command_line = false;
};

/// A configuration, and warnings for the user.
struct ReadConfig {
  Config config;
  std::vector<std::string> warnings;
};

/// "key=value" as typed. Throws ConfigError: no '=', unknown key.
Assignment parse_override(std::string_view text, std::string_view table = {});

/// What the caller of make_run will do with the configuration.
struct ConfigUse {
  bool brings_environment = false;  // as in Config; keys of [environment] are refused
  bool extendable = false;          // as in RunOptions: `steps` is only the first part of the run
};

/// Later assignments win. Throws ConfigError for anything that is not accepted. A key that has no effect on the chosen
/// environment or algorithm is refused on the command line, and gives a warning in a file.
ReadConfig build_config(std::span<const Assignment> assignments, const ConfigUse& use = {});

/// The keys of a TOML text. Throws ConfigError with file, line and column.
std::vector<Assignment> parse_toml(std::string_view text, std::string_view file_name);

/// The keys of a TOML file; relative file names in it are taken from its own directory. Where there is no such file,
/// the name of a shipped experiment is accepted. Throws ConfigError.
std::vector<Assignment> read_assignments(const std::filesystem::path& file);

/// A TOML file with overrides. Throws ConfigError.
ReadConfig read_config(const std::filesystem::path& file, std::span<const std::string> overrides = {});

/// What must hold between keys; throws ConfigError naming the key. build_config calls it.
void check(const Config& config, const ConfigUse& use = {});

/// Every key that applies, `auto` replaced by what it means: read again it is the same configuration.
std::string to_toml(const Config& config);

/// The keys of solver_keys() say how equations are solved, not which: a run may resume with others, for example where
/// an iterative solver did not converge.
enum class Compared { all_keys, solver_keys, other_keys };
/// Keys whose values differ between two configurations, as "key: a, b". Empty: the same run.
std::vector<std::string> differences(const Config& a, const Config& b, Compared which = Compared::all_keys);

}  // namespace politex::inline run
