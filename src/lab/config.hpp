// The configuration of a run: plain structs, one per TOML table. src/lab/fields.cpp lists every key once, with its
// range and its meaning; the TOML reader, the command line, `politex list` and Python are fed from there.
#pragma once

#include <cstdint>
#include <string>

#include "politex/base/length.hpp"

namespace politex::lab {

struct EnvironmentConfig {
  std::string name = "deep_sea";
  std::int64_t size = 20;  // deep_sea: grid side; river_swim: states (default 6)
  double teleport = 0.0;
  double lazy = 0.0;
  std::string swap = "none";      // deep_sea: none, all, rows
  std::int64_t states = 50;       // garnet
  std::int64_t actions = 4;       // garnet
  std::int64_t branching = 3;     // garnet
  std::uint64_t model_seed = 1;   // garnet, deep_sea swap = rows: which random model
  std::string file;               // finite_mdp
  double height = 0.5;            // cartpole: cos(angle) above it is upright
  double centre = 1.0;            // cartpole: |position| below it is centred
  double spin = 1.0;              // cartpole: |angular velocity| below it is slow
  double move_cost = 0.1;         // cartpole
  std::string reward = "sparse";  // cartpole: sparse, raised
  std::int64_t episode = 0;       // cartpole, ...: steps until the clock cuts; 0: the world's own
  double restart_cost = 0.0;      // gymnasium: added to the step that terminates
  std::string id, options;        // gymnasium: what gymnasium.make is given
  std::string command;            // process: the program that serves
  std::string python;             // gymnasium, atari: which one; empty: POLITEX_PYTHON, else python3
  double time_limit = 60.0;       // gymnasium, atari, process: seconds after which a process hangs
  std::string game = "ms_pacman", observation = "ram";        // atari
  std::int64_t frame_skip = 4, noops = 30, frames = 108'000;  // atari
  double sticky = 0.25;                                       // atari
  bool life_loss = true;                                      // atari
};

struct AlgorithmConfig {
  std::string name = "ee_politex";    // politex, ee_politex, rlsvi, lspi
  std::string estimator = "lsmc";     // lsmc, lspe
  std::string visits = "every";       // one, first, every
  std::string average = "phase";      // phase, rollout, last_cost
  Length horizon = Length::steps(0);  // costs in a return; 0: to the end of the rollout
  std::string eta = "0.1";            // a number, or "theory"
  double q_max = 0.0;
  double ridge = 0.01;
  bool centre = false;                // lsmc: take the mean off the returns
  double epsilon = 0.05;              // lspi
  double prior = 1.0;                 // rlsvi: prior precision
  double noise = 1.0;                 // rlsvi: standard deviation
  std::int64_t buffer = 100'000;      // rlsvi, lspi where states are not finite
  std::string lspe = "fixed_point";   // fixed_point, iterated
  std::int64_t lspe_iterations = 20;  // iterated
  double lspe_step = 0.5;             // iterated
  std::string solve = "ridge";        // lspe, lspi: ridge, min_norm
  std::string path = "auto";          // auto, compiled, generic: which loop walks a finite environment
};

struct ScheduleConfig {
  std::string kind = "fixed";  // fixed, theory, theory_text, politex, doubling
  std::int64_t rollouts = 5;
  Length explore = Length{.constant = 0, .numerator = 1, .denominator = 2};
  Length follow = Length{.constant = 0, .numerator = 1, .denominator = 1};
  bool coprime = false;          // lengthen follow until gcd(explore + 1 + follow, N) = 1
  double phase_scale = 100.0;    // neural: a phase ends after phase_scale * sqrt(all learner steps)
  std::int64_t phase_steps = 0;  // neural: above 0: after so many learner steps instead
  double follow_scale = 1.0;  // neural: a mini-phase follows the policy for follow_scale * sqrt(phase), whole episodes
  bool whole_episodes = false;  // neural: a mini-phase ends with its episode
};

struct ExplorerConfig {
  std::string name = "always";  // none, always, uniform, optimal, file
  std::int64_t action = 1;      // always
  std::string file;             // file
};

struct FeaturesConfig {
  std::string name = "auto";  // auto, tabular, additive, tiles, fourier, file
  std::string file;           // file
  bool basis = false;         // finite states: only a basis of the columns' span
  std::int64_t tilings = 8;   // tiles
  std::int64_t tiles = 8;     // tiles: per axis
  std::int64_t order = 3;     // fourier
  std::int64_t coupling = 0;  // fourier: most coordinates in one product; 0: all
};

struct NetworkConfig {
  std::string kind = "mlp";  // mlp, nature
  std::int64_t hidden = 512;
  std::int64_t layers = 1;
};

struct ReplayConfig {
  std::int64_t capacity = 1'000'000;
  std::string kind = "uniform";  // uniform, prioritised
  double priority_exponent = 0.6;
  double importance_exponent = 0.4;
};

struct LearnerConfig {
  std::string target = "expected_sarsa";  // expected_sarsa, sarsa, max
  bool double_q = true;                   // max
  std::string mode = "discounted";        // discounted, differential
  double discount = 0.995;
  double gain_rate = 0.001;  // differential
  std::int64_t batch = 128;
  std::int64_t n_step = 10;
  std::int64_t n_step_explorer = 0;  // 0: as n_step
  std::string transform = "none";    // none, root, sign
  double cost_scale = 0.0;           // 0: 10 (1 - discount); 1 with a transform
  std::int64_t target_copy = 200;
  double rate = 1e-3;
  double adam_epsilon = 1e-3;
  double clip = 40.0;
};

struct ActorsConfig {
  std::int64_t environments = 16;
  std::int64_t transitions_per_step = 16;
  std::int64_t threads = -1;   // beside the learner's own; -1: the cores that are left
  std::int64_t processes = 0;  // gymnasium, atari, process: children for each block of environments; 0: one a core
};

struct PolicyConfig {
  std::string combine = "sum";         // sum, average
  std::string step_norm = "weighted";  // weighted, plain
  double alpha = 10.0;
  std::int64_t ring = 10;
};

/// Of explorers that drive to goals; see neural/goals.hpp.
struct GoalConfig {
  std::int64_t x = 10, y = 16;  // numbers of the observation that tell the position (Ms. Pac-Man's RAM)
  std::int64_t cell = 8;
  std::int64_t limit = 200;
  double discount = 0.97;
  std::int64_t replays = 4;
  std::int64_t measure = 16'000;  // steps that every policy is measured for in the end; 0: not measured
};

struct ExactConfig {
  std::int64_t every = 0;
};

struct Config {
  std::int64_t steps = 1'000'000;
  std::uint64_t seed = 1;
  EnvironmentConfig environment;
  AlgorithmConfig algorithm;
  ScheduleConfig schedule;
  ExplorerConfig explorer;
  FeaturesConfig features;
  NetworkConfig network;
  ReplayConfig replay;
  LearnerConfig learner;
  ActorsConfig actors;
  PolicyConfig policy;
  GoalConfig goal;
  ExactConfig exact;
};

}  // namespace politex::lab
