// A linear learner on an environment that lives outside this program: an object of Python, or another process.
#pragma once

#include <atomic>
#include <memory>

#include "politex/lab/run.hpp"
#include "politex/politex/outside_collector.hpp"

namespace politex::lab {

struct OutsideRunOptions {
  OutsideExplorer explorer = {};            // empty: the one that the configuration names
  bool observation_is_features = false;     // features.name is not looked at
  const std::atomic<bool>* stop = nullptr;  // true: a phase ends early; extendable runs carry it on
  bool extendable = false;
};

/// The N of lengths such as "3N/4": the number of states, else the steps of an episode, else 100.
int outside_size(const OutsideSpace& space);

/// features.name "auto": tabular for states, else a Fourier basis of at most about 80 features. The block holds one
/// environment. Throws ConfigError before a step is taken.
std::unique_ptr<Run> make_outside_run(const Config& config, std::unique_ptr<OutsideBlock> block,
                                      const OutsideRunOptions& options = {});

/// The feature map that a run on this space has.
std::unique_ptr<ObservationMap> make_observation_map(const FeaturesConfig& config, const OutsideSpace& space);

}  // namespace politex::lab
