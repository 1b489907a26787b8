// The files that a run reads: they must not change before a run is resumed or a sweep is rerun.
#pragma once

#include <filesystem>
#include <string>

#include "politex/base/error.hpp"
#include "politex/run/config.hpp"

namespace politex::inline run {

/// A directory contains another run than the requested one.
struct OtherRun : ConfigError {
  using ConfigError::ConfigError;
};

/// One line per file that the configuration names, with a hash of its bytes; empty if it names none. Throws
/// ConfigError where one cannot be read.
std::string inputs_text(const Config& config);

/// Throws OtherRun, naming the key and the file, if one has changed since the run in `directory` began, and
/// ConfigError where one cannot be read.
void check_inputs(const std::filesystem::path& directory, const Config& config);

/// Its name in the directory of a run; runs that read no file have none.
inline constexpr const char* inputs_file = "inputs.toml";

}  // namespace politex::inline run
