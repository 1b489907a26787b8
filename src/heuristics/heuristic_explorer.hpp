// A heuristic as exploration policy.
#pragma once

#include <memory>
#include <span>

#include "politex/env/finite_model.hpp"
#include "politex/policy/explorer_entry.hpp"

namespace politex::inline heuristics {

/// Takes actions[state].
std::shared_ptr<const Explorer> explorer_of_actions(std::span<const Action> actions, const FiniteModel& model);

const ExplorerEntry& heuristic_explorer_entry();

}  // namespace politex::inline heuristics
