// The minimal gain from every state and a deterministic policy that attains it.
#pragma once

#include <vector>

#include "politex/env/finite_model.hpp"
#include "politex/exact/evaluate.hpp"

namespace politex::exact {

struct Optimum {
  std::vector<double> gain;        // by state
  std::vector<double> gain_error;  // the true gain is at most this far away; by state
  std::vector<double> bias;        // of the policy found
  std::vector<int> action;         // by state
  std::vector<char> tied;          // by pair: 1 if the action is as good as the best one, up to rounding
  int iterations = 0;
  bool iterated = false;  // by iteration, with bounds: elimination would take too long
  bool certain = true;    // false: rounding hides whether some action would be better
};

/// Howard's policy iteration in its multichain form: better gain first, then better bias among actions of equal gain.
/// Where elimination would take too long, bounds by iteration; `show` is called while it runs.
Optimum optimum(const FiniteModel& model, const ShowIteration& show = {});

/// The optimal policy of largest entropy: all tied actions are equally likely. It does not depend on which of several
/// optimal policies was found first.
std::vector<double> tied_policy(const FiniteModel& model, const Optimum& optimum);
/// The optimal policy that takes the first, or the last, of the tied actions.
std::vector<double> extreme_policy(const FiniteModel& model, const Optimum& optimum, bool last);

/// The minimal gain from the model's start state.
double optimal_gain(const FiniteModel& model);

/// The minimal gain of a finite environment from its start state, which must not be random.
template <FiniteEnvironment E>
double optimal_gain(const E& environment) {
  Rng rng{0};
  return optimal_gain(compile(environment, "", 0, environment.index(environment.start(rng))));
}

}  // namespace politex::exact
