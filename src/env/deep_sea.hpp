// DeepSea, continuing, as the paper defines it: an N x N grid, one row down per step, with the treasure at the bottom
// right; to reach it from the left, the costly action has to be taken N times in a row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "politex/env/finite_model.hpp"

#include "politex/env/entry.hpp"
namespace politex::inline env {

/// Which rows have their two actions exchanged.
enum class Swap { none, all, rows };

class DeepSea {
 public:
  struct State {
    int row = 0;
    int column = 0;
    friend bool operator==(const State&, const State&) = default;
  };

  /// `rows` draws the exchanged rows by `model_seed`. Throws ConfigError unless 2 <= size <= 1000.
  explicit DeepSea(int size, Swap swap = Swap::none, std::uint64_t model_seed = 1);

  int size() const noexcept { return size_; }
  int actions() const noexcept { return 2; }
  int states() const noexcept { return size_ * size_; }
  State start(Rng&) const noexcept { return {0, 0}; }
  int index(State state) const noexcept { return state.row * size_ + state.column; }
  State state(int index) const noexcept { return {index / size_, index % size_}; }
  bool valid(const State& state) const noexcept {
    return state.row >= 0 && state.row < size_ && state.column >= 0 && state.column < size_;
  }

  Step step(State& state, Action action, Rng&) const noexcept {
    const int right = effective(state.row, action);
    const bool treasure = state.row == size_ - 1 && state.column == size_ - 1;
    state = {(state.row + 1) % size_, std::clamp(state.column + 2 * right - 1, 0, size_ - 1)};
    return {.cost = treasure ? -2.0 * size_ : 1.0 * right, .restarted = false};
  }

  double cost(int index, Action action) const noexcept {
    Rng unused{0};
    State from = state(index);
    return step(from, action, unused).cost;
  }
  void outcomes(int index, Action action, std::vector<Outcome>& into) const {
    Rng unused{0};
    State from = state(index);
    step(from, action, unused);
    into.push_back({this->index(from), 1.0});
  }

 private:
  int effective(int row, Action action) const noexcept { return action ^ swapped_[static_cast<std::size_t>(row)]; }

  int size_;
  std::vector<int> swapped_;  // row -> 1 where the actions are exchanged
};

static_assert(FiniteEnvironment<DeepSea>);

/// The tables, with rows and columns as axes for additive features.
FiniteModel deep_sea_model(const DeepSea& environment);

const EnvironmentEntry& deep_sea_entry();

}  // namespace politex::inline env
