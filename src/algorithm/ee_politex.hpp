// Algorithm 1 of the paper, one phase at a time. PhaseLoop plays a run of such phases.
#pragma once

#include "politex/algorithm/collector.hpp"
#include "politex/algorithm/learner.hpp"

namespace politex::inline algorithm {

/// Plays one phase with the learner's policy and learns from it. A phase that is cut is played and not learned from.
/// The result is valid until the collector's next call.
Phase play_phase(Collector& collector, Learner& learner, const Part& part);

}  // namespace politex::inline algorithm
