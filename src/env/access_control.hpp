// Access control (Sutton and Barto, example 10.2): jobs of four priorities come one by one to a group of servers, and
// each is accepted or rejected.
#pragma once

#include "politex/env/entry.hpp"
#include "politex/env/finite_model.hpp"

namespace politex::inline env {

struct AccessControlOptions {
  int servers = 10;
  double free = 0.06;
  bool finish_at_once = true;
};

/// States are free servers * 4 + priority; a job of priority k pays 2^k when it is accepted (action 1) and a server is
/// free. Then every busy server becomes free with probability `free`: with `finish_at_once` also the one that has just
/// begun. The next job's priority is uniform. The start: all servers free and a job of the lowest priority.
FiniteModel access_control_model(const AccessControlOptions& options);

const EnvironmentEntry& access_control_entry();

}  // namespace politex::inline env
