// Random Fourier features of continuous observations: cosines whose frequencies are drawn once, so that the products of
// two rows approximate a Gaussian kernel.
#pragma once

#include <cstdint>
#include <vector>

#include "politex/env/range.hpp"
#include "politex/features/feature_map.hpp"

namespace politex::inline features {

struct RandomFourierOptions {
  std::int64_t count = 200;
  double scale = 0.25;  // standard deviation of the kernel, in ranges of a coordinate
  std::int64_t seed = 1;
};

/// sqrt(2 / count) cos(w.x + b), with x scaled to 0 ... 1, w normal with deviation 1 / scale, and b uniform.
class RandomFourier final : public FeatureMap {
 public:
  RandomFourier(std::vector<Range> ranges, const RandomFourierOptions& options);
  int columns() const override { return static_cast<int>(offsets_.size()); }
  void append(std::span<const double> observation, SparseRows& into) const override;

 private:
  std::vector<Range> ranges_;
  std::vector<double> frequencies_, offsets_;
  mutable std::vector<double> positions_;
};

struct FeaturesEntry;
const FeaturesEntry& random_fourier_entry();

}  // namespace politex::inline features
