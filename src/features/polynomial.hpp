// Polynomials of an observation's numbers: of queue lengths, stocks, positions.
#pragma once

#include <cstdint>
#include <vector>

#include "politex/env/range.hpp"
#include "politex/features/feature_map.hpp"

namespace politex::inline features {

/// All products of at most `degree` numbers, each as a share of its range; the first feature is 1. Degree 2 in the
/// queue lengths is the basis of de Farias and Van Roy's eight queues (2003).
class Polynomial final : public FeatureMap {
 public:
  /// Throws ConfigError where there would be more than 5000 features.
  Polynomial(std::vector<Range> ranges, std::int64_t degree);
  int columns() const override { return static_cast<int>(factors_.size()); }
  void append(std::span<const double> observation, SparseRows& into) const override;

 private:
  /// A feature is an earlier one times a number of the observation.
  struct Factor {
    int earlier = 0;
    std::size_t number = 0;
  };

  std::vector<Range> ranges_;
  std::vector<Factor> factors_;
  mutable std::vector<double> values_, shares_;
};

struct FeaturesEntry;
const FeaturesEntry& polynomial_entry();

}  // namespace politex::inline features
