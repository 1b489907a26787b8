// A random walk on a line: every step costs the distance from the left end, and a push to the left costs extra.
#pragma once

#include <array>
#include <vector>

#include "politex/env/entry.hpp"
#include "politex/env/environment.hpp"

namespace politex::inline env {

class CoinWalk {
 public:
  using State = int;  // 0: left end

  /// `push` is the probability of a step to the left with action 1; with action 0 it is 1/2.
  CoinWalk(int size, double push) : size_(size), push_(push) {}

  int actions() const noexcept { return 2; }
  int states() const noexcept { return size_; }
  State start(Rng&) const noexcept { return size_ - 1; }
  int index(State state) const noexcept { return state; }
  State state(int index) const noexcept { return index; }
  Step step(State& state, Action action, Rng& rng) const noexcept;
  double cost(int state, Action action) const noexcept;
  void outcomes(int state, Action action, std::vector<Outcome>& into) const;

 private:
  std::array<Outcome, 2> successors(int state, Action action) const noexcept;

  int size_;
  double push_;
};

static_assert(FiniteEnvironment<CoinWalk>);

const EnvironmentEntry& coin_walk_entry();

}  // namespace politex::inline env
