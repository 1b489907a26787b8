#include "politex/env/garnet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "politex/base/error.hpp"

namespace politex {
namespace {

void check(const GarnetOptions& options) {
  const auto in_range = [](const char* key, std::int64_t value, std::int64_t low, std::int64_t high) {
    if (value < low || value > high) throw ConfigError{key, fmt::format("{}; accepted: {} to {}", value, low, high)};
  };
  in_range("environment.states", options.states, 1, 1'000'000);
  in_range("environment.actions", options.actions, 1, 1'000);
  in_range("environment.branching", options.branching, 1, options.states);
}

}  // namespace

FiniteModel garnet_model(const GarnetOptions& options) {
  check(options);
  FiniteModel model;
  model.name = "garnet";
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

}  // namespace politex
