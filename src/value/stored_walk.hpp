// The newest transitions of a walk through states that are not listed: the features of its states in order, and the
// actions between them. It has no costs, so that an explorer may use it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/features/features.hpp"

namespace politex::inline value {

class StoredWalk {
 public:
  /// Keeps at least the newest `most` transitions, and fewer than twice as many.
  StoredWalk(const FeatureStructure& structure, int actions, std::int64_t most);

  /// Steps in a row: `pairs` are slot * actions + action of `features`, and the last step led to `last_slot`. Where
  /// they continue the walk, their first state is not stored again.
  void add(const Features& features, std::span<const std::int32_t> pairs, std::int32_t last_slot);
  /// From now on at most this many.
  void keep(std::int64_t most) noexcept { most_ = most; }

  /// States are numbered from the oldest.
  int states() const noexcept { return static_cast<int>(taken_.size()); }
  /// The action taken in a state, after which the next state followed; -1: none.
  std::int32_t taken(int state) const noexcept { return taken_[static_cast<std::size_t>(state)]; }
  /// Slots are the states.
  const Features& features() const noexcept { return features_; }
  std::int64_t transitions() const noexcept { return transitions_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  bool continues(const Features& features, std::int32_t slot) const;
  void see(const Features& features, std::int32_t slot);
  void forget_oldest();

  Features features_;
  std::vector<std::int32_t> taken_;
  std::int64_t most_, transitions_ = 0;
};

}  // namespace politex::inline value
