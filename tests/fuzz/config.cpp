// Any bytes as a configuration: rejected with a ConfigError, or a configuration whose resolved form reads back as
// itself.
// reader: src/settings/toml.cpp
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "politex/base/error.hpp"
#include "politex/run/config_io.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace politex;
  Config config;
  try {
    config = build_config(parse_toml({reinterpret_cast<const char*>(data), size}, "fuzz.toml")).config;
  } catch (const politex::ConfigError&) {
    return 0;
  }
  // Our own output must be accepted, and written the same again.
  const auto resolved = to_toml(config);
  if (to_toml(build_config(parse_toml(resolved, "resolved.toml")).config) != resolved) std::abort();
  return 0;
}
