// The settings of a neural run, and what follows from them alone.
#pragma once

#include <cstdint>
#include <vector>

#include "politex/base/fleet.hpp"
#include "politex/neural/actors.hpp"
#include "politex/neural/blocks.hpp"
#include "politex/neural/network_learner.hpp"
#include "politex/neural/ring_policy.hpp"

namespace politex::neural {

struct Settings {
  std::int64_t steps = 1'000'000;
  std::uint64_t seed = 1;
  std::vector<int> hidden = {512};
  bool nature = false;  // convolutions before the hidden layers; observations must be pictures
  std::int64_t replay = 1'000'000;
  int n_step = 10;
  int n_step_explorer = 0;  // 0: as n_step
  enum class Transform { none, root, sign };
  Transform transform = Transform::none;  // of the learner's costs; root: 0.2 sqrt(|c| / 10) with the sign of c
  double cost_scale = 0.0;                // 0: 10 (1 - discount), or 1 with a transform
  int transitions_per_step = 16;
  double phase_scale = 20.0;     // a phase ends after phase_scale * sqrt(all learner steps) learner steps
  std::int64_t phase_steps = 0;  // above 0: a phase ends after this number of learner steps instead
  double follow_scale = 1.0;     // mini-phase: whole episodes that cover follow_scale * sqrt(the phase's transitions)
  LearnerSettings learner;
  PolicySettings policy;
  ActorSettings actors;
};

/// The settings with their defaults resolved. Throws ConfigError when one is out of range.
Settings checked(const Settings& given, const BlockMaker& maker, const Fleet* fleet);

/// Throws ConfigError if several ranks would have to step external environments that live in one process.
void refuse_ranks(const BlockMaker& maker, const Fleet* fleet);

/// The shape of the networks of a run. Throws ConfigError (network.kind) if they do not fit the observations.
Shape shape_of(const Settings& settings, const Space& space);

/// The cost that the learner sees, before it is scaled, and the scale.
double transformed(Settings::Transform transform, double cost);
double cost_scale(const Settings& settings);

}  // namespace politex::neural
