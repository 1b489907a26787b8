// A machine that wears: running it costs more the more it is worn, and a new one costs once.
#pragma once

#include "politex/env/entry.hpp"
#include "politex/env/finite_model.hpp"

namespace politex::inline env {

struct ReplacementOptions {
  int size = 10;
  double wear = 0.3;
  double operating = 1.0;
  double replace = 15.0;
  double broken = 50.0;
};

/// States are conditions, 0 (new) to size - 1 (broken). Action 0 keeps the machine: a step costs `operating` times the
/// condition, `broken` where it is broken, and the condition becomes one worse with probability `wear`. Action 1
/// replaces it: the step costs `replace`, and the next state is 0.
FiniteModel replacement_model(const ReplacementOptions& options);

const EnvironmentEntry& replacement_entry();

}  // namespace politex::inline env
