// The model of all transitions as flat arrays, for many sweeps over its states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "politex/value/transition_counts.hpp"

namespace politex::inline value {

/// The seen states in increasing order are rows; row k has the entries k * actions + a.
class ReplayModel {
 public:
  /// `costs` and `cost_scatter`: by pair, summed.
  void build(const TransitionCounts& counts, std::span<const double> costs, std::span<const double> cost_scatter);

  std::size_t rows() const noexcept { return states_.size(); }
  std::size_t state(std::size_t row) const noexcept { return static_cast<std::size_t>(states_[row]); }
  /// Visits of an entry.
  double count(std::size_t entry) const noexcept { return count_[entry]; }
  /// Its inverse; 0 where there is none.
  double inverse_count(std::size_t entry) const noexcept { return inverse_count_[entry]; }
  double cost(std::size_t entry) const noexcept { return cost_[entry]; }
  double cost_scatter(std::size_t entry) const noexcept { return cost_scatter_[entry]; }
  /// Successors of all entries: the work of one sweep.
  std::size_t successors() const noexcept { return next_.size(); }

  /// The mean of `values` over the successors of an entry.
  double mean(std::size_t entry, std::span<const double> values) const noexcept {
    double total = 0.0;
    for (auto k = first_[entry]; k < first_[entry + 1]; ++k)
      total += probability_[k] * values[static_cast<std::size_t>(next_[k])];
    return total;
  }
  /// Their variance around `mean`.
  double variance(std::size_t entry, double mean, std::span<const double> values) const noexcept {
    double total = 0.0;
    for (auto k = first_[entry]; k < first_[entry + 1]; ++k) {
      const double difference = values[static_cast<std::size_t>(next_[k])] - mean;
      total += probability_[k] * difference * difference;
    }
    return total;
  }
  bool is_sure(std::size_t entry) const noexcept { return first_[entry + 1] - first_[entry] == 1; }

 private:
  std::vector<std::int32_t> states_;
  std::vector<std::size_t> first_;  // of the successors of an entry
  std::vector<std::int32_t> next_;
  std::vector<double> probability_;
  std::vector<double> count_, inverse_count_, cost_, cost_scatter_;  // by entry
};

}  // namespace politex::inline value
