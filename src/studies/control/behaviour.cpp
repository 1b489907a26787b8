#include "politex/studies/control/behaviour.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "politex/base/error.hpp"
#include "politex/evaluate/learned_values.hpp"
#include "politex/evaluate/run_policy.hpp"
#include "politex/evaluate/simulation.hpp"
#include "politex/figures/figure.hpp"
#include "politex/policy/rule.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/linear_run.hpp"

namespace politex::inline studies {
namespace {

constexpr int cells_across = 60;
/// Of a film; longer episodes are cut.
constexpr int most_film_steps = 500;

using Point = std::pair<double, double>;
using Seen = std::span<const double>;

std::vector<ControlView> make_control_views() {
  std::vector<ControlView> all;
  all.push_back({.problem = "mountain_car",
                 .label = "Mountain car",
                 .x_label = "position",
                 .y_label = "velocity",
                 .x_low = -1.2,
                 .x_high = 0.5,
                 .y_low = -0.07,
                 .y_high = 0.07,
                 .actions = "light: left, medium: no push, dark: right",
                 .observation =
                     [](double x, double y) {
                       return std::vector{x + 0.5, y / 0.07};
                     },
                 .point =
                     [](Seen seen) {
                       return Point{seen[0] - 0.5, 0.07 * seen[1]};
                     }});
  all.push_back({.problem = "acrobot",
                 .label = "Acrobot, elbow straight and at rest",
                 .x_label = "angle of the first link (0: down)",
                 .y_label = "angular velocity",
                 .x_low = -3.15,
                 .x_high = 3.15,
                 .y_low = -6.0,
                 .y_high = 6.0,
                 .actions = "light: torque -1, medium: 0, dark: +1",
                 .observation =
                     [](double x, double y) {
                       return std::vector{std::cos(x), std::sin(x), 1.0, 0.0, y / (4.0 * 3.14159265358979323846), 0.0};
                     },
                 .point =
                     [](Seen seen) {
                       return Point{std::atan2(seen[1], seen[0]), seen[4] * 4.0 * 3.14159265358979323846};
                     }});
  all.push_back({.problem = "cartpole_balance",
                 .label = "Cartpole balance, cart at rest in the middle",
                 .x_label = "angle",
                 .y_label = "angular velocity",
                 .x_low = -0.21,
                 .x_high = 0.21,
                 .y_low = -2.0,
                 .y_high = 2.0,
                 .actions = "light: left, dark: right",
                 .observation =
                     [](double x, double y) {
                       return std::vector{0.0, 0.0, x, y};
                     },
                 .point =
                     [](Seen seen) {
                       return Point{seen[2], seen[3]};
                     }});
  return all;
}

/// A finished run of a linear learner, and its policy in an environment of its own.
class LearnedControl {
 public:
  explicit LearnedControl(const std::filesystem::path& directory)
      : config_(read_config(directory / "config.toml").config),
        run_(read_run("RUN", directory)),
        learned_(linear_of(*run_)),
        block_(environment_of(config_).block(config_.values, {.seed = config_.seed, .first = unused_environment})),
        rng_(evaluation_actions(config_.seed, 0)),
        seen_(block_->space().numbers()),
        p_(static_cast<std::size_t>(block_->space().actions)),
        cumulative_(p_.size() - 1) {}

  const LearnedValues& values() const noexcept { return learned_; }
  int actions() const { return block_->space().actions; }
  double phases() const { return static_cast<double>(linear_of(*run_).loop().phases()); }

  StepResult step() {
    block_->observe(0, seen_);
    learned_.probabilities(seen_, p_);
    accumulate(p_, cumulative_);
    action_ = pick_action(cumulative_, uniform_bits(rng_));
    StepResult result;
    block_->step(0, {&action_, 1}, {&result, 1});
    return result;
  }
  /// What the newest step was taken in, and the action.
  const std::vector<double>& seen() const noexcept { return seen_; }
  Action action() const noexcept { return action_; }

 private:
  static constexpr int unused_environment = 1'000'000;  // runs have fewer
  static const LinearRun& linear_of(const Run& run) {
    const auto* const linear = dynamic_cast<const LinearRun*>(&run);
    if (linear == nullptr) throw Error("the run of a figure of control is not that of a linear learner");
    return *linear;
  }

