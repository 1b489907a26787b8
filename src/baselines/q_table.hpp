// A table of action values, for learners of listed states or cells.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"
#include "politex/env/environment.hpp"

namespace politex::inline baselines {

/// The position of the smallest value; among equal ones a random one.
inline Action least_of(std::span<const double> values, Rng& rng) noexcept {
  std::size_t best = 0;
  std::uint64_t ties = 1;
  for (std::size_t a = 1; a < values.size(); ++a) {
    if (values[a] > values[best]) continue;
    ties = values[a] < values[best] ? 1 : ties + 1;
    if (ties == 1 || rng.below(ties) == 0) best = a;
  }
  return static_cast<Action>(best);
}

/// Values of costs: the best action has the smallest.
class QTable {
 public:
  QTable(int states, int actions, double initial = 0.0)
      : states_(static_cast<std::size_t>(states)),
        actions_(static_cast<std::size_t>(actions)),
        values_(states_ * actions_, initial) {}

  int states() const noexcept { return static_cast<int>(states_); }
  int actions() const noexcept { return static_cast<int>(actions_); }
  double& at(int state, Action action) noexcept { return values_[index(state, action)]; }
  double at(int state, Action action) const noexcept { return values_[index(state, action)]; }
  std::span<const double> row(int state) const noexcept {
    return std::span(values_).subspan(index(state, 0), actions_);
  }
  std::span<double> row(int state) noexcept { return std::span(values_).subspan(index(state, 0), actions_); }
  std::span<const double> all() const noexcept { return values_; }

  /// The smallest value of a state.
  double least(int state) const noexcept {
    const double* const row = values_.data() + index(state, 0);
    double least = row[0];
    for (std::size_t a = 1; a < actions_; ++a) least = row[a] < least ? row[a] : least;
    return least;
  }
  /// The action with the smallest value; among equal ones a random one.
  Action best(int state, Rng& rng) const noexcept { return least_of(row(state), rng); }
  Action epsilon_greedy(int state, double epsilon, Rng& rng) const noexcept {
    if (epsilon > 0.0 && rng.uniform() < epsilon) return static_cast<Action>(rng.below(actions_));
    return best(state, rng);
  }

  /// As the weights of one indicator per state, replicated for every action. Valid until the next call.
  std::span<const double> weights() const {
    weights_.resize(values_.size());
    for (std::size_t x = 0; x < states_; ++x)
      for (std::size_t a = 0; a < actions_; ++a) weights_[a * states_ + x] = values_[x * actions_ + a];
    return weights_;
  }

  void save(ByteWriter& to) const { to.put(values_); }
  void restore(ByteReader& from) { from.get_again(values_, "the table of pairs"); }

 private:
  std::size_t index(int state, Action action) const noexcept {
    return static_cast<std::size_t>(state) * actions_ + static_cast<std::size_t>(action);
  }

  std::size_t states_, actions_;
  std::vector<double> values_;
  mutable std::vector<double> weights_;
};

}  // namespace politex::inline baselines
