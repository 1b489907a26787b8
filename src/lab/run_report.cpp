#include "politex/lab/run_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/base/unknown.hpp"
#include "politex/lab/assets.hpp"
#include "politex/lab/bounds_section.hpp"
#include "politex/lab/claims.hpp"
#include "politex/lab/curves.hpp"
#include "politex/lab/html.hpp"
#include "politex/lab/picture_page.hpp"
#include "politex/lab/plot.hpp"
#include "politex/lab/run_directory.hpp"
#include "politex/lab/tune_report.hpp"

namespace politex::lab {

namespace {

namespace fs = std::filesystem;
constexpr std::size_t most_learners_compared = 12;
constexpr std::size_t most_figures = 12;

std::string bracket(const Interval& interval) {
  return fmt::format(" [{}, {}]", number_text(interval.low, 3), number_text(interval.high, 3));
}

Html with_interval(const Interval& interval) {
  return Html(number_text(interval.mean, 3)) + Html::tag("small", bracket(interval));
}

HtmlTable comparison_table(std::span<const RunRecord> runs, std::span<const RunGroup> groups) {
  HtmlTable table{.caption =
                      "Average cost over the whole run, every step counted; lower is better. 95% bootstrap intervals "
                      "over seeds; with one run, the batch-means interval of its trajectory (20 batches). IQM: mean "
                      "of the middle half of the seeds. Final policy: exact long-run cost.",
                  .header = {"", "seeds", "mean", "IQM", "one trajectory", "last tenth", "optimum",
                             "final policy, last state / start", "regret"},
                  .rows = {},
                  .words = false};
  for (const RunGroup& group : groups) {
    const GroupStatistics s = statistics_of(runs, group);
    const bool several = s.seeds > 1;
    table.rows.push_back(
        {group.label(),
         s.seeds == group.runs.size() ? fmt::format("{}", s.seeds)
                                      : fmt::format("{} of {}", s.seeds, group.runs.size()),
         several ? with_interval(s.mean) : Html(number_text(s.mean.mean, 3)),
         several ? with_interval(s.iqm) : Html("–"), s.batch_means ? with_interval(*s.batch_means) : Html("–"),
         number_text(s.last_tenth, 3), number_text(s.optimal_gain, 3),
         number_text(s.gain_from_last_state, 3) + " / " + number_text(s.gain_from_start, 3), number_text(s.regret, 0)});
  }
  return table;
}

void add_aggregates(HtmlPage& page, std::span<const RunRecord> runs, std::span<const RunGroup> groups) {
  const std::vector<Aggregate> all = aggregates(runs, groups);
  if (all.empty() || std::ranges::max(all, {}, &Aggregate::tasks).tasks < 2) return;
  HtmlTable table{.caption = "Seeds are resampled within each environment (stratified bootstrap, 2000 resamples).",
                  .header = {"", "environments", "mean", "IQM"},
                  .rows = {},
                  .words = false};
  for (const Aggregate& one : all) {
    table.rows.push_back({one.learner, fmt::format("{}", one.tasks), with_interval(one.mean), with_interval(one.iqm)});
  }
  page.heading(all.front().above_optimum ? "Over all environments: average cost above the optimum"
                                         : "Over all environments: average cost");
  page.table(table);
}

void add_improvements(HtmlPage& page, std::span<const RunRecord> runs, std::span<const RunGroup> groups) {
  std::set<std::string> learners;
  for (const RunGroup& group : groups) learners.insert(group.learner);
  if (learners.size() < 2) return;
  const std::vector<Improvement> pairs =
      learners.size() > most_learners_compared ? std::vector<Improvement>{} : improvements(runs, groups);
  if (pairs.empty() && learners.size() <= most_learners_compared) return;  // none has solved what another has
  page.heading("Probability of improvement");
  if (learners.size() > most_learners_compared) {
    page.paragraph(
        fmt::format("{} learners have too many pairs to show; report fewer of them at a time.", learners.size()));
    return;
  }
  HtmlTable table{.caption =
                      "How probably a run of the first has a lower average cost than a run of the second on the same "
                      "environment, ties counted half; mean over environments, 95% stratified bootstrap.",
                  .header = {"", "is better than", "with probability"},
                  .rows = {},
                  .words = true};
  for (const Improvement& pair : pairs) {
    table.rows.push_back({pair.better, pair.than,
                          Html(number_text(pair.probability.mean)) + Html::tag("small", bracket(pair.probability))});
  }
  page.table(table);
}

void add_settings(HtmlPage& page, std::span<const RunRecord> runs, std::span<const RunGroup> groups) {
  page.heading("Settings and commands");
  for (const RunGroup& group : groups) {
    const RunRecord& first = runs[group.runs.front()];
    std::string seeds;
    for (const std::size_t run : group.runs)
      seeds += fmt::format("{}{}", seeds.empty() ? "" : " ", runs[run].setting("seed"));
    const std::string command =
        fmt::format("# seeds {}\npolitex run {} seed={}", seeds,
                    shell_word((first.directory / "config.toml").lexically_normal().string()), first.setting("seed"));
    page.details(group.label(),
                 Html::tag("pre", Html::tag("code", command)) + Html::tag("pre", Html::tag("code", first.config_text)));
  }
}

HtmlTable runs_table(std::span<const RunRecord> runs) {
  HtmlTable table{
      .caption = "", .header = {"", "state", "steps", "average cost", "signature"}, .rows = {}, .words = false};
  for (const RunRecord& run : runs) {
    const auto signature = run.words.find("signature");
    table.rows.push_back({run.name,
                          run.finished  ? "done"
                          : run.failure ? "failed: " + *run.failure
                                        : "not finished",
                          run.number("steps") ? fmt::format("{:.0f}", *run.number("steps")) : "–",
                          number_text(run.number("average_cost").value_or(unknown), 4),
                          signature == run.words.end() ? "–" : signature->second});
  }
  return table;
}

std::vector<std::string> draw_figures(std::span<const RunRecord> runs, std::span<const RunGroup> groups,
                                      const fs::path& directory) {
  std::vector<std::string> names;
  const CommonCurves curves = common_curves(runs);
  // A figure holds one task, and no more curves than there are looks for.
  std::vector<std::vector<RunGroup>> sheets;
  for (const RunGroup& group : groups) {
    if (sheets.empty() || sheets.back().front().task != group.task || sheets.back().size() == different_looks)
      sheets.emplace_back();
    sheets.back().push_back(group);
  }
  for (const char* metric : {"average_cost", "recent_cost", "regret"}) {
    for (std::size_t s = 0; s < sheets.size() && s < most_figures; ++s) {
      const Plot plot = curve_plot(curves, sheets[s], metric, sheets[s].front().task);
      if (plot.series.empty()) continue;
      names.push_back(sheets.size() == 1 ? metric : fmt::format("{}-{}", metric, s + 1));
      draw(plot, directory, names.back());
    }
  }
  return names;
}

}  // namespace

std::string shell_word(const std::string& word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-+=:,./@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::string run_report_html(std::span<const RunRecord> runs, std::span<const RunGroup> groups,
                            const ReportExtras& extras) {
  HtmlPage page(fmt::format("{} run{}", runs.size(), runs.size() == 1 ? "" : "s"));
  const auto unfinished = std::ranges::count(runs, false, &RunRecord::finished);
  if (unfinished > 0) {
    page.add(Html::tag(
        "div",
        fmt::format("{} of {} runs are not finished; what is below is what they have so far.", unfinished, runs.size()),
        "notice"));
  }
  page.add(Html::markup("<div id=\"curves\"></div>"));
  add_pictures(page, runs, groups);
  page.heading("Comparison");
  page.table(comparison_table(runs, groups));
  add_aggregates(page, runs, groups);
  add_improvements(page, runs, groups);
  add_bounds(page, runs, groups);
  for (const fs::path& directory : extras.directories) add_tuning(page, directory);
  if (!extras.figures.empty()) {
    page.heading("Figures for print");
    std::string links;
    for (const std::string& name : extras.figures) {
      links += fmt::format("{0}{1} (<a href=\"{1}.svg\">SVG</a>, <a href=\"{1}.png\">PNG</a>)",
                           links.empty() ? "" : ", ", name);
    }
    page.paragraph(Html::markup(links));
  }
  add_settings(page, runs, groups);
  page.heading("Runs");
  page.details(fmt::format("All {} runs", runs.size()), table_html(runs_table(runs)));
  page.heading("How it was made");
  page.code(extras.command);
  page.add(Html::markup(
      fmt::format("<script type=\"application/json\" id=\"data\">{}</script>", curves_json(runs, groups))));
  page.add(Html::markup(fmt::format("<script>{}</script>", dygraph_js().text)));
  page.add(Html::markup(fmt::format("<script>{}</script>", report_js().text)));
  page.add(Html::markup(fmt::format("<script>{}</script>", pictures_js().text)));
  return page.text(fmt::format("<style>{}</style>\n<style>{}</style>\n", dygraph_css().text, chart_style()));
}

std::string comparison_csv(std::span<const RunRecord> runs, std::span<const RunGroup> groups) {
  std::string text =
      "task,learner,seeds,mean,mean_low,mean_high,iqm,iqm_low,iqm_high,last_tenth,optimal_gain,"
      "final_gain_from_last_state,final_gain_from_start,regret\n";
  const auto cell = [](double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); };
  const auto quoted_cell = [](const std::string& words) {
    std::string cell_text = "\"";
    for (const char c : words) cell_text.append(c == '"' ? 2 : 1, c);
    return cell_text + "\"";
  };
  for (const RunGroup& group : groups) {
    const GroupStatistics s = statistics_of(runs, group);
    const auto bound = [&](double value) { return s.seeds > 1 ? cell(value) : std::string(); };
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", quoted_cell(group.task),
                        quoted_cell(group.learner), s.seeds, cell(s.mean.mean), bound(s.mean.low), bound(s.mean.high),
                        cell(s.iqm.mean), bound(s.iqm.low), bound(s.iqm.high), cell(s.last_tenth), cell(s.optimal_gain),
                        cell(s.gain_from_last_state), cell(s.gain_from_start), cell(s.regret));
  }
  return text;
}

fs::path write_run_report(const ReportOptions& options) {
  const std::vector<RunRecord> runs = read_runs(options.directories);
  require_gnuplot();
  fs::path out = options.out;
  if (out.empty()) out = options.directories.size() == 1 ? options.directories.front() : fs::path("results/report");
  make_out_directory(out);
  const std::vector<RunGroup> groups = group_runs(runs);
  const std::vector<std::string> figures = draw_figures(runs, groups, out);
  write_file(out / "comparison.csv", comparison_csv(runs, groups));
  write_file(out / "report.html",
             run_report_html(runs, groups,
                             {.command = options.command, .directories = options.directories, .figures = figures}));
  return out / "report.html";
}

}  // namespace politex::lab
