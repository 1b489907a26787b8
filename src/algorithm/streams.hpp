// The random streams of the actions of a run.
#pragma once

#include <array>
#include <cstdint>

#include "politex/algorithm/collect_data.hpp"
#include "politex/base/bytes.hpp"
#include "politex/base/rng.hpp"

namespace politex::inline algorithm {

/// The random streams that actions are drawn from, one per kind of segment.
class ActionStreams {
 public:
  explicit ActionStreams(std::uint64_t seed)
      : by_{Rng(seed, Use::explorer), Rng(seed, Use::probe), Rng(seed, Use::action)} {}
  Rng& of(By by) noexcept { return by_[static_cast<std::size_t>(by)]; }
  void save(ByteWriter& to) const {
    for (const Rng& rng : by_) to.put(rng.position());
  }
  void restore(ByteReader& from) {
    for (Rng& rng : by_) rng.seek(from.get<std::uint64_t>());
  }

 private:
  std::array<Rng, 3> by_;
};

}  // namespace politex::inline algorithm
