// What an environment is. Rules are const, the state is a value, randomness is passed in. Costs, never rewards.
#pragma once

#include <concepts>
#include <span>
#include <vector>

#include "politex/base/rng.hpp"

namespace politex::inline env {

/// Actions are 0 .. actions()-1.
using Action = int;

/// The result of one step. `restarted`: the environment went back to a start (an episode's end, counted as part of the
/// continuing problem); the state is already the new one.
struct Step {
  double cost = 0.0;
  bool restarted = false;
};

/// An environment that never resets from the learner's point of view.
template <class E>
concept Environment = std::copyable<typename E::State> &&
                      requires(const E& environment, typename E::State& state, Action action, Rng& rng) {
                        { environment.actions() } -> std::convertible_to<int>;
                        { environment.start(rng) } -> std::same_as<typename E::State>;
                        { environment.step(state, action, rng) } -> std::same_as<Step>;
                      };

/// One possible successor of a state-action pair.
struct Outcome {
  int next = 0;
  double probability = 0.0;
};

/// An environment that can list its states and outcomes; it is compiled once into a FiniteModel. `step` must take no
/// draw where there is one outcome, and otherwise sample with `pick_outcome` (env/finite_model.hpp): then the
/// environment itself and its compiled tables walk through the same states, bit for bit.
template <class E>
concept FiniteEnvironment = Environment<E> && requires(const E& environment, const typename E::State& state, int index,
                                                       Action action, std::vector<Outcome>& into) {
  { environment.states() } -> std::convertible_to<int>;
  { environment.index(state) } -> std::convertible_to<int>;
  { environment.state(index) } -> std::same_as<typename E::State>;
  { environment.cost(index, action) } -> std::convertible_to<double>;
  environment.outcomes(index, action, into);  // appends, probabilities sum to 1
};

/// An environment whose state can be written as a vector of doubles, for features of continuous states and for
/// networks.
template <class E>
concept ObservableEnvironment =
    Environment<E> && requires(const E& environment, const typename E::State& state, std::span<double> into) {
      { environment.observation_size() } -> std::convertible_to<int>;
      environment.observe(state, into);
    };

/// An environment whose episodes end at a time limit. `move` is a step without that end; `step` is `move`, then `start`
/// when `timed_out`. A learner that bootstraps calls the parts, and looks at the last state before it is replaced: the
/// time limit is a truncation, not an end. Restarts that are part of the rules (a fall, a goal) stay inside `move`.
template <class E>
concept TimeLimitedEnvironment =
    ObservableEnvironment<E> &&
    requires(const E& environment, typename E::State& state, const typename E::State& last, Action action, Rng& rng) {
      { environment.move(state, action, rng) } -> std::same_as<Step>;
      { environment.timed_out(last) } -> std::same_as<bool>;
    };

/// An environment that can check whether a state read from a file is possible in it.
template <class E>
concept CheckedEnvironment = Environment<E> && requires(const E& environment, const typename E::State& state) {
  { environment.valid(state) } -> std::same_as<bool>;
};

/// An environment that says which actions are possible: it executes the first possible one in place of a masked one.
template <class E>
concept MaskedEnvironment =
    Environment<E> && requires(const E& environment, const typename E::State& state, std::span<std::uint8_t> into) {
      { environment.masked() } -> std::same_as<bool>;
      environment.possible(state, into);  // one flag per action
    };

}  // namespace politex::inline env
