// The first layer of a frozen network on bytes, in integers. Integer sums are exact in any order, so that what an
// environment's last observation summed to can be brought up to date by the few bytes that changed, and the bits are
// those of the whole product: nothing has to be refreshed, saved or agreed upon between threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/network/lanes.hpp"

namespace politex::inline network {

/// The change of two neighbouring bytes of an observation.
struct ByteChange {
  int pair = 0;            // bytes 2 pair and 2 pair + 1
  std::int32_t moved = 0;  // the differences, two 16-bit numbers
};

/// An observation as bytes, in pairs.
class BytePairs {
 public:
  /// Lists the changes from the observation read before (at first: from zeros) to this one, in whole 255ths.
  void read(std::span<const float> observation, std::vector<ByteChange>& changes);
  void clear() { bytes_.clear(); }

 private:
  std::vector<std::int16_t> bytes_;
};

class ByteLayer {
 public:
  /// The most inputs whose sums cannot leave 32 bits with weights that still have 12.
  static constexpr int most_inputs = 2048;

  /// weights[input][unit], `units` a multiple of 16. A unit's weights are rounded to 16 bits (less above 257 inputs) of
  /// the largest one.
  ByteLayer(const float* weights, const float* bias, int inputs, int units);
  int units() const noexcept { return units_; }

  /// sums[unit] += the changes times the weights.
  void add(std::span<const ByteChange> changes, std::int32_t* sums) const noexcept;
  /// to[unit] = max(0, bias + the unit's scale times its sum).
  void activate(const std::int32_t* sums, float* to) const noexcept;

 private:
  int units_;
  std::vector<std::int16_t, CacheAligned<std::int16_t>> weights_;  // [pair][unit][2]
  Floats scales_, bias_;
};

}  // namespace politex::inline network
