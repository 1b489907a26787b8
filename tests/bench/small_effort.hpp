// The effort of tests: the times that it measures mean nothing, but rows are made from them as from long ones.
#pragma once

#include "politex/bench/bench_clock.hpp"

namespace politex {

inline BenchEffort small_effort() { return {.repetitions = 1, .share = 0.001}; }

}  // namespace politex
