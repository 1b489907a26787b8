// How often each pair (state, action) was taken, and which states followed: a model of a finite environment, learned
// from transitions. It has no costs, so that an explorer may use it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"

namespace politex::inline value {

class TransitionCounts {
 public:
  struct Successor {
    std::int32_t state = 0;
    std::int32_t unused = 0;  // so that the bytes of a checkpoint have no gaps
    double count = 0.0;
  };

  TransitionCounts(int states, int actions);

  int states() const noexcept { return states_; }
  int actions() const noexcept { return actions_; }
  /// Counts one transition. Returns whether the pair was taken for the first time.
  bool add(std::int32_t pair, std::int32_t next);

  double count(std::int32_t pair) const noexcept { return counts_[static_cast<std::size_t>(pair)]; }
  /// In the order in which they were met first.
  std::span<const Successor> successors(std::int32_t pair) const noexcept {
    return successors_[static_cast<std::size_t>(pair)];
  }
  /// States that were visited, in increasing order.
  std::span<const std::int32_t> seen() const noexcept { return seen_; }
  bool was_seen(std::int32_t state) const noexcept { return is_seen_[static_cast<std::size_t>(state)]; }
  /// Pairs of seen states, and those of them that were never taken.
  std::int64_t known_pairs() const noexcept { return static_cast<std::int64_t>(seen_.size()) * actions_; }
  std::int64_t untried_pairs() const noexcept { return known_pairs() - tried_; }

  void save(ByteWriter& to) const;
  /// Throws Error where the saved counts do not fit these states and actions.
  void restore(ByteReader& from);

 private:
  void see(std::int32_t state);

  int states_, actions_;
  std::vector<double> counts_;
  std::vector<std::vector<Successor>> successors_;
  std::vector<std::int32_t> seen_;
  std::vector<bool> is_seen_;
  std::int64_t tried_ = 0;
};

}  // namespace politex::inline value
