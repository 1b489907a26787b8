#include "politex/env/garnet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "politex/base/error.hpp"
#include "politex/base/machine.hpp"

#include "politex/env/entry.hpp"
namespace politex::inline env {
namespace {

void check(const GarnetOptions& options) {
  const auto in_range = [](const char* key, std::int64_t value, std::int64_t low, std::int64_t high) {
    if (value < low || value > high) throw ConfigError{key, fmt::format("{}; accepted: {} to {}", value, low, high)};
  };
  in_range("environment.states", options.states, 1, 1'000'000);
  in_range("environment.actions", options.actions, 1, 1'000);
  in_range("environment.branching", options.branching, 1, options.states);
  // Vectors that grow hold up to twice what is in them.
  const double bytes = 2.0 * options.states * options.actions * (16.0 + 12.0 * options.branching);
  if (bytes > machine_memory())
    throw ConfigError{
        "environment.states",
        fmt::format("{} states, {} actions and branching {} take about {:.1f} GB; accepted: what this "
                    "machine has, {:.1f} GB",
                    options.states, options.actions, options.branching, 1e-9 * bytes, 1e-9 * machine_memory())};
}

}  // namespace

FiniteModel garnet_model(const GarnetOptions& options) {
  check(options);
  FiniteModel model;
  model.name = garnet_entry().name;
  model.states = model.size = options.states;
  model.actions = options.actions;
  model.first = {0};
  const auto branching = static_cast<std::size_t>(options.branching);
  Rng rng{options.model_seed, Use::model};
  std::vector<std::int32_t> shuffled(static_cast<std::size_t>(options.states));
  std::iota(shuffled.begin(), shuffled.end(), 0);
  std::vector<double> cuts;
  for (int pair = 0; pair < model.pairs(); ++pair) {
    // The first `branching` steps of a Fisher-Yates shuffle draw distinct successors from any earlier order.
    for (std::size_t k = 0; k < branching; ++k) std::swap(shuffled[k], shuffled[k + rng.below(shuffled.size() - k)]);
    cuts = {0.0, 1.0};
    for (std::size_t k = 1; k < branching; ++k) cuts.push_back(rng.uniform());
    std::sort(cuts.begin(), cuts.end());
    for (std::size_t k = 0; k < branching; ++k) {
      model.next.push_back(shuffled[k]);
      model.probability.push_back(cuts[k + 1] - cuts[k]);
    }
    model.first.push_back(static_cast<std::int64_t>(model.next.size()));
    model.cost.push_back(rng.uniform());
  }
  check(model);
  return model;
}

namespace {

Keys garnet_keys() {
  return Keys{key<&GarnetOptions::states>("environment.states", "number of states; also the N of lengths",
                                          whole(1, 1'000'000)),
              key<&GarnetOptions::actions>("environment.actions", "number of actions", whole(1, 1000)),
              key<&GarnetOptions::branching>("environment.branching",
                                             "successors of every state and action, at most `states`",
                                             whole(1, 1'000'000)),
              key<&GarnetOptions::model_seed>("environment.model_seed", "seed that draws the random model",
                                              whole(0, largest_whole))} +
         finite_keys();
}

FiniteModel garnet_tables(const Values& values) {
  return with_finite_keys(garnet_model(read<GarnetOptions>(garnet_keys(), values)), values);
}

void check_garnet(const Values& values) {
  const auto options = read<GarnetOptions>(garnet_keys(), values);
  if (options.branching > options.states)
    throw ConfigError{"environment.branching",
                      fmt::format("{} is not accepted; accepted: at most environment.states = {}", options.branching,
                                  options.states)};
}

Space garnet_space(const Values& values) {
  const auto options = read<GarnetOptions>(garnet_keys(), values);
  return finite_space(garnet_entry().name, options.states, options.actions, options.states);
}

}  // namespace

const EnvironmentEntry& garnet_entry() {
  static const EnvironmentEntry entry{.name = "garnet",
                                      .help = "a random finite environment: states, actions, branching, model_seed",
                                      .keys = garnet_keys(),
                                      .space = garnet_space,
                                      .model = garnet_tables,
                                      .check = check_garnet};
  return entry;
}

}  // namespace politex::inline env
