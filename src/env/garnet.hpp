// Garnets: random finite models. Every pair has `branching` distinct successors with probabilities cut from the unit
// interval at uniformly random points, and a cost uniform in [0, 1).
#pragma once

#include <cstdint>

#include "politex/env/finite_model.hpp"

#include "politex/env/entry.hpp"
namespace politex::inline env {

struct GarnetOptions {
  int states = 50;
  int actions = 4;
  int branching = 3;
  std::uint64_t model_seed = 1;
};

/// The same options give the same model on every machine. Throws ConfigError naming the option.
FiniteModel garnet_model(const GarnetOptions& options);

const EnvironmentEntry& garnet_entry();

}  // namespace politex::inline env
