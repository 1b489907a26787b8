// The figure of control: tiles on continuous problems, linear EE-Politex next to Sarsa(lambda) on the same tiles and
// next to networks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "politex/figures/figure.hpp"

namespace politex::inline studies {

struct ControlProblem {
  std::string name, label;
  std::vector<std::string> overrides;   // environment and features
  std::vector<std::string> sarsa = {};  // further ones of Sarsa
  std::string limit = {};               // of an episode, for all learners; empty: the environment's own
  std::string measure;                  // "steps per goal", or empty: cost per step
  double target = 0.0;                  // of the measure, or of the steps per episode if more is better; 0: none
  bool more_is_better = false;
  bool quick = false;
};
std::span<const ControlProblem> control_problems();

struct ControlLearner {
  std::string name;     // its runs are experiments/control/<name>.toml
  std::string label;    // for people
  bool tiles = true;    // has the problem's features, else its own
  bool judged = false;  // has a claim about the targets
  double time = 1.0;    // rough time per step
};
/// Linear EE-Politex is the first, Sarsa the second.
std::span<const ControlLearner> control_learners();

/// The measure of a cost per step: 1 / (1 - cost) where only the steps that reach a goal cost 0, 1 / (1 + cost) where
/// only those that fall cost 0 and others -1 (infinite where no step does), and the cost itself.
double control_measure(const ControlProblem& problem, double cost);

/// Its entry in the catalogue.
Figure control_figure();

}  // namespace politex::inline studies
