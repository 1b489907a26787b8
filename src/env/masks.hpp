// Action masks: which actions are possible in a state. A masked action is never executed: it is another name of the
// first possible one, in the tables of a finite environment as in the blocks of any other. So nothing that does not
// know masks (the exact solver, a learner that tries every action) can do what is impossible. Policies that know them
// give a masked action the probability 0.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/env/finite_model.hpp"

namespace politex::inline env {

/// The model with these masks (one flag per pair; all 1: as before). The outcomes and costs of masked pairs are
/// replaced by those of the state's first possible action. Throws ConfigError naming a state in which no action is
/// possible.
FiniteModel with_masks(FiniteModel model, std::vector<std::uint8_t> possible);

/// Throws ConfigError where the masks have another size, or a state has no possible action.
void check_masks(const FiniteModel& model);

/// The action itself where it is possible (or nothing is masked), else the first possible one.
Action possible_action(std::span<const std::uint8_t> possible, Action action) noexcept;
inline Action possible_action(const FiniteModel& model, int state, Action action) noexcept {
  if (!model.masked()) return action;
  return possible_action(
      std::span(model.possible)
          .subspan(static_cast<std::size_t>(model.pair(state, 0)), static_cast<std::size_t>(model.actions)),
      action);
}

/// Throws ConfigError{key} where the policy gives a masked action a probability above 0: names state, action, and what
/// is accepted.
void check_takes_possible(const FiniteModel& model, std::span<const double> probabilities, const std::string& key,
                          std::string_view policy);

/// The same policy with the probabilities of masked actions moved to the actions that they are other names of.
void move_to_possible(const FiniteModel& model, std::span<double> probabilities) noexcept;

}  // namespace politex::inline env
