#include "politex/env/deep_sea.hpp"

#include <fmt/format.h>

#include "politex/base/error.hpp"

#include "politex/env/entry.hpp"
namespace politex::inline env {

DeepSea::DeepSea(int size, Swap swap, std::uint64_t model_seed) : size_(size) {
  if (size < 2 || size > 1000) throw ConfigError{"environment.size", fmt::format("{}; accepted: 2 to 1000", size)};
  swapped_.assign(static_cast<std::size_t>(size), swap == Swap::all ? 1 : 0);
  if (swap != Swap::rows) return;
  Rng rng{model_seed, Use::model};
  for (int& row : swapped_) row = static_cast<int>(rng.below(2));
}

FiniteModel deep_sea_model(const DeepSea& environment) {
  FiniteModel model = compile(environment, std::string(deep_sea_entry().name), environment.size(), 0);
  std::vector<int> rows, columns;
  for (int x = 0; x < environment.states(); ++x) {
    rows.push_back(environment.state(x).row);
    columns.push_back(environment.state(x).column);
  }
  model.axes = {std::move(rows), std::move(columns)};
  model.layout = Layout::grid;
  model.rows_advance = true;
  return model;
}

namespace {

struct DeepSeaOptions {
  int size = 20;
  Swap swap = Swap::none;
  std::uint64_t model_seed = 1;
};

Keys deep_sea_keys() {
  return Keys{key<&DeepSeaOptions::size>("environment.size", "side of the grid; also the N of lengths such as \"3N/4\"",
                                         whole(2, 1000)),
              key<&DeepSeaOptions::swap>("environment.swap", "where the two actions are exchanged",
                                         word({{"none", "nowhere, as in the paper"},
                                               {"all", "everywhere"},
                                               {"rows", "in rows drawn by model_seed"}})),
              key<&DeepSeaOptions::model_seed>("environment.model_seed", "seed that draws the rows of swap = \"rows\"",
                                               whole(0, largest_whole))} +
         finite_keys();
}

FiniteModel deep_sea_tables(const Values& values) {
  const auto options = read<DeepSeaOptions>(deep_sea_keys(), values);
  return with_finite_keys(deep_sea_model(DeepSea(options.size, options.swap, options.model_seed)), values);
}

Space deep_sea_space(const Values& values) {
  const int size = read<DeepSeaOptions>(deep_sea_keys(), values).size;
  return finite_space(deep_sea_entry().name, size * size, 2, size);
}

}  // namespace

const EnvironmentEntry& deep_sea_entry() {
  static const EnvironmentEntry entry{
      .name = "deep_sea",
      .help = "the paper's grid of N x N: a treasure in the far corner, and costs on the way to it",
      .keys = deep_sea_keys(),
      .space = deep_sea_space,
      .model = deep_sea_tables};
  return entry;
}

}  // namespace politex::inline env
