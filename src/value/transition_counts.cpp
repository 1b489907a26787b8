#include "politex/value/transition_counts.hpp"

#include <algorithm>

#include "politex/base/error.hpp"
#include "politex/base/saved.hpp"

namespace politex::inline value {

TransitionCounts::TransitionCounts(int states, int actions)
    : states_(states),
      actions_(actions),
      counts_(static_cast<std::size_t>(states) * static_cast<std::size_t>(actions), 0.0),
      successors_(counts_.size()),
      is_seen_(static_cast<std::size_t>(states), false) {}

void TransitionCounts::see(std::int32_t state) {
  if (was_seen(state)) return;
  is_seen_[static_cast<std::size_t>(state)] = true;
  seen_.insert(std::ranges::upper_bound(seen_, state), state);
}

bool TransitionCounts::add(std::int32_t pair, std::int32_t next) {
  const auto at = static_cast<std::size_t>(pair);
  const bool fresh = counts_[at] == 0.0;
  if (fresh) {
    see(pair / actions_);
    ++tried_;
  }
  see(next);
  counts_[at] += 1.0;
  for (Successor& one : successors_[at])
    if (one.state == next) {
      one.count += 1.0;
      return fresh;
    }
  successors_[at].push_back({.state = next, .unused = 0, .count = 1.0});
  return fresh;
}

void TransitionCounts::save(ByteWriter& to) const {
  to.put(static_cast<std::int64_t>(states_));
  to.put(static_cast<std::int64_t>(actions_));
  to.put(seen_);
  for (const std::int32_t state : seen_)
    for (std::int32_t pair = state * actions_; pair < (state + 1) * actions_; ++pair)
      to.put(successors_[static_cast<std::size_t>(pair)]);
}

void TransitionCounts::restore(ByteReader& from) {
  const auto states = from.get<std::int64_t>(), actions = from.get<std::int64_t>();
  check_saved(states == states_ && actions == actions_, "counts of transitions");
  *this = TransitionCounts(states_, actions_);
  from.get(seen_);
  for (std::size_t k = 0; k < seen_.size(); ++k) {
    check_saved(seen_[k] >= 0 && seen_[k] < states_ && (k == 0 || seen_[k] > seen_[k - 1]), "counts of transitions");
    is_seen_[static_cast<std::size_t>(seen_[k])] = true;
  }
  for (const std::int32_t state : seen_)
    for (std::int32_t each = state * actions_; each < (state + 1) * actions_; ++each) {
      const auto pair = static_cast<std::size_t>(each);
      from.get(successors_[pair]);
      for (const Successor& one : successors_[pair]) {
        check_saved(
            one.state >= 0 && one.state < states_ && was_seen(one.state) && one.count >= 1.0 && one.count <= most_count,
            "counts of transitions");
        counts_[pair] += one.count;
      }
      if (!successors_[pair].empty()) ++tried_;
    }
}

}  // namespace politex::inline value
