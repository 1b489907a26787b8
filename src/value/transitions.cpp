#include "politex/value/transitions.hpp"

#include <algorithm>
#include <cmath>

#include "politex/base/saved.hpp"

namespace politex::inline value {
namespace {

std::size_t place(std::int32_t pair, std::int32_t next, std::size_t mask) noexcept {
  const std::uint64_t key =
      (static_cast<std::uint64_t>(static_cast<std::uint32_t>(pair)) << 32) | static_cast<std::uint32_t>(next);
  return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15) >> 20) & mask;
}

}  // namespace

void Transitions::grow() {
  index_.assign(index_.empty() ? 1024 : index_.size() * 2, 0);
  const std::size_t mask = index_.size() - 1;
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    std::size_t at = place(entries_[e].pair, entries_[e].next, mask);
    while (index_[at] != 0) at = (at + 1) & mask;
    index_[at] = static_cast<std::int32_t>(e) + 1;
  }
}

void Transitions::count(std::int32_t pair, std::int32_t next, double cost) {
  if (index_.size() < 2 * (entries_.size() + 1)) grow();
  const std::size_t mask = index_.size() - 1;
  std::size_t at = place(pair, next, mask);
  for (; index_[at] != 0; at = (at + 1) & mask) {
    Entry& entry = entries_[static_cast<std::size_t>(index_[at] - 1)];
    if (entry.pair == pair && entry.next == next) {
      entry.count += 1.0;
      entry.cost += cost;
      return;
    }
  }
  entries_.push_back({pair, next, 1.0, cost});
  index_[at] = static_cast<std::int32_t>(entries_.size());
}

void Transitions::add(const Phase& phase) {
  if (!phase.slots_are_states) return keep(phase);
  features_ = phase.features;
  if (masked_) possible_.assign(phase.possible.begin(), phase.possible.end());
  for (std::size_t t = 0; t < phase.pairs.size(); ++t) count(phase.pairs[t], phase.slot_after(t), phase.costs[t]);
}

void Transitions::keep(const Phase& phase) {
  // Transition k has slot 2k for its state and 2k + 1 for its successor. Old transitions are dropped by halves, so that
  // a transition is moved once on average.
  const std::size_t capacity = static_cast<std::size_t>(capacity_);
  SparseRows& rows = kept_.rows;
  kept_.actions = phase.features->actions;
  kept_.replicated = phase.features->replicated;
  kept_.exclusive = phase.features->exclusive;
  rows.columns = phase.features->rows.columns;
  const int each = kept_.replicated ? 1 : kept_.actions;  // feature rows of a slot
  if (entries_.size() + phase.pairs.size() > capacity) {
    const std::size_t leave = std::min(entries_.size(), std::max(phase.pairs.size(), capacity / 2));
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(leave));
    const std::size_t gone_rows = 2 * leave * static_cast<std::size_t>(each);
    const auto gone = rows.first[gone_rows];
    rows.index.erase(rows.index.begin(), rows.index.begin() + gone);
    rows.value.erase(rows.value.begin(), rows.value.begin() + gone);
    rows.first.erase(rows.first.begin(), rows.first.begin() + static_cast<std::ptrdiff_t>(gone_rows));
    for (auto& begin : rows.first) begin -= gone;
    if (masked_)
      possible_.erase(possible_.begin(), possible_.begin() + 2 * static_cast<std::ptrdiff_t>(leave) * kept_.actions);
  }
  const auto copy = [&](int slot) {
    for (int r = slot * each; r < (slot + 1) * each; ++r) {
      const auto indices = phase.features->rows.indices(r);
      const auto values = phase.features->rows.values(r);
      for (std::size_t k = 0; k < indices.size(); ++k) rows.append(indices[k], values[k]);
      rows.end_row();
    }
    if (!masked_) return;
    const auto flags = phase.possible.subspan(static_cast<std::size_t>(slot) * static_cast<std::size_t>(kept_.actions),
                                              static_cast<std::size_t>(kept_.actions));
    possible_.insert(possible_.end(), flags.begin(), flags.end());
  };
  const std::size_t begin = phase.pairs.size() > capacity ? phase.pairs.size() - capacity : 0;
  for (std::size_t t = begin; t < phase.pairs.size(); ++t) {
    copy(phase.pairs[t] / kept_.actions);
    copy(phase.slot_after(t));
    entries_.push_back({0, 0, 1.0, phase.costs[t]});
    entries_.back().pair = phase.pairs[t] % kept_.actions;  // the action; slots are numbered below
  }
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    entries_[k].pair = static_cast<std::int32_t>(2 * k) * kept_.actions + entries_[k].pair % kept_.actions;
    entries_[k].next = static_cast<std::int32_t>(2 * k + 1);
  }
  features_ = &kept_;
}

void Transitions::save(ByteWriter& to) const {
  to.put(entries_);
  to.put(static_cast<std::uint8_t>(features_ == &kept_));
  to.put(kept_.rows.columns);
  to.put(kept_.rows.first);
  to.put(kept_.rows.index);
  to.put(kept_.rows.value);
  to.put(kept_.actions);
  to.put(kept_.exclusive);
  to.put(static_cast<std::uint8_t>(kept_.replicated));
  if (masked_) to.put(possible_);
}

void Transitions::restore(ByteReader& from, const Features* finite, const FeatureStructure& structure, int actions) {
  constexpr const char* what = "stored transitions";
  from.get(entries_);
  const bool kept = from.get<bool>();
  check_saved(entries_.empty() || kept == (finite == nullptr), what);
  from.get(kept_.rows.columns);
  from.get(kept_.rows.first);
  from.get(kept_.rows.index);
  from.get(kept_.rows.value);
  from.get(kept_.actions);
  from.get(kept_.exclusive);
  from.get(kept_.replicated);
  if (masked_) from.get(possible_);
  if (kept) {
    const std::size_t rows = 2 * entries_.size() * static_cast<std::size_t>(kept_.replicated ? 1 : actions);
    check_saved(
        kept_.actions == actions && kept_.structure() == structure && are_rows(kept_.rows, rows, kept_.exclusive),
        what);
  }
  features_ = kept ? &kept_ : finite;
  for (const Entry& entry : entries_)
    check_saved(entry.pair >= 0 && entry.pair / actions < features_->slots() && entry.next >= 0 &&
                    entry.next < features_->slots() && entry.count >= 1.0 && entry.count <= most_count &&
                    std::isfinite(entry.cost),
                what);
  if (masked_ && !entries_.empty())
    check_saved(possible_.size() == static_cast<std::size_t>(features_->slots()) * static_cast<std::size_t>(actions),
                what);
  index_.clear();
  while (!kept && index_.size() < 2 * (entries_.size() + 1)) grow();
}

}  // namespace politex::inline value
