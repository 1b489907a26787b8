// Inputs of a network as numbers from -2 to 2, by the range of the observations so far.
#pragma once

#include <span>
#include <vector>

#include "politex/base/bytes.hpp"

namespace politex::neural {

/// (x - middle) * factor per number.
class InputScale {
 public:
  static constexpr float half_width = 2.0F;  // about the range of observations in units that people choose

  /// At first nothing is changed.
  explicit InputScale(std::size_t inputs) : middles_(inputs, 0.0F), factors_(inputs, 1.0F) {}

  /// Of whole rows, in place.
  void apply(std::span<float> rows) const noexcept;

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  friend class InputRanges;
  std::vector<float> middles_, factors_;
};

/// The least and the largest value of every number. No moments: where a policy stands still for most of a run, the
/// other states would lie many deviations away.
class InputRanges {
 public:
  explicit InputRanges(std::size_t inputs) : least_(inputs), most_(inputs) {}

  void add(std::span<const float> input) noexcept;
  /// A number that never changed becomes 0.
  InputScale scale() const;

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  bool any_ = false;
  std::vector<float> least_, most_;
};

}  // namespace politex::neural
