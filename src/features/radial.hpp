// Radial basis functions of continuous observations: a grid of Gaussian bumps, cut where they are small.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "politex/env/range.hpp"
#include "politex/features/feature_map.hpp"

namespace politex::inline features {

struct RadialOptions {
  std::int64_t centers = 8;
  double width = 1.0;  // standard deviation, in distances between centers
  std::string groups;  // as features.groups
};

/// Every product of coordinates has a grid of `centers` per coordinate, the first and last at the ends of the range.
/// The bumps exp(-distance^2 / 2) of one grid are divided by their sum; those beyond 3 along a coordinate are left out.
class Radial final : public FeatureMap {
 public:
  /// Throws ConfigError where there would be more than 10^7 features, or more than 5000 in a row.
  Radial(std::vector<Range> ranges, const RadialOptions& options);
  int columns() const override { return static_cast<int>(columns_); }
  void append(std::span<const double> observation, SparseRows& into) const override;

 private:
  struct Near {
    std::int64_t first = 0;
    std::vector<double> values;
  };
  std::vector<Range> ranges_;
  RadialOptions options_;
  std::vector<std::vector<std::size_t>> groups_;
  std::int64_t columns_ = 0;
  mutable std::vector<Near> near_;  // of each coordinate
};

struct FeaturesEntry;
const FeaturesEntry& radial_entry();

}  // namespace politex::inline features
