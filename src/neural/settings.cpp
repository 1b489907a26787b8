#include "politex/neural/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/require.hpp"

namespace politex::neural {
namespace {

// External environments are stepped together, so that no phase may end between them.
void check_together(const Settings& s, int together) {
  if (together == 0) return;
  const int size = std::min(together, s.actors.environments);
  if (s.actors.environments % size == 0 && s.transitions_per_step % size == 0) return;
  throw ConfigError("actors.transitions_per_step",
                    fmt::format("{} with actors.environments = {}; accepted here: both multiples of {}, as many "
                                "environments are stepped together",
                                s.transitions_per_step, s.actors.environments, size));
}

}  // namespace

Settings checked(const Settings& given, const BlockMaker& maker, const Fleet* fleet) {
  Settings s = given;
  refuse_ranks(maker, fleet);
  require(s.steps >= 1, "steps", "an integer >= 1");
  require(s.n_step >= 1 && s.n_step <= 255, "learner.n_step", "1 to 255");
  require(s.n_step_explorer >= 0 && s.n_step_explorer <= 255, "learner.n_step_explorer", "0 (as n_step) to 255");
  require(s.cost_scale >= 0 && std::isfinite(s.cost_scale), "learner.cost_scale", "0 (10 (1 - discount)) or above");
  require(s.transitions_per_step >= 1, "actors.transitions_per_step", "an integer >= 1");
  require(s.phase_scale > 0 && std::isfinite(s.phase_scale), "schedule.phase_scale", "a number above 0");
  require(s.phase_steps >= 0, "schedule.phase_steps", "an integer >= 0");
  require(s.follow_scale > 0 && std::isfinite(s.follow_scale), "schedule.follow_scale", "a number above 0");
  if (s.n_step_explorer == 0) s.n_step_explorer = s.n_step;
  if (s.learner.restarts && maker.space.time_limit > 0)
    s.learner.restart = 1.0 / static_cast<double>(maker.space.time_limit);
  check_together(s, maker.together);
  return s;
}

void refuse_ranks(const BlockMaker& maker, const Fleet* fleet) {
  if (maker.together > 0 && !maker.keep && fleet != nullptr && fleet->size() > 1)
    throw ConfigError("environment.name", fmt::format("these environments live inside one process; accepted: one MPI "
                                                      "rank, not {}",
                                                      fleet->size()));
}

double cost_scale(const Settings& s) {
  if (s.cost_scale > 0) return s.cost_scale;
  return s.transform == Settings::Transform::none ? 10 * (1 - s.learner.discount) : 1.0;
}

double transformed(Settings::Transform transform, double cost) {
  switch (transform) {
    case Settings::Transform::root:
      return std::copysign(0.2 * std::sqrt(std::abs(cost) / 10), cost);
    case Settings::Transform::sign:
      return static_cast<double>(cost > 0) - static_cast<double>(cost < 0);
    case Settings::Transform::none:
      break;
  }
  return cost;
}

Shape shape_of(const Settings& settings, const Space& space) {
  const Observation input = input_of(space);
  if (settings.nature) nature_convolutions(input.picture);
  return {input.inputs, settings.hidden, space.actions, input.bytes, settings.nature ? input.picture : Picture{}};
}

}  // namespace politex::neural