  Config config_;
  std::unique_ptr<Run> run_;  // what learned_ refers to
  LearnedValues learned_;
  std::unique_ptr<EnvironmentBlock> block_;
  Rng rng_;
  std::vector<double> seen_, p_, cumulative_;
  Action action_ = 0;
};

std::vector<ControlStep> play_film(LearnedControl& learned) {
  std::vector<ControlStep> steps;
  StepResult result;
  while (std::ssize(steps) < most_film_steps && !result.terminated && !result.truncated) {
    result = learned.step();
    steps.push_back({learned.seen(), learned.action(), result.cost});
  }
  return steps;
}

/// The episode without jumps through the edge of the drawing.
Series episode_line(const ControlBehaviour& behaviour) {
  const ControlView& view = *behaviour.view;
  Series line;
  line.look = {.colour = "#D55E00", .width = 1.4};
  line.markers = false;
  for (const ControlStep& step : behaviour.steps) {
    const auto [x, y] = view.point(step.observation);
    if (!line.x.empty() && std::abs(x - line.x.back()) > 0.5 * (view.x_high - view.x_low)) break;
    line.x.push_back(x);
    line.y.push_back(std::clamp(y, view.y_low, view.y_high));
  }
  return line;
}

Plot view_panel(const ControlBehaviour& behaviour, bool values) {
  const ControlView& view = *behaviour.view;
  Plot panel;
  panel.title = fmt::format("{}: {}", view.label, values ? "value (darker: more cost to come)" : "policy");
  panel.x_label = values ? view.x_label : fmt::format("{} ({})", view.x_label, view.actions);
  panel.y_label = view.y_label;
  panel.x_low = view.x_low, panel.x_high = view.x_high, panel.y_low = view.y_low, panel.y_high = view.y_high;
  panel.map = values ? behaviour.value : behaviour.action;
  panel.series.push_back(episode_line(behaviour));
  return panel;
}

/// Calls use(x, y, row, column) for the middle of every cell.
template <class Use>
void for_each_cell(const ControlView& view, Use&& use) {
  for (std::size_t row = 0; row < cells_across; ++row)
    for (std::size_t column = 0; column < cells_across; ++column)
      use(view.x_low + (static_cast<double>(column) + 0.5) * (view.x_high - view.x_low) / cells_across,
          view.y_high - (static_cast<double>(row) + 0.5) * (view.y_high - view.y_low) / cells_across, row, column);
}

}  // namespace

std::span<const ControlView> control_views() {
  static const std::vector<ControlView> all = make_control_views();
  return all;
}

ControlBehaviour control_behaviour(const std::filesystem::path& run, const ControlView& view) {
  LearnedControl learned(run);
  const double none = std::numeric_limits<double>::quiet_NaN();
  ControlBehaviour out{.view = &view, .value = {}, .action = {}, .steps = {}};
  out.value.assign(cells_across, std::vector<double>(cells_across, none));
  out.action = out.value;
  std::vector<double> q(static_cast<std::size_t>(learned.actions()));
  for_each_cell(view, [&](double x, double y, std::size_t row, std::size_t column) {
    learned.values().q(view.observation(x, y), q);
    const auto best = std::ranges::min_element(q);
    if (*best == std::ranges::max(q)) return;
    out.value[row][column] = *best / learned.phases();
    out.action[row][column] = static_cast<double>(best - q.begin());
  });
  out.steps = play_film(learned);
  return out;
}

ControlAlone control_alone(const std::filesystem::path& run, std::int64_t steps) {
  LearnedControl learned(run);
  double cost = 0.0;
  std::int64_t episodes = 0, ended = 0;  // steps at the end of the last one
  for (std::int64_t i = 1; i <= steps; ++i) {
    const StepResult result = learned.step();
    cost += result.cost;
    if (!result.terminated && !result.truncated) continue;
    ++episodes;
    ended = i;
  }
  return {.cost = cost / static_cast<double>(steps),
          .episode = static_cast<double>(ended) / static_cast<double>(episodes)};
}

Plot behaviour_plot(std::span<const ControlBehaviour> all) {
  Plot plot;
  plot.title = "Value function and greedy policy of EE-Politex; line: an episode of its policy";
  plot.columns = 2;
  for (const ControlBehaviour& one : all)
    for (const bool values : {true, false}) plot.panels.push_back(view_panel(one, values));
  plot.width = 900;
  plot.height = 40 + 350 * static_cast<int>(all.size());
  return plot;
}

std::string behaviour_csv(std::span<const ControlBehaviour> all) {
  std::string text = "problem,x,y,value,action\n";
  for (const ControlBehaviour& one : all)
    for_each_cell(*one.view, [&](double x, double y, std::size_t row, std::size_t column) {
      text += fmt::format("{},{},{},{},{}\n", one.view->problem, x, y, csv_text(one.value[row][column]),
                          csv_text(one.action[row][column]));
    });
  return text;
}

std::string control_steps_csv(std::span<const ControlBehaviour> all) {
  std::string text =
      "problem,step,action,cost,observation_0,observation_1,observation_2,observation_3,observation_4,"
      "observation_5\n";
  constexpr std::size_t columns = 6;
  for (const ControlBehaviour& one : all)
    for (std::size_t i = 0; i < one.steps.size(); ++i) {
      const ControlStep& step = one.steps[i];
      text += fmt::format("{},{},{},{}", one.view->problem, i, step.action, step.cost);
      for (std::size_t k = 0; k < columns; ++k)
        text += ',' + (k < step.observation.size() ? csv_text(step.observation[k]) : std::string());
      text += '\n';
    }
  return text;
}

}  // namespace politex::inline studies
