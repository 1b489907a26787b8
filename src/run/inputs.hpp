// The files that a run reads: they must not change before a run is resumed or a sweep is rerun.
#pragma once

#include <filesystem>
#include <string>

#include "politex/base/error.hpp"
#include "politex/run/config.hpp"

namespace politex::inline run {

/// A directory holds another run than the one that is asked for.
struct OtherRun : ConfigError {
  using ConfigError::ConfigError;
};

/// One line a file that the configuration names, with a hash of its bytes; empty where it names none. Throws
/// ConfigError where one cannot be read.
std::string inputs_text(const Config& config);

/// Throws OtherRun, naming the key and the file, where one is not what it was when the run in `directory` began, and
/// ConfigError where one cannot be read.
void check_inputs(const std::filesystem::path& directory, const Config& config);

/// Its name in the directory of a run; there is none where the run reads no file.
inline constexpr const char* inputs_file = "inputs.toml";

}  // namespace politex::inline run
