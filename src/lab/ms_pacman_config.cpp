#include "politex/lab/ms_pacman_grid.hpp"

namespace politex::lab {

namespace {

EnvironmentConfig the_game() {
  EnvironmentConfig environment;
  environment.name = "atari";
  environment.game = "ms_pacman";
  environment.observation = "ram";
  return environment;
}

}  // namespace

Config game_config(const GameVariant& variant, std::uint64_t seed, const GameGrid& grid, const std::string& explorer) {
  Config config;
  config.steps = grid.steps;
  config.seed = seed;
  config.environment = the_game();
  config.algorithm.name = variant.explores ? "neural_ee_politex" : "neural_politex";
  config.schedule.phase_scale = 20.0;
  if (variant.explores) {
    // One game of the explorer, then one or more of the policy.
    config.schedule.explore = Length::steps(1);
    config.schedule.whole_episodes = true;
    config.explorer.name = "file";
    config.explorer.file = explorer;
  }
  config.network.hidden = 512;
  config.replay.capacity = 300'000;
  config.learner.target = "expected_sarsa";
  config.learner.discount = 0.99;
  config.learner.n_step = 5;
  config.learner.transform = "root";
  config.learner.rate = 5e-4;
  config.learner.target_copy = 300;
  config.actors.environments = 8;
  config.actors.transitions_per_step = 4;
  return config;
}

Config game_explorer_config(bool quick) {
  Config config;
  config.steps = quick ? 30'000 : 120'000;
  config.environment = the_game();
  config.algorithm.name = "goals";
  config.algorithm.epsilon = 0.1;
  if (quick) config.goal.measure = 4'000;
  return config;
}

}  // namespace politex::lab
