// Small runs of the real loop for the tests of this folder.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "politex/algorithm/block_collector.hpp"
#include "politex/algorithm/finite_collector.hpp"
#include "politex/algorithm/lspi_learner.hpp"
#include "politex/algorithm/phase_loop.hpp"
#include "politex/algorithm/politex_learner.hpp"
#include "politex/algorithm/rlsvi_learner.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/garnet.hpp"
#include "politex/env/river_swim.hpp"
#include "politex/features/additive.hpp"
#include "politex/features/tabular.hpp"
#include "politex/policy/table_explorer.hpp"

namespace politex::test {

struct SmallRun {
  FiniteModel model = deep_sea_model(DeepSea(6));
  std::string algorithm = "ee_every";  // one of every_algorithm
  std::int64_t steps = 5000;
  std::int64_t horizon = 0;
  std::uint64_t seed = 1;
  bool compiled = true;
};

inline Features features_of(const FiniteModel& model) {
  return model.axes.empty() ? tabular_features(model) : additive_features(model);
}

inline std::unique_ptr<PhaseLoop> make_loop(const SmallRun& setup) {
  const TableEnvironment environment(setup.model);
  const Features features = features_of(setup.model);
  PolicyTable explorer(environment.states(), environment.actions());
  explorer.set_always(environment.actions() - 1);
  const std::string& name = setup.algorithm;
  const bool explores = name.starts_with("ee_");
  const Lengths lengths = explores ? Lengths{4, 4, 1, 12} : Lengths{4, 0, 0, 17};
  const Schedule schedule(
      {.kind = ScheduleOptions::Kind::fixed, .steps = setup.steps, .explores = explores, .fixed = lengths});
  std::unique_ptr<Collector> collector;
  const Features* finite = nullptr;
  if (setup.compiled) {
    auto made = std::make_unique<FiniteCollector>(environment, features, explorer, setup.seed);
    finite = &made->features();
    collector = std::move(made);
  } else {
    collector = std::make_unique<BlockCollector>(
        std::make_unique<BlockOf<TableEnvironment>>(environment, setup.seed), std::make_unique<FeatureTable>(features),
        std::make_shared<TableExplorer>(explorer), setup.seed, BlockCollectorOptions{.states = true});
  }
  const FeatureStructure structure = features.structure();
  std::unique_ptr<Learner> learner;
  PolitexLearner::StepSize step_size{.eta = 0.1, .q_max = 0.0};
  if (name == "rlsvi") {
    const double state = setup.model.start;
    Features start = features_at(FeatureTable(features), {&state, 1}, features.actions);
    learner = std::make_unique<RlsviLearner>(RlsviOptions{}, structure, 100'000, start, finite, setup.seed);
  } else if (name == "lspi") {
    learner = std::make_unique<LspiLearner>(LspiOptions{}, structure, features.actions, 100'000, 0.05, finite);
  } else if (name == "lspe") {
    learner = std::make_unique<PolitexLearner>(Lspe({}, structure), structure, step_size, features.actions, 1.0);
  } else {
    const LsmcOptions options{.visits = name == "ee_one" || name == "ee_own" ? Visits::one
                                        : name == "ee_first"                 ? Visits::first
                                                                             : Visits::every,
                              .average = name == "ee_own" ? Average::rollout : Average::phase,
                              .horizon = setup.horizon,
                              .ridge = 0.01,
                              .baseline = name == "ee_state" ? Baseline::state : Baseline::none,
                              .ridge_by_count = name == "ee_state"};
    step_size.scale_free = name == "ee_state" || name == "scale_free" || name == "adaptive";
    learner = std::make_unique<PolitexLearner>(
        Lsmc(options, structure), structure, step_size, features.actions, 1.0,
        name == "ee_adaptive" || name == "adaptive" ? Combine::adaptive : Combine::sum);
  }
  return std::make_unique<PhaseLoop>(std::move(collector), std::move(learner), schedule, setup.steps);
}

inline const char* const every_algorithm[] = {"ee_every", "ee_first", "ee_one",     "ee_own", "ee_state", "ee_adaptive",
                                              "adaptive", "lsmc",     "scale_free", "lspe",   "rlsvi",    "lspi"};

inline std::vector<FiniteModel> some_models() {
  return {deep_sea_model(DeepSea(6)), compile(RiverSwim(), "river_swim", 6, 0),
          with_teleport(garnet_model({.states = 12, .actions = 3, .branching = 2, .model_seed = 2}), 0.1)};
}

}  // namespace politex::test
