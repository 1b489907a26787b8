#include "politex/value/stored_walk.hpp"

#include <algorithm>

#include "politex/base/error.hpp"
#include "politex/base/saved.hpp"

namespace politex::inline value {
namespace {

int rows_of_a_state(const Features& features) noexcept { return features.replicated ? 1 : features.actions; }

}  // namespace

StoredWalk::StoredWalk(const FeatureStructure& structure, int actions, std::int64_t most) : most_(most) {
  features_.actions = actions;
  features_.replicated = structure.blocks == actions;
  features_.exclusive = structure.exclusive;
  features_.rows.columns = structure.width;
}

bool StoredWalk::continues(const Features& features, std::int32_t slot) const {
  if (taken_.empty()) return false;
  const int count = rows_of_a_state(features_), last = (states() - 1) * count;
  for (int k = 0; k < count; ++k)
    if (!std::ranges::equal(features_.rows.indices(last + k), features.rows.indices(slot * count + k)) ||
        !std::ranges::equal(features_.rows.values(last + k), features.rows.values(slot * count + k)))
      return false;
  return true;
}

void StoredWalk::see(const Features& features, std::int32_t slot) {
  append_state(features, slot, features_.rows);
  taken_.push_back(-1);
}

void StoredWalk::add(const Features& features, std::span<const std::int32_t> pairs, std::int32_t last_slot) {
  if (pairs.empty()) return;
  if (!continues(features, pairs[0] / features.actions)) see(features, pairs[0] / features.actions);
  for (std::size_t t = 0; t < pairs.size(); ++t) {
    taken_.back() = pairs[t] % features.actions;
    see(features, t + 1 < pairs.size() ? pairs[t + 1] / features.actions : last_slot);
    ++transitions_;
    // After a step, not after a call: what is kept must not depend on how the steps were passed.
    if (transitions_ >= 2 * most_) forget_oldest();
  }
}

void StoredWalk::forget_oldest() {
  std::size_t first = 0;
  for (; transitions_ > most_; ++first)
    if (taken_[first] >= 0) --transitions_;
  const auto count = static_cast<std::size_t>(rows_of_a_state(features_));
  SparseRows& rows = features_.rows;
  const std::int64_t entries = rows.first[first * count];
  taken_.erase(taken_.begin(), taken_.begin() + static_cast<std::ptrdiff_t>(first));
  rows.index.erase(rows.index.begin(), rows.index.begin() + static_cast<std::ptrdiff_t>(entries));
  rows.value.erase(rows.value.begin(), rows.value.begin() + static_cast<std::ptrdiff_t>(entries));
  rows.first.erase(rows.first.begin(), rows.first.begin() + static_cast<std::ptrdiff_t>(first * count));
  for (std::int64_t& each : rows.first) each -= entries;
}

void StoredWalk::save(ByteWriter& to) const {
  to.put(features_.rows.first);
  to.put(features_.rows.index);
  to.put(features_.rows.value);
  to.put(taken_);
  to.put(most_);
}

void StoredWalk::restore(ByteReader& from) {
  SparseRows& rows = features_.rows;
  from.get(rows.first);
  from.get(rows.index);
  from.get(rows.value);
  from.get(taken_);
  from.get_within(most_, 1, ByteReader::most, "stored transitions");
  check_saved(are_rows(rows, taken_.size() * static_cast<std::size_t>(rows_of_a_state(features_)), features_.exclusive),
              "features of stored transitions");
  check_saved(all_within(taken_, -1, features_.actions) && (taken_.empty() || taken_.back() == -1),
              "stored transitions");
  transitions_ = std::ranges::count_if(taken_, [](std::int32_t a) { return a >= 0; });
}

}  // namespace politex::inline value
