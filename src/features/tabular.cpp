#include "politex/features/tabular.hpp"

#include "politex/features/features_entry.hpp"

namespace politex::inline features {

Features tabular_features(const FiniteModel& model) {
  return features_of_states(TabularFeatures(model.states), model.states, model.actions);
}

const FeaturesEntry& tabular_entry() {
  static const FeaturesEntry entry{.name = "tabular",
                                   .help = "one per state and action",
                                   .fits = [](const Space& space, const FiniteModel*) { return space.states > 0; },
                                   .make = [](const FeaturesRequest& request) -> std::unique_ptr<FeatureMap> {
                                     return std::make_unique<TabularFeatures>(request.space.states);
                                   },
                                   .lists_states = true};
  return entry;
}

}  // namespace politex::inline features
