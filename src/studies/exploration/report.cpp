#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "politex/studies/exploration/figure.hpp"

namespace politex::inline studies {
namespace {

constexpr double least_drawn = 1e-3, most_drawn = 3.0;  // of losses
constexpr double first_drawn = 300.0;                   // steps

Look look_of(std::size_t learner) {
  Look look = politex::look(learner);
  if (learner == 0) return {.colour = "#D55E00", .marker = 7, .dashed = false, .width = 3.0};
  if (look.colour == "#D55E00") look.colour = "#0072B2";
  look.width = 1.3;
  return look;
}

void name_series(Series& series, std::size_t learner) {
  series.label = suite_learners()[learner].label;
  series.look = look_of(learner);
}

/// Eight per factor of ten.
std::vector<double> drawn_steps(std::int64_t steps) {
  std::vector<double> all;
  for (double x = first_drawn; x < 0.99 * static_cast<double>(steps); x *= std::pow(10.0, 0.125)) all.push_back(x);
  all.push_back(static_cast<double>(steps));
  return all;
}

double drawn(double loss) { return std::clamp(loss, least_drawn, most_drawn); }

void add_curve(Plot& panel, const ExplorationData& data, const SuiteProblem& problem, std::size_t learner) {
  const auto& results = data.at(problem, suite_learners()[learner]);
  if (results.empty()) return;
  Series mean_line, seeds;
  for (Series* series : {&mean_line, &seeds}) name_series(*series, learner);
  seeds.joined = false;
  for (const double x : drawn_steps(data.grid.steps)) {
    std::vector<double> losses;
    for (const ExplorationResult& result : results) losses.push_back(loss_at(result, x));
    mean_line.x.push_back(x);
    mean_line.y.push_back(drawn(mean(losses)));
    // The default's seeds everywhere, those of the others at the end of the run.
    const bool last = x == static_cast<double>(data.grid.steps);
    if (learner != 0 && !last) continue;
    for (const double loss : losses) {
      seeds.x.push_back(last ? x * (1.15 + 0.1 * static_cast<double>(learner)) : x);
      seeds.y.push_back(drawn(loss));
    }
  }
  panel.series.push_back(std::move(mean_line));
  panel.series.push_back(std::move(seeds));
}

Plot curves_plot(const ExplorationData& data) {
  Plot plot;
  plot.title = fmt::format("Regret per step against steps{}: 1 is random actions, the lower the better",
                           data.grid.quick ? " (quick version)" : "");
  plot.columns = data.grid.problems.size() > 12 ? 6 : 5;
  for (const SuiteProblem* problem : data.grid.problems) {
    Plot panel;
    panel.title = problem->label;
    panel.log_x = panel.log_y = true;
    panel.x_low = first_drawn;
    panel.x_high = 2.6 * static_cast<double>(data.grid.steps);
    panel.y_low = 0.8 * least_drawn;
    panel.y_high = 1.3 * most_drawn;
    // The default is drawn last, on top of the others.
    for (std::size_t i = suite_learners().size(); i-- > 0;) add_curve(panel, data, *problem, i);
    plot.panels.push_back(std::move(panel));
  }
  for (std::size_t i = 0; i < suite_learners().size(); ++i) name_series(plot.series.emplace_back(), i);
  const auto rows = (static_cast<int>(plot.panels.size()) + plot.columns) / plot.columns;
  plot.width = 215 * plot.columns;
  plot.height = 60 + 190 * rows;
  return plot;
}

/// Shades by the logarithm of the visits, each map by its own maximum; states never visited stay white.
Plot map_panel(const NamedWalk& walk) {
  Plot panel;
  panel.title = fmt::format("{}: {}", walk.problem->label, walk.learner->label);
  panel.x_label = fmt::format("segments end in {:.0f}% of the states", 100.0 * walk.walk.covered);
  const auto side = static_cast<std::size_t>(walk.problem->side);
  const double most = std::log1p(std::ranges::max(walk.walk.visits));
  for (std::size_t row = 0; row < side; ++row) {
    panel.map.emplace_back();
    for (std::size_t column = 0; column < side; ++column) {
      const double visits = walk.walk.visits[row * side + column];
      panel.map.back().push_back(most > 0.0 ? std::log1p(visits) / most : 0.0);
    }
  }
  return panel;
}

Plot maps_plot(const ExplorationData& data, std::span<const NamedWalk> walks) {
  Plot plot;
  plot.title = "Where the explorer goes (darker: more steps, logarithmic)";
  plot.columns = 3;
  const auto wanted = [&](const NamedWalk& walk) {
    if (walk.problem->side == 0 || walk.learner->name == "tuned_always") return false;
    if (data.grid.quick) return true;
    return walk.problem->name == "deep_sea_20" || walk.problem->name == "deep_sea_50_rows" ||
           walk.problem->name == "rooms_21";
  };
  for (const NamedWalk& walk : walks)
    if (wanted(walk)) plot.panels.push_back(map_panel(walk));
  const auto rows = (static_cast<int>(plot.panels.size()) + plot.columns - 1) / plot.columns;
  plot.width = 860;
  plot.height = 40 + 300 * rows;
  return plot;
}

Html score_cell(const std::vector<ExplorationResult>& results) {
  if (results.empty()) return Html::tag("span", "–", "none");
  double sum = 0.0, worst = 1e9;
  int failures = 0;
  for (const ExplorationResult& result : results) {
    sum += result.score;
    worst = std::min(worst, result.score);
    failures += failed(result) ? 1 : 0;
  }
  const double score = sum / static_cast<double>(results.size());
  const char* shade = score >= 0.9 ? "good" : score >= 0.75 ? "fair" : score >= 0.5 ? "half" : "poor";
  Html text = Html::tag("b", number_text(score)) + Html(fmt::format(" [{}]", number_text(worst)));
  if (failures > 0) text += Html::tag("small", fmt::format(" {} of {} failed", failures, results.size()));
  return Html::tag("span", text, shade);
}

HtmlTable overview(const ExplorationData& data) {
  HtmlTable table = new_table(
      fmt::format("Score of the whole run of {} steps: 0 is random actions, 1 the optimum. Mean over the seeds [worst "
                  "seed]; a seed failed if its last tenth is nearer to random actions than to the optimum.",
                  data.grid.steps),
      {"problem"});
  for (const SuiteLearner& learner : suite_learners()) table.header.emplace_back(learner.label);
  for (const SuiteProblem* problem : data.grid.problems) {
    std::vector<Html> row{problem->label};
    for (const SuiteLearner& learner : suite_learners()) row.push_back(score_cell(data.at(*problem, learner)));
    table.rows.push_back(std::move(row));
  }
  std::vector<Html> row{"mean over problems"};
  for (const SuiteLearner& learner : suite_learners()) {
    std::vector<double> means;
    for (const SuiteProblem* problem : data.grid.problems)
      if (const std::vector<double> scores = data.scores(*problem, learner); !scores.empty())
        means.push_back(mean(scores));
    row.push_back(Html::tag("b", number_text(mean(means))) +
                  Html::tag("small", fmt::format(" ({} problems)", means.size())));
  }
  table.rows.push_back(std::move(row));
  return table;
}

HtmlTable coverage_table(const ExplorationData& data, std::span<const NamedWalk> walks) {
  HtmlTable table = new_table(
      "Where segments of the explorer end, for the first seed: the share of reachable states in which one ended, and "
      "the effective number of such states, exp(entropy), as a share. Last column: the share of all steps that the "
      "explorer and its probes take, mean over the seeds.",
      {"problem", "explorer of", "states covered", "effective", "explorer's steps"});
  for (const NamedWalk& walk : walks) {
    std::vector<double> shares;
    for (const ExplorationResult& result : data.at(*walk.problem, *walk.learner))
      shares.push_back(result.explorer_share);
    table.rows.push_back({walk.problem->label, walk.learner->label, fmt::format("{:.0f}%", 100.0 * walk.walk.covered),
                          fmt::format("{:.0f}%", 100.0 * walk.walk.effective),
                          fmt::format("{:.1f}%", 100.0 * mean(shares))});
  }
  return table;
}

std::string walks_csv(std::span<const NamedWalk> walks) {
  std::string text = "problem,learner,state,explorer_steps,segments_ended\n";
  for (const NamedWalk& walk : walks)
    for (std::size_t state = 0; state < walk.walk.visits.size(); ++state)
      text += fmt::format("{},{},{},{},{}\n", walk.problem->name, walk.learner->name, state, walk.walk.visits[state],
                          walk.walk.ends[state]);
  return text;
}

void add_settings(HtmlPage& page, const ExplorationData& data, std::span<const ExplorationRun> runs) {
  page.heading("Settings");
  const std::string seeds =
      "The default has 20 seeds (30 at DeepSea 50, 10 where a step is slow), the others at most 10, RLSVI and LSPI 5. "
      "RLSVI, LSPI and EE-Politex with the learned explorer are left out on mountain car and acrobot, and EE-Politex "
      "as printed on four queues (5,184 equations every 40 steps): a run takes minutes there.";
  const std::string settings =
      "Every learner has the same settings on all problems: experiments/exploration/<learner>.toml. EE-Politex has "
      "those of the paper's DeepSea figure; its features, and those of RLSVI and LSPI, are the automatic ones. "
      "Q-learning and differential Q keep one value per state and action.";
  const std::string scale =
      "Optimum and random actions are computed exactly. Mountain car and acrobot have no listed states: the optimum "
      "of mountain car is computed on a fine grid, the scale of acrobot is an estimate.";
  const std::string drawn =
      "Regret per step is the average cost so far less the optimal one, divided by that of random actions. Values "
      "below 0.001 are drawn there.";
  page.list(
      {fmt::format("{} problems, {} runs of {} steps, seeds from {} on: no setting of the default was chosen on them.",
                   data.grid.problems.size(), runs.size(), data.grid.steps, first_suite_seed),
       seeds, settings, scale, "Garnets and the exchanged rows of DeepSea are drawn for every seed.", drawn});
}

constexpr const char* table_style =
    "td .good{background:#c7e9c0}td .fair{background:#e5f5e0}td .half{background:#fff3cd}td .poor{background:#f8d0c8}"
    "td span{padding:.1em .3em;border-radius:.2em;color:#111}td .none{color:inherit}"
    "main,body{max-width:100rem}table{font-size:.82em}thead th{white-space:normal;max-width:6.5rem}"
    "td span small{display:block}";

}  // namespace

FigureReport exploration_report(const ExplorationData& data, std::span<const ExplorationRun> runs,
                                std::span<const NamedWalk> walks) {
  FigureReport report{
      .title = "Learning without an exploration policy",
      .introduction =
          "The default learner on the open suite, next to its variants, the paper's algorithm and plain "
          "baselines. Nothing is tuned to a problem."};
  if (data.grid.quick)
    report.notice = fmt::format(
        "A quick version, not the figure: {} problems, at most {} seeds, {} steps. The verdicts are about these; omit "
        "--quick for the figure.",
        data.grid.problems.size(), data.grid.seeds, data.grid.steps);
  report.claims = exploration_claims(data);
  report.results.heading("Scores");
  report.results.table(overview(data));
  report.pictures = {
      {"exploration",
       "Regret per step in units of random actions' regret, both axes logarithmic. Lines: mean over the seeds. Dots: "
       "every seed, of the default at all steps, of the others at the end (moved sideways).",
       curves_plot(data)},
      {"explorers",
       "Steps of the explorer by state, first seed. DeepSea is entered at the upper left, its treasure is at the lower "
       "right. Rooms start at the upper left, the goal is at the lower right.",
       maps_plot(data, walks), true}};
  report.notes.heading("How much is explored, and where");
  report.notes.table(coverage_table(data, walks));
  add_settings(report.notes, data, runs);
  report.example = run_command(runs.front().cell);
  report.contents =
      "runs.csv has one row per run, curves.csv every point of the curves, explorers.csv the steps of the explorers by "
      "state.";
  report.style = table_style;
  report.files = {{"runs.csv", exploration_csv(data)},
                  {"curves.csv", exploration_curves_csv(data)},
                  {"explorers.csv", walks_csv(walks)}};
  return report;
}

}  // namespace politex::inline studies
