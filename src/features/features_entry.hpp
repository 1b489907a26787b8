// What the catalogue knows of a feature map. An entry is at the end of its own .cpp file, as a function that returns a
// static constant; run/catalogue.cpp lists these functions, one line each.
#pragma once

#include <memory>

#include "politex/env/finite_model.hpp"
#include "politex/env/space.hpp"
#include "politex/features/feature_map.hpp"
#include "politex/settings/values.hpp"

namespace politex::inline features {

struct FeaturesRequest {
  const Values& values;
  const Space& space;
  const FiniteModel* model = nullptr;  // where the environment is finite and known
};

struct FeaturesEntry {
  std::string_view name, help;
  Keys keys{};
  /// Whether the map can describe such observations; `model` as in the request.
  bool (*fits)(const Space& space, const FiniteModel* model) = nullptr;
  /// Throws ConfigError where an option does not fit the environment.
  std::unique_ptr<FeatureMap> (*make)(const FeaturesRequest& request) = nullptr;
  void (*check)(const Values& values) = nullptr;  // without the environment; throws ConfigError
  bool lists_states = false;                      // it can describe listed states
};

}  // namespace politex::inline features
