// What a finite problem is besides its tables: the part of it that rules of thumb (heuristics/) decide by, and how
// people draw it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "politex/env/queue_network.hpp"

namespace politex::inline env {

/// Units on hand and on order, less those owed. Action 0 orders nothing, action a orders up to a where there is less.
struct StockStructure {
  std::vector<int> position{};  // by state
  int highest = 0;              // the last level that can be ordered up to
};

/// One number decides between two actions.
struct LevelStructure {
  std::vector<int> level{};  // by state
  int highest = 0;
  Action below = 0, from = 1;  // below a threshold, and from it on
};

/// The states as a table for pictures: state x is in row x / columns and column x % columns.
struct StateMap {
  int columns = 1;
  std::string row{}, column{};         // what they count
  std::vector<std::string> actions{};  // what each action does
};

/// At most one of network, stock and levels is given.
struct ProblemStructure {
  std::optional<QueueNetwork> network{};  // states as in network_model
  std::optional<StockStructure> stock{};
  std::optional<LevelStructure> levels{};
  std::optional<StateMap> map{};
};

}  // namespace politex::inline env
