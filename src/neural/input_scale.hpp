// Inputs of a network as numbers of mean 0 and variance 1, by the observations so far.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"

namespace politex::neural {

/// (x - mean) * factor per number, at most `most_deviations` to either side.
class InputScale {
 public:
  static constexpr float most_deviations = 5.0F;

  /// At first nothing is changed.
  explicit InputScale(std::size_t inputs) : means_(inputs, 0.0F), factors_(inputs, 1.0F) {}

  /// Of whole rows, in place.
  void apply(std::span<float> rows) const noexcept;

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  friend class InputMoments;
  std::vector<float> means_, factors_;
};

/// Running mean and variance of every number (Welford), in the order of the run.
class InputMoments {
 public:
  explicit InputMoments(std::size_t inputs) : means_(inputs, 0.0), squares_(inputs, 0.0) {}

  void add(std::span<const float> input) noexcept;
  std::int64_t count() const noexcept { return count_; }
  /// A number that never changed becomes 0.
  InputScale scale() const;

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  std::int64_t count_ = 0;
  std::vector<double> means_, squares_;  // squares: the sum of squared deviations from the mean
};

}  // namespace politex::neural
