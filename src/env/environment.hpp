// What an environment is. Rules are const, the state is a value, randomness is passed in. Costs, never rewards.
#pragma once

#include <concepts>
#include <span>
#include <vector>

#include "politex/base/rng.hpp"

namespace politex {

/// Actions are 0 .. actions()-1.
using Action = int;

/// What one step brought. `restarted`: the world put itself back to a start (an episode's end, counted as part of the
/// continuing problem); the state is already the new one.
struct Step {
  double cost = 0.0;
  bool restarted = false;
};

/// A world that never resets by itself from the learner's point of view.
template <class E>
concept Environment =
    std::copyable<typename E::State> && requires(const E& world, typename E::State& state, Action action, Rng& rng) {
      { world.actions() } -> std::convertible_to<int>;
      { world.start(rng) } -> std::same_as<typename E::State>;
      { world.step(state, action, rng) } -> std::same_as<Step>;
    };

/// One possible successor of a state-action pair.
struct Outcome {
  int next = 0;
  double probability = 0.0;
};

/// A world that can list its states and outcomes; it is compiled once into a FiniteModel. `step` must take no draw
/// where there is one outcome, and otherwise sample with `pick_outcome` (env/finite_model.hpp): then the world itself
/// and its compiled tables walk through the same states, bit for bit.
template <class E>
concept FiniteEnvironment = Environment<E> && requires(const E& world, const typename E::State& state, int index,
                                                       Action action, std::vector<Outcome>& into) {
  { world.states() } -> std::convertible_to<int>;
  { world.index(state) } -> std::convertible_to<int>;
  { world.state(index) } -> std::same_as<typename E::State>;
  { world.cost(index, action) } -> std::convertible_to<double>;
  world.outcomes(index, action, into);  // appends, probabilities sum to 1
};

/// A world whose state can be written as a vector of doubles, for features of continuous states and for networks.
template <class E>
concept ObservableEnvironment =
    Environment<E> && requires(const E& world, const typename E::State& state, std::span<double> into) {
      { world.observation_size() } -> std::convertible_to<int>;
      world.observe(state, into);
    };

/// A world whose episodes are cut by a clock. `move` is a step without the cut; `step` is `move`, then `start` when
/// `timed_out`. A learner that bootstraps calls the parts, and looks at the last state before it is replaced: a cut is
/// a truncation, not an end. Restarts that are part of the rules (a fall, a goal) stay inside `move`.
template <class E>
concept ClockedEnvironment =
    ObservableEnvironment<E> &&
    requires(const E& world, typename E::State& state, const typename E::State& last, Action action, Rng& rng) {
      { world.move(state, action, rng) } -> std::same_as<Step>;
      { world.timed_out(last) } -> std::same_as<bool>;
    };

}  // namespace politex
