#include "politex/env/deep_sea.hpp"

#include <fmt/format.h>

#include "politex/base/error.hpp"

namespace politex {

DeepSea::DeepSea(int size, Swap swap, std::uint64_t model_seed) : size_(size) {
  if (size < 2 || size > 1000) throw ConfigError{"environment.size", fmt::format("{}; accepted: 2 to 1000", size)};
  swapped_.assign(static_cast<std::size_t>(size), swap == Swap::all ? 1 : 0);
  if (swap != Swap::rows) return;
  Rng rng{model_seed, Use::model};
  for (int& row : swapped_) row = static_cast<int>(rng.below(2));
}

FiniteModel deep_sea_model(const DeepSea& world) {
  FiniteModel model = compile(world, "deep_sea", world.size(), 0);
  std::vector<int> rows, columns;
  for (int x = 0; x < world.states(); ++x) {
    rows.push_back(world.state(x).row);
    columns.push_back(world.state(x).column);
  }
  model.axes = {std::move(rows), std::move(columns)};
  return model;
}

}  // namespace politex
