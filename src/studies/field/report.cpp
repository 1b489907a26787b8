#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "politex/studies/field/figure.hpp"

namespace politex::inline studies {
namespace {

/// The first row is the header.
using TextTable = std::vector<std::vector<std::string>>;

constexpr double least_loss = 1e-3, most_loss = 3.0, first_steps = 300.0;  // drawn

// The families have a colour each; the members differ in dash and marker.
Look field_look(std::size_t learner) {
  static const std::vector<Look> looks = {
      {.colour = "#D55E00", .marker = 7, .dashed = false, .width = 3.0},  // auto
      {.colour = "#E69F00", .marker = 5, .dashed = false, .width = 1.6},  // Politex and its variants
      {.colour = "#E69F00", .marker = 4, .dashed = true, .width = 1.6},
      {.colour = "#E69F00", .marker = 9, .dashed = false, .width = 1.6},
      {.colour = "#E69F00", .marker = 8, .dashed = true, .width = 1.6},
      {.colour = "#0072B2", .marker = 5, .dashed = false, .width = 1.6},  // least squares
      {.colour = "#0072B2", .marker = 4, .dashed = true, .width = 1.6},
      {.colour = "#56B4E9", .marker = 1, .dashed = false, .width = 1.2},  // epsilon-greedy
      {.colour = "#56B4E9", .marker = 2, .dashed = true, .width = 1.2},
      {.colour = "#56B4E9", .marker = 3, .dashed = false, .width = 1.2},
      {.colour = "#56B4E9", .marker = 6, .dashed = true, .width = 1.2},
      {.colour = "#56B4E9", .marker = 8, .dashed = false, .width = 1.2},
      {.colour = "#009E73", .marker = 9, .dashed = true, .width = 1.6},   // optimistic Q
      {.colour = "#CC79A7", .marker = 4, .dashed = false, .width = 1.2},  // mirror descent
      {.colour = "#CC79A7", .marker = 6, .dashed = true, .width = 1.2},
      {.colour = "#009E73", .marker = 5, .dashed = false, .width = 1.6},  // models
      {.colour = "#000000", .marker = 7, .dashed = false, .width = 2.0},
      {.colour = "#8C564B", .marker = 5, .dashed = false, .width = 1.6},  // networks
      {.colour = "#8C564B", .marker = 4, .dashed = true, .width = 1.6}};
  return looks[learner % looks.size()];
}

Series named_field_series(std::size_t learner) {
  Series series;
  series.label = field_learners()[learner].label;
  series.look = field_look(learner);
  series.markers = false;
  return series;
}

Series heuristic_series() {
  Series series;
  series.label = "heuristics";
  series.look = {.colour = "#999999", .marker = 1, .dashed = true, .width = 2.0};
  series.markers = false;
  return series;
}

Plot field_panel(const FieldData& data, const FieldProblem& problem) {
  Plot panel;
  panel.title = problem.base.label;
  panel.log_x = panel.log_y = true;
  panel.x_low = first_steps;
  panel.x_high = static_cast<double>(data.grid.steps);
  panel.y_low = least_loss;
  panel.y_high = most_loss;
  for (const std::string& name : problem.heuristics) {
    const double loss = 1.0 - data.heuristics.at({problem.base.name, name});
    Series line = heuristic_series();
    line.x = {panel.x_low, panel.x_high};
    line.y.assign(2, std::clamp(loss, least_loss, most_loss));
    panel.series.push_back(std::move(line));
  }
  for (std::size_t i = field_learners().size(); i-- > 0;) {
    const auto& results = data.at(problem, field_learners()[i]);
    if (results.empty()) continue;
    Series series = named_field_series(i);
    for (double x = first_steps; x < 1.001 * panel.x_high; x *= std::pow(10.0, 0.125)) {
      std::vector<double> losses;
      for (const ExplorationResult& result : results) losses.push_back(loss_at(result, x));
      series.x.push_back(x);
      series.y.push_back(std::clamp(mean(losses), least_loss, most_loss));
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

Plot field_curves(const FieldData& data) {
  Plot plot;
  plot.title = fmt::format("Regret per step against steps{}: 1 is random actions, the lower the better",
                           data.grid.quick ? " (quick version)" : "");
  plot.columns = 4;
  for (const FieldProblem* problem : data.grid.problems) plot.panels.push_back(field_panel(data, *problem));
  for (std::size_t i = 0; i < field_learners().size(); ++i) plot.series.push_back(named_field_series(i));
  plot.series.push_back(heuristic_series());
  plot.width = 250 * plot.columns;
  plot.height = 60 + 210 * ((static_cast<int>(plot.panels.size()) + plot.columns) / plot.columns);
  return plot;
}

Plot field_profile(const FieldData& data) {
  Plot plot;
  plot.title = "Share of the problems on which a learner is at most x below the best";
  plot.x_label = "x: distance of the score from the best learner's";
  plot.y_label = "share of the problems";
  plot.x_high = 0.5;
  plot.y_low = 0.0;
  plot.y_high = 1.02;
  for (std::size_t i = field_learners().size(); i-- > 0;) {
    Series series = named_field_series(i);
    for (int k = 0; k <= 100; ++k) {
      series.x.push_back(0.005 * k);
      series.y.push_back(share_within(data, field_learners()[i], 0.005 * k));
    }
    plot.series.insert(plot.series.begin(), std::move(series));
  }
  plot.width = 1000;
  return plot;
}

Html field_score(const std::vector<ExplorationResult>& results) {
  std::vector<double> scores;
  for (const ExplorationResult& result : results) scores.push_back(result.score);
  const double score = mean(scores);
  const char* shade = score >= 0.9 ? "good" : score >= 0.75 ? "fair" : score >= 0.5 ? "half" : "poor";
  return Html::tag(
      "span", Html::tag("b", number_text(score)) + Html(fmt::format(" [{}]", number_text(std::ranges::min(scores)))),
      shade);
}

HtmlTable field_scores(const FieldData& data) {
  HtmlTable table = new_table(
      fmt::format("Score of the whole run of {} steps on the fresh seeds: 0 is random actions, 1 the optimum. "
                  "Mean over the seeds [worst seed].",
                  data.grid.steps),
      {"learner"});
  for (const FieldProblem* problem : data.grid.problems) table.header.emplace_back(problem->base.label);
  for (const FieldLearner& learner : field_learners()) {
    std::vector<Html> row{learner.label};
    for (const FieldProblem* problem : data.grid.problems) row.push_back(field_score(data.at(*problem, learner)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Best rank first.
std::vector<std::size_t> ranking(const std::vector<Interval>& ranks) {
  std::vector<std::size_t> order(ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return ranks[i].mean; });
  return order;
}

std::string time_text(double seconds) {
  return seconds < 1e-6 ? fmt::format("{:.0f} ns", 1e9 * seconds) : fmt::format("{} us", number_text(1e6 * seconds, 1));
}

TextTable field_ranking(const FieldData& data) {
  TextTable table{{"learner", "rank", "within .02", "within .10", "worst score", "slope", "time per step", "memory"}};
  const std::vector<Interval> ranks = mean_ranks(data);
  for (const std::size_t i : ranking(ranks)) {
    const FieldLearner& learner = field_learners()[i];
    double worst = 1.0;
    for (const FieldProblem* problem : data.grid.problems)
      worst = std::min(worst, mean(data.scores(*problem, learner)));
    table.push_back({learner.label,
                     fmt::format("{} [{}, {}]", number_text(ranks[i].mean, 1), number_text(ranks[i].low, 1),
                                 number_text(ranks[i].high, 1)),
                     fmt::format("{:.0f}%", 100.0 * share_within(data, learner, 0.02)),
                     fmt::format("{:.0f}%", 100.0 * share_within(data, learner, 0.10)), number_text(worst),
                     number_text(regret_slope(data, learner)), time_text(seconds_per_step(data, learner)),
                     learner.memory});
  }
  return table;
}

HtmlTable field_ranking_html(const FieldData& data) {
  const TextTable texts = field_ranking(data);
  HtmlTable table = new_table(
      "Best first. Rank: among all learners at the same seed, mean over the problems and seeds, with a 95% interval "
      "(Student's t, one mean rank per seed). Within: the "
      "share of the problems on which the mean score is at most this far below the best learner's. Slope: how the "
      "regret grows over the last factor of ten of steps (median; 1 is linear, 0.5 is sqrt(t)). Time per step: mean "
      "over the problems of the fastest seed's. Memory: numbers of 8 bytes, S states, A actions.",
      {texts.front().begin(), texts.front().end()});
  for (std::size_t k = 1; k < texts.size(); ++k) table.rows.emplace_back(texts[k].begin(), texts[k].end());
  return table;
}

/// The heuristic with the highest score; empty where the problem has none.
std::string best_heuristic(const FieldData& data, const FieldProblem& problem) {
  std::string best;
  for (const std::string& name : problem.heuristics)
    if (best.empty() || data.heuristics.at({problem.base.name, name}) > data.heuristics.at({problem.base.name, best}))
      best = name;
  return best;
}

/// Mean scores by problem of the eight learners with the best ranks, and the best heuristic's.
TextTable field_best_scores(const FieldData& data) {
  constexpr std::size_t shown = 8;
  std::vector<std::size_t> order = ranking(mean_ranks(data));
  order.resize(std::min(shown, order.size()));
  TextTable table{{"problem"}};
  for (const std::size_t i : order) table.front().push_back(field_learners()[i].label);
  table.front().emplace_back("best heuristic");
  for (const FieldProblem* problem : data.grid.problems) {
    std::vector<std::string> row{problem->base.label};
    for (const std::size_t i : order) row.push_back(number_text(mean(data.scores(*problem, field_learners()[i]))));
    const std::string best = best_heuristic(data, *problem);
    row.push_back(best.empty()
                      ? "-"
                      : fmt::format("{} `{}`", number_text(data.heuristics.at({problem->base.name, best}), 3), best));
    table.push_back(std::move(row));
  }
  return table;
}

std::string markdown_table(const TextTable& table) {
  std::string text;
  for (std::size_t k = 0; k < table.size(); ++k) {
    text += fmt::format("| {} |\n", fmt::join(table[k], " | "));
    if (k > 0) continue;
    for (std::size_t c = 0; c < table[k].size(); ++c) text += "|---";
    text += "|\n";
  }
  return text;
}

HtmlTable field_heuristics(const FieldData& data) {
  HtmlTable table =
      new_table("Heuristics: exact scores, and the best learner's mean score in the last tenth of the run.",
                {"problem", "heuristic", "score", "best learner's last tenth"});
  for (const FieldProblem* problem : data.grid.problems) {
    std::string best;
    double most = -1e300;
    for (const FieldLearner& learner : field_learners()) {
      std::vector<double> last;
      for (const ExplorationResult& result : data.at(*problem, learner)) last.push_back(result.last_tenth);
      if (mean(last) <= most) continue;
      most = mean(last);
      best = learner.label;
    }
    for (const std::string& name : problem->heuristics)
      table.rows.push_back({problem->base.label, name, number_text(data.heuristics.at({problem->base.name, name}), 3),
                            fmt::format("{} ({})", number_text(most, 3), best)});
  }
  return table;
}

HtmlTable field_settings(const FieldData& data) {
  HtmlTable table = new_table("The setting that was chosen on the tuning seeds; empty: that of the file.", {"learner"});
  for (const FieldProblem* problem : data.grid.problems) table.header.emplace_back(problem->base.label);
  for (const FieldLearner& learner : field_learners()) {
    std::vector<Html> row{learner.label};
    for (const FieldProblem* problem : data.grid.problems) {
      std::vector<std::string> words;
      for (const std::string& each : learner.settings[data.choices.at({problem->base.name, learner.name}).chosen])
        words.push_back(each.substr(each.find('.') + 1));
      row.emplace_back(fmt::format("{}", fmt::join(words, ", ")));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string field_csv(const FieldData& data) {
  std::string text = "problem,learner,setting,seed,steps,score,score_last_tenth,regret_slope\n";
  for (const FieldProblem* problem : data.grid.problems)
    for (const FieldLearner& learner : field_learners())
      for (const ExplorationResult& result : data.at(*problem, learner))
        text += fmt::format("{},{},{},{},{},{},{},{}\n", problem->base.name, learner.name,
                            data.choices.at({problem->base.name, learner.name}).chosen, result.seed, data.grid.steps,
                            csv_text(result.score), csv_text(result.last_tenth),
                            csv_text(1.0 + last_decade(result, data.grid.steps)));
  return text;
}

std::string field_tuning_csv(const FieldData& data) {
  std::string text = "problem,learner,setting,overrides,tuning_average_cost,chosen\n";
  for (const FieldProblem* problem : data.grid.problems)
    for (const FieldLearner& learner : field_learners()) {
      const FieldChoice& choice = data.choices.at({problem->base.name, learner.name});
      for (std::size_t k = 0; k < choice.cost.size(); ++k)
        text += fmt::format("{},{},{},{},{},{}\n", problem->base.name, learner.name, k,
                            fmt::join(learner.settings[k], " "), csv_text(choice.cost[k]), k == choice.chosen ? 1 : 0);
    }
  return text;
}

std::string field_heuristics_csv(const FieldData& data) {
  std::string text = "problem,heuristic,score\n";
  for (const auto& [key, score] : data.heuristics)
    text += fmt::format("{},\"{}\",{}\n", key.first, key.second, csv_text(score));
  return text;
}

constexpr const char* field_style =
    "td .good{background:#c7e9c0}td .fair{background:#e5f5e0}td .half{background:#fff3cd}td .poor{background:#f8d0c8}"
    "td span{padding:.1em .3em;border-radius:.2em;color:#111}"
    "main,body{max-width:100rem}table{font-size:.82em}thead th{white-space:normal;max-width:6.5rem}";

}  // namespace

std::string field_markdown(const FieldData& data) {
  return "<!-- learners -->\n" + markdown_table(field_ranking(data)) + "<!-- scores -->\n" +
         markdown_table(field_best_scores(data));
}

FigureReport field_report(const FieldData& data, std::span<const FieldRun> runs) {
  FigureReport report{
      .title = "The field: every learner on every problem",
      .introduction =
          "Learners of the literature next to the ones of this program. Each one had the same number of "
          "settings to try on every problem; the results are of other seeds."};
  if (data.grid.quick)
    report.notice = fmt::format(
        "A quick version, not the figure: {} problems, {} settings, {} fresh seeds, {} steps. Omit --quick for the "
        "figure.",
        data.grid.problems.size(), data.grid.settings, data.grid.seeds, data.grid.steps);
  report.claims = field_claims(data);
  report.intervals_over = "the fresh seeds";
  report.results.heading("Ranks");
  report.results.table(field_ranking_html(data));
  report.results.heading("Scores");
  report.results.table(field_scores(data));
  report.pictures = {{"field",
                      "Regret per step in units of random actions' regret, both axes logarithmic, mean over the fresh "
                      "seeds; values outside the frame are drawn at its edge. Grey lines: what heuristics lose.",
                      field_curves(data)},
                     {"profile", "How often a learner is near the best one.", field_profile(data), true}};
  report.notes.heading("Heuristics");
  report.notes.table(field_heuristics(data));
  report.notes.heading("Settings");
  report.notes.list(
      {fmt::format("{} problems, {} learners, {} runs of {} steps.", data.grid.problems.size(), field_learners().size(),
                   runs.size(), data.grid.steps),
       fmt::format("Every learner tried {} settings on {} tuning seeds (from 1 on) on every problem. The "
                   "one with the least mean average cost is run on {} fresh seeds (from {} on). "
                   "tuning.csv has all that was tried.",
                   data.grid.settings, data.grid.tuning_seeds, data.grid.seeds, first_field_seed),
       "All learners have one value per state and action, and networks see one indicator per state, so that the "
       "comparison is of learners and not of features.",
       "Random actions, optima and heuristics are computed exactly. The Garnet is drawn for every seed."});
  report.notes.table(field_settings(data));
  report.example = run_command(runs.back().cell);
  report.contents =
      "runs.csv has one row per fresh run, tuning.csv every setting tried, heuristics.csv their exact scores, "
      "tables.md the tables of docs/results/field.md.";
  report.style = field_style;
  report.files = {{"runs.csv", field_csv(data)},
                  {"tuning.csv", field_tuning_csv(data)},
                  {"heuristics.csv", field_heuristics_csv(data)},
                  {"tables.md", field_markdown(data)}};
  return report;
}

}  // namespace politex::inline studies
