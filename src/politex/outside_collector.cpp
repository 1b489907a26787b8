#include "politex/politex/outside_collector.hpp"

#include <algorithm>
#include <limits>

namespace politex {
namespace {

class TabularMap final : public ObservationMap {
 public:
  explicit TabularMap(int states) : states_(states) {}
  int columns() const override { return states_; }
  int exclusive() const override { return states_; }
  void append(std::span<const double> observation, SparseRows& into) const override {
    into.append(static_cast<int>(observation[0]), 1.0);
    into.end_row();
  }

 private:
  int states_;
};

class IdentityMap final : public ObservationMap {
 public:
  explicit IdentityMap(int size) : size_(size) {}
  int columns() const override { return size_; }
  int exclusive() const override { return 0; }
  void append(std::span<const double> observation, SparseRows& into) const override {
    for (int column = 0; column < size_; ++column) into.append(column, observation[static_cast<std::size_t>(column)]);
    into.end_row();
  }

 private:
  int size_;
};

struct Stopped {};

}  // namespace

std::unique_ptr<ObservationMap> tabular_map(int states) { return std::make_unique<TabularMap>(states); }
std::unique_ptr<ObservationMap> identity_map(int size) { return std::make_unique<IdentityMap>(size); }

OutsideCollector::OutsideCollector(std::unique_ptr<OutsideBlock> block, std::unique_ptr<ObservationMap> map,
                                   OutsideExplorer explorer, std::uint64_t seed, const Options& options)
    : block_(std::move(block)),
      map_(std::move(map)),
      explorer_(std::move(explorer)),
      options_(options),
      streams_(seed),
      seen_(block_->space().actions, map_->columns(), map_->exclusive(), true),
      observation_(block_->space().ranges.size()),
      lowest_(std::numeric_limits<double>::infinity()),
      highest_(-lowest_) {
  block_->observe(0, observation_);
}

void OutsideCollector::see() {
  if (seen_.seen()) return;
  map_->append(observation_, seen_.rows());
  seen_.see();
}

void OutsideCollector::step(By by) {
  Rng& rng = streams_.actions(by);
  while (true) {
    see();
    const Action action = by == By::explorer ? explorer_(observation_, rng)
                          : by == By::probe  ? seen_.uniform(rng)
                                             : seen_.target(rng);
    OutsideStep result;
    block_->step({&action, 1}, {&result, 1});
    block_->observe(0, observation_);
    if (result.skipped) {
      seen_.forget();
      continue;
    }
    terminations_ += result.terminated ? 1 : 0;
    const double cost = result.cost + (result.terminated ? options_.restart_cost : 0.0);
    lowest_ = std::min(lowest_, cost);
    highest_ = std::max(highest_, cost);
    seen_.took(action, cost);
    return;
  }
}

Phase OutsideCollector::play(const Lengths& lengths, std::int64_t played, std::int64_t steps) {
  failure_ = nullptr;
  if (played == 0) seen_.begin();
  if (stale_ && seen_.seen()) seen_.forget();
  stale_ = false;
  try {
    for_each_part(lengths, played, steps, [&](std::int64_t count, By by) {
      for (std::int64_t t = 0; t < count; ++t) {
        if (options_.stop && options_.stop->load(std::memory_order_relaxed)) throw Stopped{};
        step(by);
      }
    });
  } catch (const Stopped&) {
    // As asked for: the phase is shorter.
  } catch (...) {
    failure_ = std::current_exception();
  }
  see();
  return seen_.phase(lengths);
}

void OutsideCollector::save(ByteWriter& to) const {
  streams_.save(to);
  to.put(terminations_);
  to.put(lowest_);
  to.put(highest_);
  to.put(block_->can_save());
  if (block_->can_save()) block_->save(to);
}

void OutsideCollector::restore(ByteReader& from) {
  streams_.restore(from);
  from.get(terminations_);
  from.get(lowest_);
  from.get(highest_);
  stale_ = !from.get<bool>();
  if (!stale_) block_->restore(from);
  block_->observe(0, observation_);
}

void OutsideCollector::restore_phase(ByteReader& from) { seen_.restore(from); }

Features OutsideCollector::present() const {
  Features features;
  features.actions = actions();
  features.rows.columns = map_->columns();
  map_->append(observation_, features.rows);
  return features;
}

}  // namespace politex
