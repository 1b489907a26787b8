#include "politex/studies/control/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include "politex/base/duration.hpp"
#include "politex/base/pool.hpp"
#include "politex/record/checkpoint.hpp"
#include "politex/record/curve_file.hpp"
#include "politex/studies/control/behaviour.hpp"
#include "politex/sweep/sweep.hpp"

namespace politex::inline studies {
namespace {

constexpr std::string_view per_goal = "steps per goal", per_fall = "steps per fall";
/// Settings were chosen on seeds 1, 2 and 9001.
constexpr std::uint64_t first_control_seed = 9201;
/// Of the final policy without the explorer.
constexpr std::int64_t steps_alone = 100'000;

std::vector<std::string> tiles(int tilings, int tiles, int memory) {
  std::vector<std::string> all = {"features.name=tiles", fmt::format("features.tilings={}", tilings),
                                  fmt::format("features.tiles={}", tiles)};
  if (memory > 0) all.push_back(fmt::format("features.memory={}", memory));
  return all;
}

ControlProblem problem(std::string name, std::string label, std::string_view measure,
                       std::vector<std::string> features) {
  features.insert(features.begin(), "environment.name=" + name);
  return {.name = std::move(name),
          .label = std::move(label),
          .overrides = std::move(features),
          .sarsa = {},
          .limit = {},
          .measure = std::string(measure)};
}

std::vector<ControlProblem> make_control_problems() {
  // An average cost that starts at 0 and rises slowly makes what was visited look bad: Sarsa explores by that alone.
  const std::vector<std::string> from_ignorance = {"algorithm.average_rate=0.0003", "algorithm.epsilon=0"};
  std::vector<ControlProblem> all;
  all.push_back(problem("mountain_car", "Mountain car", per_goal, tiles(16, 16, 0)));
  all.back().target = 130.0;
  all.back().limit = "environment.episode=2000";
  all.back().sarsa = from_ignorance;
  all.back().quick = true;
  all.push_back(problem("acrobot", "Acrobot", per_goal, tiles(16, 6, 100'000)));
  all.back().target = 100.0;
  all.back().limit = "environment.episode=2000";
  all.back().sarsa = from_ignorance;
  all.push_back(problem("cartpole_balance", "Cartpole balance", per_fall, tiles(16, 8, 20'000)));
  all.back().target = 490.0;
  all.back().more_is_better = true;
  all.push_back(problem("cartpole", "Cartpole swing-up", "", tiles(16, 6, 50'000)));
  all.push_back(problem("access_control", "Access control", "", {"features.name=tabular"}));
  all.back().quick = true;
  return all;
}

struct ControlSize {
  std::int64_t steps = 0;
  int seeds = 0;
};

ControlSize control_size(const FigureOptions& options) {
  const int seeds = options.seeds > 0 ? options.seeds : options.quick ? 2 : 10;
  if (options.quick) return {.steps = 200'000, .seeds = seeds};
  return {.steps = 1'000'000, .seeds = seeds};
}

struct ControlRun {
  const ControlProblem* problem = nullptr;
  const ControlLearner* learner = nullptr;
  Cell cell;
};

std::vector<ControlRun> control_runs(const FigureOptions& options) {
  const ControlSize size = control_size(options);
  std::vector<ControlRun> runs;
  for (const ControlProblem& problem : control_problems()) {
    if (options.quick && !problem.quick) continue;
    for (const ControlLearner& learner : control_learners())
      for (int i = 0; i < size.seeds; ++i) {
        const std::uint64_t seed = first_control_seed + static_cast<std::uint64_t>(i);
        Cell cell{.name = fmt::format("problem={},learner={},seed={}", problem.name, learner.name, seed),
                  .experiment = fmt::format("control/{}.toml", learner.name),
                  .overrides = {problem.overrides.front(), fmt::format("steps={}", size.steps)},
                  .seed = seed,
                  .cost_per_step = learner.time,
                  .exact = false,
                  .regret = false,
                  .summary_only = true,
                  .curve = true,
                  .keep_state = learner.judged};
        if (!problem.limit.empty()) cell.overrides.push_back(problem.limit);
        if (learner.tiles)
          cell.overrides.insert(cell.overrides.end(), problem.overrides.begin() + 1, problem.overrides.end());
        if (&learner == &control_learners()[1])
          cell.overrides.insert(cell.overrides.end(), problem.sarsa.begin(), problem.sarsa.end());
        runs.push_back({&problem, &learner, std::move(cell)});
      }
  }
  return runs;
}

std::vector<Cell> control_cells(const FigureOptions& options) {
  std::vector<Cell> cells;
  for (ControlRun& run : control_runs(options)) cells.push_back(std::move(run.cell));
  return cells;
}

using ControlKey = std::pair<const ControlProblem*, const ControlLearner*>;
struct ControlResults {
  std::vector<double> measure;  // of the last tenth of the run, by seed
  std::vector<std::vector<CurvePoint>> curves;
  std::vector<ControlAlone> alone;  // of the runs that kept their state
};

/// Without end where no seed ends: the steps per goal of a seed that never reaches it.
std::string control_number(double value, int digits) {
  return value == std::numeric_limits<double>::infinity() ? "never" : number_text(value, digits);
}

/// The median over the seeds: a few that fail make a mean and its interval meaningless.
std::string control_text(const ControlProblem& problem, std::span<const double> values) {
  const int digits = problem.measure.empty() ? 4 : 1;
  Interval interval = median_interval(values);
  if (values.size() < fewest_for_bands)
    interval.low = std::ranges::min(values), interval.high = std::ranges::max(values);
  return fmt::format("{} [{}, {}]", control_number(interval.mean, digits), control_number(interval.low, digits),
                     control_number(interval.high, digits));
}

bool kept_state(const Finished& finished, std::size_t cell) {
  return finished.cells[cell].keep_state && std::filesystem::exists(finished.directory(cell) / final_state_file);
}

/// Fills in `alone`; restoring and playing take a second per run.
void play_alone(const Finished& finished, const std::vector<ControlRun>& runs,
                std::map<ControlKey, ControlResults>& results) {
  std::vector<std::size_t> played;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (runs[i].problem->target != 0.0 && kept_state(finished, i)) played.push_back(i);
  std::vector<ControlAlone> alone(runs.size());
  run_jobs(played, finished.options.jobs,
           [&](std::size_t i) { alone[i] = control_alone(finished.directory(i), steps_alone); });
  for (const std::size_t i : played) results[{runs[i].problem, runs[i].learner}].alone.push_back(alone[i]);
}

Plot control_panel(const ControlProblem& problem, const std::map<ControlKey, ControlResults>& results) {
  Plot panel;
  panel.title = problem.label;
  panel.x_label = "steps";
  panel.log_x = true;
  panel.log_y = !problem.measure.empty();
  for (std::size_t i = 0; i < control_learners().size(); ++i) {
    const auto& curves = results.at({&problem, &control_learners()[i]}).curves;
    Series series;
    series.label = control_learners()[i].label;
    series.look = look(i);
    series.markers = false;
    for (std::size_t k = 0; k < curves.front().size(); ++k) {
      if (std::ranges::any_of(curves, [&](const auto& curve) { return curve.size() <= k; })) break;
      std::vector<double> values;
      for (const auto& curve : curves) {
        // The cost between two points, which is what the policy of that time costs.
        const CurvePoint &to = curve[k], from = k > 0 ? curve[k - 1] : CurvePoint{};
        const double sum = to.average_cost * static_cast<double>(to.steps) -
                           (k > 0 ? from.average_cost * static_cast<double>(from.steps) : 0.0);
        values.push_back(control_measure(problem, sum / static_cast<double>(to.steps - (k > 0 ? from.steps : 0))));
      }
      const double centre = quantile(values, 0.5);
      if (!std::isfinite(centre)) continue;
      series.x.push_back(static_cast<double>(curves.front()[k].steps));
      series.y.push_back(centre);
    }
    if (!series.x.empty()) panel.series.push_back(std::move(series));
  }
  return panel;
}

Plot control_plot(const std::map<ControlKey, ControlResults>& results) {
  Plot plot;
  plot.title = "What the policy of the time costs, median over the seeds";
  plot.columns = 3;
  for (const ControlProblem& problem : control_problems())
    if (results.contains({&problem, &control_learners().front()}))
      plot.panels.push_back(control_panel(problem, results));
  for (std::size_t i = 0; i < control_learners().size(); ++i) {
    Series series;
    series.label = control_learners()[i].label;
    series.look = look(i);
    series.markers = false;
    plot.series.push_back(std::move(series));
  }
  plot.width = 330 * plot.columns;
  plot.height = 80 + 270 * ((static_cast<int>(plot.panels.size()) + plot.columns - 1) / plot.columns);
  return plot;
}

/// Of EE-Politex on the first seed of every problem that is drawn.
std::vector<ControlBehaviour> control_behaviours(const Finished& finished, const std::vector<ControlRun>& runs) {
  std::vector<ControlBehaviour> all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].learner != &control_learners().front() || runs[i].cell.seed != first_control_seed) continue;
    if (!kept_state(finished, i)) continue;
    for (const ControlView& view : control_views())
      if (view.problem == runs[i].problem->name) all.push_back(control_behaviour(finished.directory(i), view));
  }
  return all;
}

std::vector<double> alone_of(const ControlProblem& problem, const ControlResults& results) {
  std::vector<double> values;
  for (const ControlAlone& alone : results.alone)
    values.push_back(problem.more_is_better ? alone.episode : control_measure(problem, alone.cost));
  return values;
}

Claim target_claim(std::string name, const ControlLearner& learner,
                   const std::map<ControlKey, ControlResults>& results) {
  Claim claim = new_claim(
      std::move(name),
      fmt::format("{}: fewer than 130 steps per goal on mountain car and 100 on acrobot, and more than 490 of the 500 "
                  "steps of an episode of cartpole balance.",
                  learner.label),
      fmt::format(
          "At least nine of ten of these seeds reach the target: in the last tenth of the run, explorer's steps "
          "included; balance in {} steps of the final policy alone, whose episodes have at most 500 steps. A "
          "count, not a test; the interval is of the share of all seeds (exact, binomial).",
          short_count(steps_alone)));
  for (const ControlProblem& problem : control_problems()) {
    const auto found = results.find({&problem, &learner});
    if (problem.target == 0.0 || found == results.end()) continue;
    const auto check = [&](std::string_view where, const std::vector<double>& values, std::string_view unit) {
      const auto reached = std::ranges::count_if(values, [&](double value) {
        return problem.more_is_better ? value > problem.target : value < problem.target;
      });
      return Check{
          problem.label, std::string(where),
          fmt::format("{}; {} {}", count_text(reached, std::ssize(values)), control_text(problem, values), unit),
          certain(10 * reached >= 9 * std::ssize(values))};
    };
    const std::vector<double> alone = alone_of(problem, found->second);
    if (!problem.more_is_better) claim.checks.push_back(check("", found->second.measure, problem.measure));
    if (alone.empty()) continue;
    (problem.more_is_better ? claim.checks : claim.also_measured)
        .push_back(
            check("the final policy alone", alone, problem.more_is_better ? "steps per episode" : problem.measure));
  }
  return claim;
}

FigureReport control_report(const Finished& finished) {
  const std::vector<ControlRun> runs = control_runs(finished.options);
  const ControlSize size = control_size(finished.options);
  std::map<ControlKey, ControlResults> results;
  std::string csv = "problem,learner,seed,steps,average_cost,average_cost_last_tenth,measure_last_tenth\n";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const ControlRun& run = runs[i];
    const double last = summary_number(finished.summaries[i], "average_cost_last_tenth");
    ControlResults& into = results[{run.problem, run.learner}];
    into.measure.push_back(control_measure(*run.problem, last));
    into.curves.push_back(read_curve(finished.directory(i) / curve_file));
    csv += fmt::format("{},{},{},{},{},{},{}\n", run.problem->name, run.learner->name, run.cell.seed, size.steps,
                       csv_text(summary_number(finished.summaries[i], "average_cost")), csv_text(last),
                       csv_text(into.measure.back()));
  }
  play_alone(finished, runs, results);
  FigureReport report{
      .title = "Control with tiles",
      .introduction =
          "Linear EE-Politex on tile coding, differential Sarsa(lambda) on the same tiles, the default learner on "
          "its own cells, and EE-Politex with networks, on continuous problems that never reset."};
  if (finished.options.quick)
    report.notice = fmt::format("A quick version, not the figure: {} seeds, {} steps. Omit --quick for the figure.",
                                size.seeds, size.steps);
  HtmlTable table = new_table(fmt::format("The last tenth of {} steps, median over {} seeds with its {}.", size.steps,
                                          size.seeds, drawn_interval_words(static_cast<std::size_t>(size.seeds))),
                              {"problem", "measure"});
  for (const ControlLearner& learner : control_learners()) table.header.emplace_back(learner.label);
  for (const ControlProblem& problem : control_problems()) {
    if (!results.contains({&problem, &control_learners().front()})) continue;
    std::vector<Html> row{problem.label, problem.measure.empty() ? "cost per step" : problem.measure};
    for (const ControlLearner& learner : control_learners())
      row.emplace_back(control_text(problem, results.at({&problem, &learner}).measure));
    table.rows.push_back(std::move(row));
  }
  report.results.table(table);
  report.claims = {target_claim("(a)", control_learners()[0], results),
                   target_claim("(b)", control_learners()[2], results)};
  const std::vector<ControlBehaviour> behaviours = control_behaviours(finished, runs);
  report.pictures = {
      {"control",
       "Steps per goal (less is better), steps per fall (more is better) and cost per step (less is "
       "better) between the points of a curve, explorer's steps included.",
       control_plot(results)},
      {"behaviour",
       fmt::format("What EE-Politex has learned on seed {}: the best action's value in the mean of all Qs "
                   "(darker: more cost to come), its greedy action, and one episode of its policy. "
                   "White: never seen.",
                   first_control_seed),
       behaviour_plot(behaviours), true}};
  report.notes.heading("Settings");
  report.notes.list(
      {"The settings are in experiments/control; they were chosen by hand, mostly on one seed (9001) "
       "and mostly for EE-Politex (25 runs on mountain car; 8 of Sarsa): not equal tuning.",
       "Mountain car: 16 tilings of 16 x 16. The problems with more coordinates have hashed tiles "
       "(features.memory); access control is a table of its states, which tiles of whole numbers are."});
  report.example = run_command(runs.front().cell);
  report.contents =
      "runs.csv has one row per run, behaviour.csv the drawn values and policies, steps.csv the drawn episodes.";
  report.files = {
      {"runs.csv", csv}, {"behaviour.csv", behaviour_csv(behaviours)}, {"steps.csv", control_steps_csv(behaviours)}};
  return report;
}

}  // namespace

std::span<const ControlProblem> control_problems() {
  static const std::vector<ControlProblem> all = make_control_problems();
  return all;
}

std::span<const ControlLearner> control_learners() {
  static const std::vector<ControlLearner> all = {
      {.name = "ee_politex", .label = "EE-Politex, tiles", .judged = true, .time = 2.0},
      {.name = "differential_sarsa", .label = "differential Sarsa(λ), tiles", .time = 1.0},
      {.name = "auto", .label = "default, its own cells", .tiles = false, .judged = true, .time = 3.0},
      {.name = "neural_ee_politex", .label = "EE-Politex, networks", .tiles = false, .time = 3.0}};
  return all;
}

double control_measure(const ControlProblem& problem, double cost) {
  if (problem.measure == per_goal) return 1.0 / std::max(0.0, 1.0 - cost);
  if (problem.measure == per_fall) return 1.0 / std::max(0.0, 1.0 + cost);
  return cost;
}

Figure control_figure() {
  return {.name = "control",
          .help = "tiles on continuous problems: EE-Politex, Sarsa(lambda) and networks",
          .cells = control_cells,
          .report = control_report};
}

}  // namespace politex::inline studies
