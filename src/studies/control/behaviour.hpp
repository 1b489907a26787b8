// What EE-Politex has learned on the problems of the control figure: its value function and greedy policy over two
// coordinates, and steps of its policy, for pictures and films.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "politex/page/plot.hpp"
#include "politex/run/config.hpp"

namespace politex::inline studies {

/// The two coordinates that a problem is drawn over.
struct ControlView {
  std::string problem;  // a ControlProblem's name
  std::string label, x_label, y_label;
  double x_low = 0.0, x_high = 0.0, y_low = 0.0, y_high = 0.0;
  std::string actions;                                                      // what the shades of the policy mean
  std::vector<double> (*observation)(double x, double y);                   // the other coordinates are at rest
  std::pair<double, double> (*point)(std::span<const double> observation);  // of an observation
};
std::span<const ControlView> control_views();

struct ControlStep {
  std::vector<double> observation;  // before the step
  int action = 0;
  double cost = 0.0;
};

struct ControlBehaviour {
  const ControlView* view = nullptr;
  /// Row by row from the top. The value is that of the best action in the mean Q of all phases. NaN where all actions
  /// have equal Qs: nothing was learned there.
  std::vector<std::vector<double>> value, action;
  std::vector<ControlStep> steps;  // of the final policy, from a start to the end of the episode
};

/// Of the finished run of a linear learner that kept its state.
ControlBehaviour control_behaviour(const std::filesystem::path& run, const ControlView& view);

/// What the final policy does without the explorer, in an environment that the run did not see.
struct ControlAlone {
  double cost = 0.0;     // per step
  double episode = 0.0;  // mean steps of the episodes that ended, by their own rules or by the time limit
};
ControlAlone control_alone(const std::filesystem::path& run, std::int64_t steps);

/// Two panels per problem: value and policy, with the episode drawn over them.
Plot behaviour_plot(std::span<const ControlBehaviour> all);
/// problem,x,y,value,action; empty where nothing was learned.
std::string behaviour_csv(std::span<const ControlBehaviour> all);
/// problem,step,action,cost,observation_0,...
std::string control_steps_csv(std::span<const ControlBehaviour> all);

}  // namespace politex::inline studies
