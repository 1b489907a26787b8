// Observations of bytes for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "politex/base/rng.hpp"

namespace politex::test {

/// Bytes of which a few change at a time.
class ByteMemory {
 public:
  ByteMemory(int size, std::uint64_t seed) : seen_(static_cast<std::size_t>(size)), rng_(seed) { move(size); }
  const std::vector<float>& move(int count) {
    for (int k = 0; k < count; ++k) seen_[rng_.below(seen_.size())] = static_cast<float>(rng_.below(256)) / 255.0F;
    return seen_;
  }

 private:
  std::vector<float> seen_;
  Rng rng_;
};

}  // namespace politex::test
