#include <cmath>

#include <fmt/format.h>

#include "politex/report/comparison_section.hpp"

namespace politex::inline report {

namespace {

std::string cell(double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); }

std::string cells(const Interval& interval) {
  return fmt::format("{},{},{}", cell(interval.mean), cell(interval.low), cell(interval.high));
}

std::string quoted(const std::string& words) {
  std::string text = "\"";
  for (const char c : words) text.append(c == '"' ? 2 : 1, c);
  return text + "\"";
}

}  // namespace

std::string comparison_csv(std::span<const RunGroup> groups, const Comparison& comparison) {
  std::string text =
      "task,learner,seeds,mean,mean_low,mean_high,median,median_low,median_high,worst,last_tenth,optimal_gain,"
      "final_gain_from_last_state,final_gain_from_start,regret,batch_means_low,batch_means_high\n";
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const GroupStatistics& s = comparison.groups[i];
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", quoted(groups[i].task), quoted(groups[i].learner),
                        s.seeds, cells(s.mean), cells(s.median), cell(s.worst), cell(s.last_tenth),
                        cell(s.optimal_gain), cell(s.gain_from_last_state), cell(s.gain_from_start), cell(s.regret),
                        s.batch_means ? cell(s.batch_means->low) : "", s.batch_means ? cell(s.batch_means->high) : "");
  }
  return text;
}

std::string regret_terms_csv(std::span<const RunGroup> groups, const Comparison& comparison) {
  std::string text = "task,learner,seeds,term,mean,low,high,approximate\n";
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!comparison.terms[i]) continue;
    const TermStatistics& s = *comparison.terms[i];
    const auto add = [&](const char* term, const Interval& interval) {
      text += fmt::format("{},{},{},{},{},{}\n", quoted(groups[i].task), quoted(groups[i].learner), s.seeds, term,
                          cells(interval), s.approximate ? 1 : 0);
    };
    for (std::size_t term = 0; term < regret_terms.size(); ++term) add(regret_terms[term], s.terms[term]);
    add("regret", s.regret);
  }
  return text;
}

std::string aggregates_csv(const Comparison& comparison) {
  const Aggregates& all = comparison.over_tasks;
  std::string text = "learner,tasks,of,mean,mean_low,mean_high,worst\n";
  for (const Aggregate& one : all.learners) {
    text += fmt::format("{},{},{},{},{}\n", quoted(one.learner), all.tasks.size(),
                        all.above_optimum ? "cost_above_optimum" : "average_cost", cells(one.mean), cell(one.worst));
  }
  return text;
}

std::string improvement_csv(const Comparison& comparison) {
  std::string text = "better,than,tasks,probability,low,high\n";
  for (const Improvement& pair : comparison.pairs)
    text += fmt::format("{},{},{},{}\n", quoted(pair.better), quoted(pair.than), pair.tasks, cells(pair.probability));
  return text;
}

}  // namespace politex::inline report
