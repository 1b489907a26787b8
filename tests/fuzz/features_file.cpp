// Any bytes as a file of features for a model of two states and two actions.
// reader: src/features/features_file.cpp
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/features/features_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  politex::FiniteModel model;
  model.states = model.actions = 2;
  politex::Features features;
  try {
    features = politex::parse_features({reinterpret_cast<const char*>(data), size}, "fuzz.json", model);
  } catch (const politex::ConfigError&) {
    return 0;
  }
  const std::vector<double> weights(static_cast<std::size_t>(features.dimension()), 1.0);
  std::vector<double> q(4);
  features.values(weights, q);
  if (features.slots() != 2) std::abort();
  return 0;
}
