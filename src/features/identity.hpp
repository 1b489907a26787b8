// The observation as it is: it is a feature vector already (Python's own features).
#pragma once

#include "politex/features/feature_map.hpp"

namespace politex::inline features {

class IdentityFeatures final : public FeatureMap {
 public:
  explicit IdentityFeatures(int numbers) : numbers_(numbers) {}
  int columns() const override { return numbers_; }
  void append(std::span<const double> observation, SparseRows& into) const override {
    for (int column = 0; column < numbers_; ++column)
      into.append(column, observation[static_cast<std::size_t>(column)]);
    into.end_row();
  }

 private:
  int numbers_;
};

}  // namespace politex::inline features
