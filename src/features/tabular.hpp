// One indicator per state.
#pragma once

#include "politex/env/finite_model.hpp"
#include "politex/features/feature_map.hpp"

namespace politex::inline features {

class TabularFeatures final : public FeatureMap {
 public:
  explicit TabularFeatures(int states) : states_(states) {}
  int columns() const override { return states_; }
  int exclusive() const override { return states_; }
  bool partition() const override { return true; }
  void append(std::span<const double> observation, SparseRows& into) const override {
    into.append(static_cast<int>(observation[0]), 1.0);
    into.end_row();
  }

 private:
  int states_;
};

Features tabular_features(const FiniteModel& model);

struct FeaturesEntry;
const FeaturesEntry& tabular_entry();

}  // namespace politex::inline features
