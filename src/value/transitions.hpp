// The transitions of all phases, for learners that pool them (RLSVI, LSPI). Finite states: counts of (pair, next
// state), so that memory does not grow with the run. Otherwise: the last `capacity` transitions with their features.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/value/phase.hpp"

namespace politex::inline value {

class Transitions {
 public:
  struct Entry {
    std::int32_t pair = 0;
    std::int32_t next = 0;  // slot
    double count = 0.0;
    double cost = 0.0;  // summed over the count
  };

  /// `masked`: phases say which actions are possible.
  explicit Transitions(std::int64_t capacity, bool masked = false) : capacity_(capacity), masked_(masked) {}

  void add(const Phase& phase);
  std::span<const Entry> entries() const noexcept { return entries_; }
  /// The features that the pairs and slots of the entries refer to.
  const Features& features() const noexcept { return *features_; }
  /// One flag per action of a slot: 1 where it is possible. Empty: all are.
  std::span<const std::uint8_t> possible(std::int32_t slot) const noexcept {
    if (!masked_) return {};
    const auto width = static_cast<std::size_t>(features_->actions);
    return std::span(possible_).subspan(static_cast<std::size_t>(slot) * width, width);
  }

  void save(ByteWriter& to) const;
  /// Finite slots refer to `finite`, the features of the run; others were saved with the entries, and are of this
  /// structure and number of actions.
  void restore(ByteReader& from, const Features* finite, const FeatureStructure& structure, int actions);

 private:
  void count(std::int32_t pair, std::int32_t next, double cost);
  void grow();
  void keep(const Phase& phase);

  std::int64_t capacity_;
  bool masked_;
  std::vector<std::uint8_t> possible_;  // by slot and action, with masks; of states: the newest phase's
  std::vector<Entry> entries_;
  std::vector<std::int32_t> index_;  // open addressing: entry + 1, or 0
  const Features* features_ = nullptr;
  Features kept_;  // features of the kept transitions' slots
};

}  // namespace politex::inline value
