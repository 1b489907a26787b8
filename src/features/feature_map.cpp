#include "politex/features/feature_map.hpp"

namespace politex::inline features {
namespace {

Features empty_features(const FeatureMap& map, int actions) {
  Features features;
  features.actions = actions;
  features.replicated = map.replicated();
  features.exclusive = map.exclusive();
  features.two_indicators = map.two_indicators();
  features.rows.columns = map.columns();
  return features;
}

}  // namespace

Features features_at(const FeatureMap& map, std::span<const double> observation, int actions) {
  Features features = empty_features(map, actions);
  map.append(observation, features.rows);
  return features;
}

Features features_of_states(const FeatureMap& map, int states, int actions) {
  Features features = empty_features(map, actions);
  for (int x = 0; x < states; ++x) {
    const double index = x;
    map.append({&index, 1}, features.rows);
  }
  return features;
}

}  // namespace politex::inline features
