// What model-based learners know: counts of transitions and sums of costs, and value iteration in a model made of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/base/error.hpp"
#include "politex/base/saved.hpp"
#include "politex/baselines/q_table.hpp"
#include "politex/value/transition_counts.hpp"

namespace politex::inline baselines {

class LearnedModel {
 public:
  LearnedModel(int states, int actions)
      : counts_(states, actions), costs_(states, actions), squares_(states, actions) {}

  int states() const noexcept { return counts_.states(); }
  int actions() const noexcept { return counts_.actions(); }
  std::int32_t pairs() const noexcept { return states() * actions(); }
  const TransitionCounts& counts() const noexcept { return counts_; }
  /// Transitions so far.
  std::int64_t steps() const noexcept { return steps_; }
  /// Of all costs so far; the lowest is above the highest before the first.
  double lowest() const noexcept { return lowest_; }
  double highest() const noexcept { return highest_; }

  void add(int state, Action action, double cost, int next) {
    counts_.add(state * actions() + action, next);
    costs_.at(state, action) += cost;
    squares_.at(state, action) += cost * cost;
    lowest_ = std::min(lowest_, cost);
    highest_ = std::max(highest_, cost);
    ++steps_;
  }
  /// Of a pair that was taken.
  double mean_cost(std::int32_t pair) const noexcept {
    return costs_.all()[static_cast<std::size_t>(pair)] / counts_.count(pair);
  }
  double cost_variance(std::int32_t pair) const noexcept {
    const double mean = mean_cost(pair);
    return std::max(0.0, squares_.all()[static_cast<std::size_t>(pair)] / counts_.count(pair) - mean * mean);
  }

  void save(ByteWriter& to) const {
    counts_.save(to);
    costs_.save(to);
    squares_.save(to);
    to.put(lowest_);
    to.put(highest_);
    to.put(steps_);
  }
  void restore(ByteReader& from) {
    counts_.restore(from);
    costs_.restore(from);
    squares_.restore(from);
    from.get(lowest_);
    from.get(highest_);
    check_saved(!std::isnan(lowest_) && !std::isnan(highest_), "costs");
    from.get_count(steps_, "steps");
  }

 private:
  TransitionCounts counts_;
  QTable costs_, squares_;  // sums, by pair
  double lowest_ = std::numeric_limits<double>::infinity(), highest_ = -lowest_;
  std::int64_t steps_ = 0;
};

/// The counts when an episode began, to compare with the present ones.
class EpisodeCounts {
 public:
  explicit EpisodeCounts(std::int32_t pairs) : begin_(static_cast<std::size_t>(pairs), 0.0) {}
  void begin(const TransitionCounts& counts) {
    for (std::size_t pair = 0; pair < begin_.size(); ++pair)
      begin_[pair] = counts.count(static_cast<std::int32_t>(pair));
  }
  double at_begin(std::int32_t pair) const noexcept { return begin_[static_cast<std::size_t>(pair)]; }
  void save(ByteWriter& to) const { to.put(begin_); }
  void restore(ByteReader& from) { from.get_again(begin_, "counts"); }

 private:
  std::vector<double> begin_;
};

/// Relative value iteration for the average cost. `backup(h, q)` sets q to the one-step values of all pairs for the
/// bias h. Half of every change is applied, which makes any model aperiodic. It ends when the changes differ by at most
/// `precision`, after at most `most` sweeps; `q` has the values of the last sweep. Returns the sweeps.
template <class Backup>
int value_iteration(std::vector<double>& h, QTable& q, double precision, int most, Backup&& backup) {
  for (int sweep = 1; sweep <= most; ++sweep) {
    backup(std::span<const double>(h), q);
    double least = std::numeric_limits<double>::infinity(), largest = -least;
    for (int x = 0; x < q.states(); ++x) {
      double& value = h[static_cast<std::size_t>(x)];
      const double change = q.least(x) - value;
      least = std::min(least, change);
      largest = std::max(largest, change);
      value += 0.5 * change;
    }
    const double first = h[0];
    for (double& value : h) value -= first;
    if (largest - least <= precision) return sweep;
  }
  return most;
}

/// The most sweeps of one plan.
inline constexpr int most_sweeps = 1000;

}  // namespace politex::inline baselines
