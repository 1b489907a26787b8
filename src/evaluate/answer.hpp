// What `politex evaluate` and politex.evaluate_policy compute: from names to a comparison.
#pragma once

#include <string>

#include "politex/evaluate/comparison.hpp"
#include "politex/run/config.hpp"

namespace politex::inline evaluate {

struct Question {
  Config config;        // the environment's
  std::string policy;   // as read_policy_source() reads it
  std::string against;  // empty: no comparison
  std::string log;      // a log to estimate from, instead of an exact answer or a simulation; empty: none
  EvaluationOptions options;
};

/// Exact on finite environments whose policies depend on the state alone, else simulated. Throws ConfigError.
Comparison answer(const Question& question);

/// Members of the JSON object that say what was evaluated.
std::string question_facts(const Question& question);

}  // namespace politex::inline evaluate
