// Harrison's N-model: two classes, two servers, and one of the servers may help with the other's class.
#pragma once

#include "politex/env/entry.hpp"
#include "politex/env/queue_network.hpp"

namespace politex::inline env {

struct NModelOptions {
  double load = 0.9;
  int buffer = 120;
  double lost = 0.0;
};

/// Arrival rates 1.3 and 0.4 times `load`, holding costs 3 and 1; a job that finds its buffer full costs
/// `lost`. Server 1 serves class 1 (rate 1); server 2 serves
/// class 1 (rate 1/2, action 0) or class 2 (rate 1, action 1).
QueueNetwork n_model_network(const NModelOptions& options);

const EnvironmentEntry& n_model_entry();

}  // namespace politex::inline env
