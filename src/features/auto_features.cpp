#include "politex/features/auto_features.hpp"

#include "politex/features/additive.hpp"
#include "politex/features/features_entry.hpp"
#include "politex/features/fourier.hpp"
#include "politex/features/tabular.hpp"

namespace politex::inline features {

std::unique_ptr<FeatureMap> make_auto_features(const Space& space, const FiniteModel* model) {
  if (model != nullptr && !model->axes.empty()) return std::make_unique<AdditiveFeatures>(*model);
  if (space.states > 0) return std::make_unique<TabularFeatures>(space.states);
  return make_small_fourier(space.ranges);
}

const FeaturesEntry& auto_features_entry() {
  static const FeaturesEntry entry{
      .name = "auto",
      .help =
          "additive where the environment has axes, else tabular where it lists its states, else a Fourier basis "
          "of at most about 80 features",
      .fits = [](const Space&, const FiniteModel*) { return true; },
      .make = [](const FeaturesRequest& request) { return make_auto_features(request.space, request.model); },
      .lists_states = true};
  return entry;
}

}  // namespace politex::inline features
