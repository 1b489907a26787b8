#include "politex/env/rooms.hpp"

#include <fmt/format.h>

#include <array>

#include "politex/base/error.hpp"
#include "politex/env/model_builder.hpp"

namespace politex::inline env {
namespace {

struct Direction {
  int down, right;
};
constexpr std::array<Direction, 4> directions = {{{-1, 0}, {0, 1}, {1, 0}, {0, -1}}};

// The wall between the halves has a door in the middle of either half.
bool is_door(int size, int along) {
  const int half = size / 2;
  return along == half / 2 || along == half + (size - half) / 2;
}

int cell_after(int size, int cell, Direction direction) {
  const int row = cell / size, column = cell % size;
  const int to_row = row + direction.down, to_column = column + direction.right;
  if (to_row < 0 || to_row >= size || to_column < 0 || to_column >= size) return cell;
  const int half = size / 2;
  const bool through_wall = (row < half) != (to_row < half) || (column < half) != (to_column < half);
  const int along = direction.down != 0 ? column : row;
  return through_wall && !is_door(size, along) ? cell : to_row * size + to_column;
}

void check_rooms_options(const RoomsOptions& options) {
  const int cells = options.size * options.size;
  if (options.goal == 0 || options.goal >= cells)
    throw ConfigError{"environment.goal",
                      fmt::format("{} is not accepted; accepted: a cell other than the start, 1 to {} (row * size + "
                                  "column), or -1 for the lower right corner",
                                  options.goal, cells - 1)};
}

}  // namespace

FiniteModel rooms_model(const RoomsOptions& options) {
  check_rooms_options(options);
  const int size = options.size, start = 0;
  const int goal = options.goal < 0 ? size * size - 1 : options.goal;
  ModelBuilder builder(rooms_entry().name, 4);
  for (int cell = 0; cell < size * size; ++cell) {
    for (const Direction& chosen : directions) {
      if (cell == goal) {
        builder.add(start, 1.0);
      } else {
        builder.add(cell_after(size, cell, chosen), 1.0 - options.slip);
        for (const Direction& any : directions) builder.add(cell_after(size, cell, any), options.slip / 4.0);
      }
      builder.end_pair(cell == goal ? -1.0 : 0.0);
    }
  }
  FiniteModel model = std::move(builder).finish(size, start);
  model.layout = Layout::grid;
  return model;
}

namespace {

Keys rooms_keys() {
  return Keys{key<&RoomsOptions::size>("environment.size", "side of the grid; also the N of lengths such as \"3N/4\"",
                                       whole(3, 300)),
              key<&RoomsOptions::slip>("environment.slip", "probability of a move in a uniformly random direction",
                                       number(0, 1)),
              key<&RoomsOptions::goal>("environment.goal",
                                       "cell of the goal, row * size + column; -1: the lower right corner",
                                       whole(-1, 89'999))} +
         finite_keys();
}

FiniteModel rooms_tables(const Values& values) {
  return with_finite_keys(rooms_model(read<RoomsOptions>(rooms_keys(), values)), values);
}

void check_rooms(const Values& values) { check_rooms_options(read<RoomsOptions>(rooms_keys(), values)); }

Space rooms_space(const Values& values) {
  const int size = read<RoomsOptions>(rooms_keys(), values).size;
  return finite_space(rooms_entry().name, size * size, 4, size);
}

}  // namespace

const EnvironmentEntry& rooms_entry() {
  static const EnvironmentEntry entry{.name = "rooms",
                                      .help = "four rooms with doors: the goal in the far corner pays 1",
                                      .keys = rooms_keys(),
                                      .space = rooms_space,
                                      .model = rooms_tables,
                                      .check = check_rooms};
  return entry;
}

}  // namespace politex::inline env
