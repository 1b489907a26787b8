// Rules for networks of queues: every server serves one of its classes that has a job left, chosen by a score; servers
// choose in their order, and of equal scores the class that is listed first is served.
#pragma once

#include "politex/heuristics/heuristic.hpp"

namespace politex::inline heuristics {

const HeuristicEntry& c_mu_entry();
const HeuristicEntry& longest_queue_entry();
const HeuristicEntry& last_buffer_first_entry();
const HeuristicEntry& max_weight_entry();
const HeuristicEntry& max_pressure_entry();

/// Every server serves the last of its classes that has a job, but the first of them where it has `threshold` jobs.
std::vector<Action> network_threshold(const HeuristicRequest& request);

}  // namespace politex::inline heuristics
