// From files and overrides to a Config, and back to TOML.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "politex/lab/config.hpp"
#include "politex/lab/fields.hpp"

namespace politex::lab {

/// One "key is value" and where it was said: a file with its line, or the command line (`insisted`).
struct Assignment {
  const Field* field = nullptr;
  Value value;
  std::string where;
  bool insisted = false;
};

/// A configuration, and what the user should be told about it.
struct ReadConfig {
  Config config;
  std::vector<std::string> warnings;
};

/// "key=value" as typed. Throws ConfigError: no '=', unknown key.
Assignment parse_override(std::string_view text, std::string_view table = {});

/// Later assignments win. Throws ConfigError for anything that is not accepted. A key that has no effect on the chosen
/// environment or algorithm is refused where it was insisted on, and a warning where a file happens to hold it.
ReadConfig build_config(std::span<const Assignment> assignments);

/// What a TOML file says, relative file names taken from its own directory. Throws ConfigError.
std::vector<Assignment> read_assignments(const std::filesystem::path& file);

/// A TOML file with overrides. Relative file names in it are taken from its own directory. Throws ConfigError.
ReadConfig read_config(const std::filesystem::path& file, std::span<const std::string> overrides = {});

/// What holds between keys; throws ConfigError naming the key. build_config calls it.
void check(const Config& config);

/// Every key that applies, `auto` replaced by what it means: read again it is the same configuration.
std::string to_toml(const Config& config);

/// Keys whose values differ between two configurations, as "key: a, b". Empty: the same run.
std::vector<std::string> differences(const Config& a, const Config& b);

}  // namespace politex::lab
