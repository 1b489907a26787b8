// The space of the environments of a run: known before the first step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "politex/env/range.hpp"

namespace politex::inline env {

struct Space {
  std::string name;             // for messages: "CartPole-v1"
  int actions = 0;              // 0 .. actions-1
  int states = 0;               // above 0: an observation is one number, the index of a state below this
  std::vector<Range> ranges;    // one per number of an observation
  int own_size = 0;             // the N of lengths such as "3N/4"; 0: see size()
  std::int64_t time_limit = 0;  // steps after which an episode is truncated; 0: never, or unknown
  bool bytes = false;           // every number of an observation is a whole number, 0 to 255
  // A picture (or a stack of them, the oldest first): channels x height x width numbers; all 0 where it is none.
  int channels = 0, height = 0, width = 0;

  /// Numbers of an observation.
  std::size_t numbers() const noexcept { return ranges.size(); }
  /// The N of lengths such as "3N/4": the environment's own size, else the number of states, else the time limit, else
  /// 100.
  int size() const noexcept {
    if (own_size > 0) return own_size;
    if (states > 0) return states;
    return time_limit > 0 ? static_cast<int>(std::min<std::int64_t>(time_limit, 1'000'000)) : 100;
  }
};

}  // namespace politex::inline env
