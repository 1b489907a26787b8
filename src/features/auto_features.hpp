// The feature map that is chosen where none is named.
#pragma once

#include <memory>

#include "politex/env/finite_model.hpp"
#include "politex/env/space.hpp"
#include "politex/features/feature_map.hpp"

namespace politex::inline features {

/// Additive where a finite environment has axes, else tabular where states are listed, else a Fourier basis of at most
/// about 80 features. `model` may be null.
std::unique_ptr<FeatureMap> make_auto_features(const Space& space, const FiniteModel* model);

struct FeaturesEntry;
const FeaturesEntry& auto_features_entry();

}  // namespace politex::inline features
