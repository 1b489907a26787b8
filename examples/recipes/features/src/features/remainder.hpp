// One indicator for each remainder of the state's index: with modulus 2, even and odd states.
#pragma once

#include "politex/features/feature_map.hpp"
#include "politex/features/features_entry.hpp"

namespace politex::inline features {

class RemainderFeatures final : public FeatureMap {
 public:
  explicit RemainderFeatures(int modulus) : modulus_(modulus) {}
  int columns() const override { return modulus_; }
  int exclusive() const override { return modulus_; }
  void append(std::span<const double> observation, SparseRows& into) const override;

 private:
  int modulus_;
};

const FeaturesEntry& remainder_entry();

}  // namespace politex::inline features
