// The criss-cross network: two kinds of jobs compete for the first server, and one of them continues to a second.
#pragma once

#include "politex/env/entry.hpp"
#include "politex/env/queue_network.hpp"

namespace politex::inline env {

struct CrissCrossOptions {
  double arrival = 0.6;
  double rate3 = 1.0;
  int buffer = 30;
  double lost = 0.0;
};

/// Jobs of classes 1 and 2 come with rate `arrival` each to server 1, which serves either with rate 2 and chooses which
/// (action 0: class 1). Class 1 becomes class 3, which server 2 serves with rate `rate3`. The cost is the number of
/// jobs, and `lost` for a job that finds its buffer full. Throws ConfigError where the load is 1 or more.
QueueNetwork criss_cross_network(const CrissCrossOptions& options);

const EnvironmentEntry& criss_cross_entry();

}  // namespace politex::inline env
