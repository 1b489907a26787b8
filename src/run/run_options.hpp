// Options of make_run, and parts that its caller may pass instead of those that the configuration names.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "politex/base/fleet.hpp"
#include "politex/env/block.hpp"
#include "politex/env/finite_model.hpp"
#include "politex/features/feature_map.hpp"
#include "politex/policy/explorer.hpp"

namespace politex::inline run {

/// None of these affects results.
struct RunOptions {
  bool exact = true;        // false: no exact answers, unless exact.every > 0 asks for them
  bool regret = true;       // false: of the exact answers only the final policy's gains; the regret is NaN
  bool extendable = false;  // keeps and saves what Run::extend needs
  Fleet* fleet = nullptr;   // the ranks of a job: neural learners act on all of them
  const std::atomic<bool>* stop = nullptr;  // true: a phase ends early; extendable runs continue it
};

/// Parts passed by the caller; with a model or a block, Config::brings_environment is set.
struct RunParts {
  std::optional<FiniteModel> model{};
  std::unique_ptr<EnvironmentBlock> block{};
  std::shared_ptr<const Explorer> explorer{};
  std::unique_ptr<FeatureMap> features{};
  std::shared_ptr<const Explorer> prior{};  // the policy that learning begins with, instead of algorithm.incumbent
  std::optional<double> restart_cost{};     // of linear learners; none: as the configuration says
};

}  // namespace politex::inline run
