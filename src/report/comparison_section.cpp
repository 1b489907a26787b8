#include "politex/report/comparison_section.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "politex/report/claims.hpp"

namespace politex::inline report {

namespace {

// Limits that keep the page below 5 MB; the CSV files have all groups.
constexpr std::size_t most_comparison_bytes = 900'000;
constexpr std::size_t most_terms_bytes = 200'000;
constexpr std::size_t most_names = 20;

Html with_interval(const Interval& interval, int fewest_digits = 3) {
  const int digits = std::max(fewest_digits, decimals_for(interval));
  Html cell(number_text(interval.mean, digits));
  if (std::isfinite(interval.low) && std::isfinite(interval.high))
    cell += Html::tag("small",
                      fmt::format(" [{}, {}]", number_text(interval.low, digits), number_text(interval.high, digits)));
  return cell;
}

std::string cost_text(double cost) { return number_text(cost, std::max(3, decimals_for(cost))); }

void add_cut_table(HtmlPage& page, HtmlTable table, std::size_t most_bytes, const char* file) {
  const std::size_t absent = cut_rows(table, most_bytes);
  page.table(table);
  if (absent > 0) page.paragraph(fmt::format("{} more rows are in {}.", absent, file));
}

std::string some_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most_names); ++i) text += (i > 0 ? "; " : "") + names[i];
  if (names.size() > most_names) text += fmt::format("; and {} more", names.size() - most_names);
  return text;
}

HtmlTable groups_table(std::span<const RunGroup> groups, const Comparison& comparison) {
  HtmlTable table{
      .caption = fmt::format(
          "Average cost over all steps of the run; lower is better. If some runs are finished, only "
          "these count. Mean: 95% interval by Student's t over seeds, which is right at any number of seeds "
          "if they are roughly normal, and too narrow if few seeds fail badly; then look at the median "
          "(95% interval by order statistics, right for any distribution, from six seeds on) and at the "
          "worst seed. For a single seed: the batch-means interval of its trajectory (20 batches; at least "
          "{} rows). No interval reaches below the optimum. Final policy: exact long-run cost.",
          fewest_batch_rows),
      .header = {"", "seeds", "mean", "median", "worst seed", "one trajectory", "last tenth", "optimum",
                 "final policy, last state / start", "regret"},
      .rows = {},
      .words = false};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const GroupStatistics& s = comparison.groups[i];
    table.rows.push_back(
        {groups[i].label(),
         s.seeds == groups[i].runs.size() ? fmt::format("{}", s.seeds)
                                          : fmt::format("{} of {}", s.seeds, groups[i].runs.size()),
         s.seeds > 1 ? with_interval(s.mean) : Html(cost_text(s.mean.mean)),
         s.seeds > 1 ? with_interval(s.median) : Html("–"), s.seeds > 1 ? Html(cost_text(s.worst)) : Html("–"),
         s.batch_means ? with_interval(*s.batch_means) : Html("–"), cost_text(s.last_tenth), cost_text(s.optimal_gain),
         cost_text(s.gain_from_last_state) + " / " + cost_text(s.gain_from_start), number_text(s.regret, 0)});
  }
  return table;
}

void add_terms(HtmlPage& page, std::span<const RunGroup> groups, const Comparison& comparison) {
  HtmlTable table{.caption =
                      "Mean over seeds, with 95% intervals (Student's t) if there are several. The six terms sum "
                      "to the regret. E: exploration; PR: policies worse than the comparator; V: costs above the "
                      "long-run cost of the policy in use; W: the same for the comparator, with the opposite sign. "
                      "V and W of the exploration rounds are shown separately. Approximate: not every phase's policy "
                      "was evaluated (exact.every), so PR and V contain parts of each other.",
                  .header = {"", "E", "PR", "V", "W", "V explore", "W explore", "regret"},
                  .rows = {},
                  .words = false};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!comparison.terms[i]) continue;
    std::vector<Html> row{groups[i].label()};
    if (comparison.terms[i]->approximate) row[0] += Html::tag("small", " approximate");
    for (const Interval& term : comparison.terms[i]->terms) row.push_back(with_interval(term, 0));
    row.push_back(with_interval(comparison.terms[i]->regret, 0));
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty()) return;
  page.heading("Terms of the regret");
  add_cut_table(page, std::move(table), most_terms_bytes, "regret_terms.csv");
}

void add_aggregates(HtmlPage& page, const Aggregates& all) {
  if (all.tasks.size() + all.left_out.size() < 2) return;
  page.heading(all.above_optimum ? "Over all environments: average cost above the optimum"
                                 : "Over all environments: average cost");
  if (all.learners.empty()) {
    page.paragraph("Fewer than two environments were tried by every learner, so there is no average.");
    return;
  }
  HtmlTable table{
      .caption = fmt::format(
          "Over the {} environments that every learner has tried, with equal weights. 95% interval by Student's "
          "t, with the degrees of freedom of the environment with the fewest seeds; no interval if an "
          "environment has a single seed.",
          all.tasks.size()),
      .header = {"", "mean", "worst run"},
      .rows = {},
      .words = false};
  for (const Aggregate& one : all.learners)
    table.rows.push_back({one.learner, with_interval(one.mean), cost_text(one.worst)});
  add_cut_table(page, std::move(table), most_terms_bytes, "aggregates.csv");
  if (!all.left_out.empty())
    page.paragraph(fmt::format("Not included, because not every learner has tried them: {}.", some_of(all.left_out)));
}

void add_improvements(HtmlPage& page, const Comparison& comparison) {
  const bool too_many = comparison.learners > most_learners_compared;
  if (comparison.learners < 2 || (comparison.pairs.empty() && !too_many)) return;
  page.heading("Probability of improvement");
  if (too_many) {
    page.paragraph(
        fmt::format("{} learners have too many pairs to show; report fewer learners at a time.", comparison.learners));
    return;
  }
  HtmlTable table{.caption =
                      "Probability that a run of the first learner has a lower average cost than a run of the second "
                      "on the same environment, ties counted half; mean over environments, 95% interval by Newcombe's "
                      "method with Student's t.",
                  .header = {"", "is better than", "with probability"},
                  .rows = {},
                  .words = true};
  for (const Improvement& pair : comparison.pairs)
    table.rows.push_back({pair.better, pair.than, with_interval(pair.probability, 2)});
  page.table(table);
}

}  // namespace

std::size_t cut_rows(HtmlTable& table, std::size_t most_bytes) {
  constexpr std::size_t tags_of_a_cell = 9;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    for (const Html& cell : table.rows[i]) bytes += cell.text().size() + tags_of_a_cell;
    if (bytes <= most_bytes) continue;
    const std::size_t absent = table.rows.size() - i;
    table.rows.resize(i);
    return absent;
  }
  return 0;
}

void add_comparison(HtmlPage& page, std::span<const RunGroup> groups, const Comparison& comparison) {
  page.heading("Comparison");
  add_cut_table(page, groups_table(groups, comparison), most_comparison_bytes, "comparison.csv");
  add_aggregates(page, comparison.over_tasks);
  add_improvements(page, comparison);
  add_terms(page, groups, comparison);
}

}  // namespace politex::inline report
