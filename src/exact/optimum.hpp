// The least gain from every state and a deterministic policy that attains it.
#pragma once

#include <vector>

#include "politex/env/finite_model.hpp"
#include "politex/exact/evaluate.hpp"

namespace politex::exact {

struct Optimum {
  std::vector<double> gain;  // by state
  std::vector<double> bias;  // of the policy found
  std::vector<int> action;   // by state
  int iterations = 0;
};

/// Howard's policy iteration in its multichain form: better gain first, then better bias among actions of equal gain.
Optimum optimum(const FiniteModel& model);

/// The least gain from the model's start state.
double optimal_gain(const FiniteModel& model);

/// The least gain of an environment that lists its states, from its start state (the same whatever the draw).
template <FiniteEnvironment E>
double optimal_gain(const E& world) {
  Rng rng{0};
  return optimal_gain(compile(world, "", 0, world.index(world.start(rng))));
}

}  // namespace politex::exact
