// One indicator per coordinate of each axis of a finite environment (DeepSea: row and column).
#pragma once

#include <vector>

#include "politex/env/finite_model.hpp"
#include "politex/features/feature_map.hpp"

namespace politex::inline features {

class AdditiveFeatures final : public FeatureMap {
 public:
  /// Throws ConfigError where the model has no axes.
  explicit AdditiveFeatures(const FiniteModel& model);
  int columns() const override { return columns_; }
  int exclusive() const override { return begin_.size() > 1 ? begin_[1] : columns_; }
  bool two_indicators() const override { return begin_.size() == 2; }
  void append(std::span<const double> observation, SparseRows& into) const override;

 private:
  std::vector<std::vector<int>> axes_;
  std::vector<int> begin_;  // axis -> its first column
  int columns_ = 0;
};

Features additive_features(const FiniteModel& model);

struct FeaturesEntry;
const FeaturesEntry& additive_entry();

}  // namespace politex::inline features
