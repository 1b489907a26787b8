#include "politex/run/catalogue.hpp"

#include <array>

#include "politex/algorithm/lspi_learner.hpp"
#include "politex/algorithm/politex_learner.hpp"
#include "politex/algorithm/replay_learner.hpp"
#include "politex/algorithm/rlsvi_learner.hpp"
#include "politex/baselines/centered_q.hpp"
#include "politex/baselines/differential_sarsa.hpp"
#include "politex/baselines/mdp_exp2.hpp"
#include "politex/baselines/mdp_oomd.hpp"
#include "politex/baselines/optimistic_q.hpp"
#include "politex/baselines/psrl.hpp"
#include "politex/baselines/rvi_q.hpp"
#include "politex/baselines/ucrl2b.hpp"
#include "politex/discovery/count_explorer.hpp"
#include "politex/discovery/design_explorer.hpp"
#include "politex/env/access_control.hpp"
#include "politex/env/acrobot.hpp"
#include "politex/env/cartpole.hpp"
#include "politex/env/cartpole_balance.hpp"
#include "politex/env/criss_cross.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/garnet.hpp"
#include "politex/env/inventory.hpp"
#include "politex/env/mountain_car.hpp"
#include "politex/env/n_model.hpp"
#include "politex/env/queues.hpp"
#include "politex/env/replacement.hpp"
#include "politex/env/river_swim.hpp"
#include "politex/env/rooms.hpp"
#include "politex/features/additive.hpp"
#include "politex/features/auto_features.hpp"
#include "politex/features/cells.hpp"
#include "politex/features/features_file.hpp"
#include "politex/features/fourier.hpp"
#include "politex/features/polynomial.hpp"
#include "politex/features/radial.hpp"
#include "politex/features/random_fourier.hpp"
#include "politex/features/tabular.hpp"
#include "politex/features/tiles.hpp"
#include "politex/features/tree_features.hpp"
#include "politex/heuristics/heuristic_explorer.hpp"
#include "politex/neural/novelty_explorer.hpp"
#include "politex/neural/options.hpp"
#include "politex/policy/always.hpp"
#include "politex/policy/energy_pump.hpp"
#include "politex/policy/no_explorer.hpp"
#include "politex/policy/sticky.hpp"
#include "politex/policy/uniform.hpp"
#include "politex/process/atari.hpp"
#include "politex/process/gymnasium.hpp"
#include "politex/process/served.hpp"
#include "politex/run/file_explorer.hpp"
#include "politex/run/goal_run.hpp"
#include "politex/run/linear_run.hpp"
#include "politex/run/neural_run.hpp"
#include "politex/run/optimal_explorer.hpp"
#include "politex/tables/finite_mdp.hpp"

namespace politex::inline run {

// To add a thing: write its file pair, which ends in its entry, and add one line here.

std::span<const EnvironmentEntry* const> shipped_environments() {
  // clang-format off
  static const std::array all = {
      &deep_sea_entry(),
      &river_swim_entry(),
      &garnet_entry(),
      &rooms_entry(),
      &access_control_entry(),
      &queues_entry(),
      &criss_cross_entry(),
      &n_model_entry(),
      &inventory_entry(),
      &replacement_entry(),
      &finite_mdp_entry(),
      &cartpole_entry(),
      &cartpole_balance_entry(),
      &mountain_car_entry(),
      &acrobot_entry(),
      &gymnasium_entry(),
      &atari_entry(),
      &process_entry(),
  };
  // clang-format on
  return all;
}

std::span<const LearnerLine> learner_lines() {
  // clang-format off
  static const std::array all = {
      LearnerLine{&ee_politex_entry(), make_linear_run},
      LearnerLine{&politex_entry(), make_linear_run},
      LearnerLine{&rlsvi_entry(), make_linear_run},
      LearnerLine{&lspi_entry(), make_linear_run},
      LearnerLine{&auto_entry(), make_linear_run},
      LearnerLine{&neural::neural_ee_politex_entry(), make_neural_run},
      LearnerLine{&neural::neural_politex_entry(), make_neural_run},
      LearnerLine{&neural::dqn_entry(), make_neural_run},
      LearnerLine{&q_learning_entry(), make_linear_run},
      LearnerLine{&differential_q_entry(), make_linear_run},
      LearnerLine{&centered_q_entry(), make_linear_run},
      LearnerLine{&rvi_q_entry(), make_linear_run},
      LearnerLine{&differential_sarsa_entry(), make_linear_run},
      LearnerLine{&optimistic_q_entry(), make_linear_run},
      LearnerLine{&mdp_oomd_entry(), make_linear_run},
      LearnerLine{&mdp_exp2_entry(), make_linear_run},
      LearnerLine{&ucrl2b_entry(), make_linear_run},
      LearnerLine{&psrl_entry(), make_linear_run},
      LearnerLine{&goals_entry(), make_goal_run},
  };
  // clang-format on
  return all;
}

std::span<const ExplorerEntry* const> explorers() {
  // clang-format off
  static const std::array all = {
      &no_explorer_entry(),
      &always_entry(),
      &uniform_entry(),
      &sticky_entry(),
      &optimal_entry(),
      &learned_explorer_entry(),
      &count_explorer_entry(),
      &design_explorer_entry(),
      &energy_pump_entry(),
      &heuristic_explorer_entry(),
      &file_explorer_entry(),
      &neural::novelty_entry(),
  };
  // clang-format on
  return all;
}

std::span<const FeaturesEntry* const> feature_maps() {
  // clang-format off
  static const std::array all = {
      &auto_features_entry(),
      &tabular_entry(),
      &additive_entry(),
      &cells_entry(),
      &tree_entry(),
      &tiles_entry(),
      &fourier_entry(),
      &polynomial_entry(),
      &radial_entry(),
      &random_fourier_entry(),
      &features_file_entry(),
  };
  // clang-format on
  return all;
}

}  // namespace politex::inline run
