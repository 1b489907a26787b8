// RiverSwim, continuing: swimming right against the current is slow and pays much at the far end; the left end pays a
// little at once.
#pragma once

#include <cstdint>
#include <vector>

#include "politex/env/finite_model.hpp"

#include "politex/env/entry.hpp"
namespace politex::inline env {

class RiverSwim {
 public:
  using State = int;  // 0: left end

  /// Throws ConfigError unless 2 <= size <= 100,000.
  explicit RiverSwim(int size = 6);

  int actions() const noexcept { return 2; }  // 0: left, 1: right
  int states() const noexcept { return size_; }
  State start(Rng&) const noexcept { return 0; }
  int index(State state) const noexcept { return state; }
  State state(int index) const noexcept { return index; }
  Step step(State& state, Action action, Rng& rng) const noexcept;
  double cost(int state, Action action) const noexcept;
  void outcomes(int state, Action action, std::vector<Outcome>& into) const;

 private:
  int size_;
};

static_assert(FiniteEnvironment<RiverSwim>);

/// The tables.
FiniteModel river_swim_model(int size);

const EnvironmentEntry& river_swim_entry();

}  // namespace politex::inline env
