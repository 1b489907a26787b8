// Fourier bases of continuous observations.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "politex/env/range.hpp"
#include "politex/features/feature_map.hpp"

namespace politex::inline features {

/// cos(pi k . x) for every k in {0..order}^n, x scaled to [0, 1]^n.
class Fourier final : public FeatureMap {
 public:
  /// Throws ConfigError where there would be more than 5000 features.
  Fourier(std::vector<Range> ranges, std::int64_t order);
  int columns() const override { return static_cast<int>(count_); }
  void append(std::span<const double> observation, SparseRows& into) const override;

 private:
  std::vector<Range> ranges_;
  std::int64_t order_, count_ = 1;
};

/// The Fourier basis without products of many coordinates: cos(pi k . x) for the k with at most one nonzero entry (or
/// two, where coupled), for observations of which the whole basis would have too many. Few cosines are computed: the
/// rest are sums of angles.
class SparseFourier final : public FeatureMap {
 public:
  /// Throws ConfigError where there would be more than 5000 features.
  SparseFourier(std::vector<Range> ranges, std::int64_t order, bool coupled);
  int columns() const override { return columns_; }
  void append(std::span<const double> observation, SparseRows& into) const override;

 private:
  std::vector<Range> ranges_;
  std::size_t order_;
  bool coupled_;
  int columns_ = 1;
  mutable std::vector<double> cosine_, sine_;  // scratch, order_ per coordinate; one object per thread
};

/// `coupling`: most coordinates in one product, 1 or 2; 0: all.
std::unique_ptr<FeatureMap> make_fourier(std::vector<Range> ranges, std::int64_t order, std::int64_t coupling);
/// The finest basis of at most about 80 features: of all products, else of pairs, else of single coordinates. So few
/// that estimating costs little compared with the step of an interpreted environment.
std::unique_ptr<FeatureMap> make_small_fourier(const std::vector<Range>& ranges);

struct FeaturesEntry;
const FeaturesEntry& fourier_entry();

}  // namespace politex::inline features
