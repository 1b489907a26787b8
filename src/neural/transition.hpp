// One step of one logical environment, as the learner receives it.
#pragma once

#include <span>

namespace politex::neural {

struct Transition {
  std::span<const float> state, policy;      // `policy`: the phase's policy at `state`, also if the explorer acted
  std::span<const float> last, last_policy;  // if truncated: the last observation of the episode
  int action = 0;
  float cost = 0.0F, score = 0.0F;
  bool exploring = false;
  bool truncated = false, terminated = false, skipped = false, lost_life = false;  // as in StepResult
};

}  // namespace politex::neural
