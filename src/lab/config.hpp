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
  std::string swap = "none";     // deep_sea: none, all, rows
  std::int64_t states = 50;      // garnet
  std::int64_t actions = 4;      // garnet
  std::int64_t branching = 3;    // garnet
  std::uint64_t model_seed = 1;  // garnet, deep_sea swap = rows: which random model
  std::string file;              // finite_mdp
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
  bool coprime = false;  // lengthen follow until gcd(explore + 1 + follow, N) = 1
};

struct ExplorerConfig {
  std::string name = "always";  // none, always, uniform, optimal, file
  std::int64_t action = 1;      // always
  std::string file;             // file
};

struct FeaturesConfig {
  std::string name = "auto";  // auto, tabular, additive, tiles, fourier, file
  std::string file;           // file
  std::int64_t tilings = 8;   // tiles
  std::int64_t tiles = 8;     // tiles: per axis
  std::int64_t order = 3;     // fourier
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
  ExactConfig exact;
};

}  // namespace politex::lab
