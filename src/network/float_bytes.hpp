// Arrays of floats in checkpoints.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"

namespace politex::inline network {

inline void put_floats(ByteWriter& to, std::span<const float> values) {
  to.put(std::vector<float>(values.begin(), values.end()));
}

/// Throws DamagedState when the number of floats is another one, or one is not finite.
inline void get_floats(ByteReader& from, std::span<float> values) {
  std::vector<float> read;
  from.get_sized(read, values.size(), "weights of a network");
  std::copy(read.begin(), read.end(), values.begin());
}

}  // namespace politex::inline network
