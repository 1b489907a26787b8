// Any bytes as "key=value" on the command line.
// reader: src/settings/toml.cpp
// runs: 20000 (a wrong key is compared with all known ones)
#include <cstdint>
#include <string_view>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/run/config_io.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace politex;
  try {
    const std::vector<Assignment> one = {parse_override({reinterpret_cast<const char*>(data), size})};
    build_config(one);
  } catch (const politex::ConfigError&) {
  }
  return 0;
}
