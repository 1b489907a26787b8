#include "politex/report/run_report.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "politex/base/files.hpp"
#include "politex/base/unknown.hpp"
#include "politex/page/html.hpp"
#include "politex/page/plot.hpp"
#include "politex/record/run_directory.hpp"
#include "politex/report/assets.hpp"
#include "politex/report/best_section.hpp"
#include "politex/report/bounds_section.hpp"
#include "politex/report/claims.hpp"
#include "politex/report/comparison_section.hpp"
#include "politex/report/curves.hpp"
#include "politex/report/picture_page.hpp"
#include "politex/report/report_figures.hpp"
#include "politex/report/tune_report.hpp"

namespace politex::inline report {

namespace {

namespace fs = std::filesystem;
// A page above 5 MB is slow to open. Further limits are in comparison_section and picture_page.
constexpr std::size_t most_page_bytes = 4'800'000;
constexpr std::size_t fewest_curve_bytes = 200'000;
constexpr std::size_t most_settings_bytes = 600'000;
constexpr std::size_t most_runs_bytes = 500'000;
constexpr std::size_t most_whole_settings = 100;  // up to this number of groups, all settings are shown completely

/// One line for each sweep that some run belongs to.
std::string sweep_commands(std::span<const RunRecord> runs) {
  std::set<fs::path> sweeps;
  for (const RunRecord& run : runs)
    if (run.directory.parent_path().filename() == "runs") sweeps.insert(run.directory.parent_path().parent_path());
  std::string commands;
  for (const fs::path& sweep : sweeps)
    if (const std::string command = sweep_command(sweep); !command.empty()) commands += command + "\n";
  return commands;
}

/// "algorithm.eta = 0.1" for each setting that differs from the other run.
std::string differences(const RunRecord& run, const RunRecord& other) {
  std::string text;
  for (const auto& [key, value] : run.settings) {
    if (key != "seed" && other.setting(key) != value) text += fmt::format("#   {} = {}\n", key, value);
  }
  return text;
}

/// For very many groups only the first has complete settings; the others list their differences from it.
void add_settings(HtmlPage& page, std::span<const RunRecord> runs, std::span<const RunGroup> groups) {
  page.heading("Settings and commands");
  const std::size_t whole = groups.size() <= most_whole_settings ? groups.size() : 1;
  for (const RunGroup& group : groups.first(whole)) {
    const RunRecord& first = runs[group.runs.front()];
    page.details(group.label(), Html::tag("pre", Html::tag("code", command_of(runs, group))) +
                                    Html::tag("pre", Html::tag("code", first.config_text)));
  }
  if (whole == groups.size()) return;
  std::string others;
  std::size_t shown = whole;
  for (; shown < groups.size() && others.size() < most_settings_bytes; ++shown) {
    const RunRecord& run = runs[groups[shown].runs.front()];
    others +=
        fmt::format("{}\n{}\n", command_of(runs, groups[shown]), differences(run, runs[groups.front().runs.front()]));
  }
  page.details(fmt::format("{} more: differences of their settings from the first", shown - whole),
               Html::tag("pre", Html::tag("code", others)));
  if (shown < groups.size()) page.paragraph(fmt::format("For {} more, see their config.toml.", groups.size() - shown));
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

void add_runs(HtmlPage& page, std::span<const RunRecord> runs) {
  HtmlTable table = runs_table(runs);
  const std::size_t absent = cut_rows(table, most_runs_bytes);
  page.heading("Runs");
  page.details(absent == 0 ? fmt::format("All {} runs", runs.size())
                           : fmt::format("The first {} of {} runs", runs.size() - absent, runs.size()),
               table_html(table));
}

void add_figure_links(HtmlPage& page, const std::vector<std::string>& figures, std::span<const RunGroup> groups) {
  if (figures.empty()) return;
  page.heading("Figures for print");
  std::string links;
  const bool printed = has_gnuplot();
  for (const std::string& name : figures) {
    links += fmt::format("{0}{1} (<a href=\"{1}.svg\">SVG</a>", links.empty() ? "" : ", ", name);
    links += printed ? fmt::format(", <a href=\"{0}.pdf\">PDF</a>, <a href=\"{0}.png\">PNG</a>)", name) : ")";
  }
  page.paragraph(Html::markup(links));
  page.paragraph(
      fmt::format("Lines are means over seeds. Bands and bars are 95% intervals (Student's t) that end at the lowest "
                  "and the highest "
                  "seed; with fewer than {} seeds, thin lines are the seeds and bars their range.",
                  fewest_for_bands));
  if (const std::size_t drawn = groups_drawn(groups); drawn < groups.size())
    page.paragraph(fmt::format("They show the first {} of {} settings.", drawn, groups.size()));
}

/// Notices about unfinished runs and about copies.
void add_notices(HtmlPage& page, std::span<const RunRecord> runs, std::span<const RunGroup> groups) {
  const auto unfinished = std::ranges::count(runs, false, &RunRecord::finished);
  if (unfinished > 0)
    page.add(Html::tag("div",
                       fmt::format("{} of {} runs are not finished. Curves show their progress so far; means exclude "
                                   "failed runs. Statistics use only finished runs if a setting has any.",
                                   unfinished, runs.size()),
                       "notice"));
  std::size_t copies = 0;
  for (const RunGroup& group : groups) copies += group.copies.size();
  if (copies > 0)
    page.add(
        Html::tag("div",
                  fmt::format("{} of {} runs repeat the trajectory of another run (same seed and signature) and are "
                              "not counted.",
                              copies, runs.size()),
                  "notice"));
}

std::string page_text(std::span<const RunRecord> runs, std::span<const RunGroup> groups, const Comparison& comparison,
                      const ReportExtras& extras) {
  HtmlPage page(fmt::format("{} run{}", runs.size(), runs.size() == 1 ? "" : "s"));
  add_notices(page, runs, groups);
  add_best(page, runs, groups, [&](const RunGroup& group) { return command_of(runs, group); });
  page.add(Html::markup("<div id=\"curves\"></div>"));
  add_pictures(page, runs, groups);
  add_comparison(page, groups, comparison);
  add_bounds(page, runs, groups);
  for (const fs::path& directory : extras.directories) add_tuning(page, directory);
  add_figure_links(page, extras.figures, groups);
  add_settings(page, runs, groups);
  add_runs(page, runs);
  page.heading("How it was made");
  page.code(sweep_commands(runs) + extras.command);
  page.add(Html::markup(fmt::format("<script>{}</script>", dygraph_js().text)));
  const std::string head =
      fmt::format("{}<style>{}</style>\n<style>{}</style>\n",
                  csp_meta({dygraph_js(), view_js(), report_js(), pictures_js()}), dygraph_css().text, chart_style());
  // The curves may use the rest of the page's size limit.
  const std::size_t others =
      page.text(head).size() + view_js().text.size() + report_js().text.size() + pictures_js().text.size();
  const std::size_t left = std::max(fewest_curve_bytes, most_page_bytes - std::min(most_page_bytes, others));
  page.add(Html::markup(fmt::format("<script type=\"application/json\" id=\"data\">{}</script>",
                                    curves_json_within(runs, groups, left))));
  page.add(Html::markup(fmt::format("<script>{}</script>", view_js().text)));
  page.add(Html::markup(fmt::format("<script>{}</script>", report_js().text)));
  page.add(Html::markup(fmt::format("<script>{}</script>", pictures_js().text)));
  return page.text(head);
}

}  // namespace

std::string run_report_html(std::span<const RunRecord> runs, std::span<const RunGroup> groups,
                            const ReportExtras& extras) {
  return page_text(runs, groups, compare(runs, groups), extras);
}

fs::path write_run_report(const ReportOptions& options) {
  const std::vector<RunRecord> runs = read_runs(options.directories);
  fs::path out = options.out;
  if (out.empty()) out = options.directories.size() == 1 ? options.directories.front() : fs::path("results/report");
  make_out_directory(out);
  const std::vector<RunGroup> groups = group_runs(runs);
  const Comparison comparison = compare(runs, groups);
  const std::vector<std::string> figures = draw_figures(runs, groups, comparison, out);
  write_file(out / "comparison.csv", comparison_csv(groups, comparison));
  write_file(out / "regret_terms.csv", regret_terms_csv(groups, comparison));
  write_file(out / "aggregates.csv", aggregates_csv(comparison));
  write_file(out / "improvement.csv", improvement_csv(comparison));
  write_file(out / "report.html",
             page_text(runs, groups, comparison,
                       {.command = options.command, .directories = options.directories, .figures = figures}));
  return out / "report.html";
}

}  // namespace politex::inline report
