// Any bytes as the JSON of a finite model: rejected with a ConfigError, or a valid model.
// reader: src/tables/finite_mdp.cpp
#include <cstdint>
#include <string_view>

#include "politex/base/error.hpp"
#include "politex/tables/finite_mdp.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  politex::FiniteModel model;
  try {
    model = politex::parse_finite_mdp({reinterpret_cast<const char*>(data), size}, "fuzz.json");
  } catch (const politex::ConfigError&) {
    return 0;
  }
  politex::check(model);
  return 0;
}
