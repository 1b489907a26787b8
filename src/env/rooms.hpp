// Four rooms: a square grid cut by two walls, each with two doors. Moves slip; the goal pays 1 and leads back to the
// start.
#pragma once

#include "politex/env/entry.hpp"
#include "politex/env/finite_model.hpp"

namespace politex::inline env {

struct RoomsOptions {
  int size = 11;
  double slip = 0.1;
  int goal = -1;
};

/// States are row * size + column; the walls are between cells, so every cell is a state. Actions: up, right, down,
/// left. With probability `slip` the direction is uniformly random. The start is the upper left cell, the goal (-1) the
/// lower right one: there every action costs -1 and leads to the start, and nothing else costs anything. Throws
/// ConfigError naming the option.
FiniteModel rooms_model(const RoomsOptions& options);

const EnvironmentEntry& rooms_entry();

}  // namespace politex::inline env
