// Finite models from JSON files and NumPy's .npz files. docs/guide/add-an-environment.md shows the format.
#pragma once

#include <string>
#include <string_view>

#include "politex/env/finite_model.hpp"

#include "politex/env/entry.hpp"
namespace politex::inline tables {

/// Reads
///   {"states": 2, "actions": 2, "start": 0,
///    "transitions": [[state, action, next, probability], ...],
///    "costs": [[cost of action 0, cost of action 1, ...], ... one row per state],
///    "axes": [[coordinate of every state], ...],
///    "masked": [[state, action], ...]}                              (start, axes and masked may be left out)
/// A masked pair (an action that is impossible in a state) needs no transitions; its cost is not used.
/// Throws ConfigError naming `origin` and the entry.
FiniteModel parse_finite_mdp(std::string_view text, const std::string& origin);

/// Reads the bytes of an .npz file: `data`, `indices`, `indptr` and `shape` of the CSR matrix (states * actions,
/// states) of probabilities, as scipy.sparse.save_npz names them, `cost` (states, actions) or (states,), and `start`
/// and `axes` (axes, states), which may be left out. Throws ConfigError naming `origin`, the array and the entry.
FiniteModel parse_finite_mdp_arrays(std::string bytes, const std::string& origin);

/// The same from a file of either kind: its first bytes decide.
FiniteModel read_finite_mdp(const std::string& file);

/// The bytes that parse_finite_mdp_arrays reads back to the same tables. Throws ConfigError as below.
std::string finite_mdp_arrays(const FiniteModel& model);

/// Writes a file: as .npz if the name ends so, else as JSON.
void write_finite_mdp(const FiniteModel& model, const std::string& file);

/// The text that parse_finite_mdp reads back to the same tables. Throws ConfigError where the model teleports: that is
/// a key of the run, not of the file.
std::string finite_mdp_text(const FiniteModel& model);
/// Throws that error.
void refuse_teleporting(const FiniteModel& model);

const EnvironmentEntry& finite_mdp_entry();

}  // namespace politex::inline tables
