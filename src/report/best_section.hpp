// The answer first: which setting was best on each environment, and how to run it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "politex/page/html.hpp"
#include "politex/report/comparison.hpp"

namespace politex::inline report {

/// The settings of one environment, and the one with the lowest mean of the average cost.
struct BestSetting {
  std::string task;          // as in RunGroup
  std::size_t group = 0;     // index of the best
  std::size_t settings = 0;  // how many were compared: those with at least half as many seeds as the one with the most
  bool tied = false;         // another one's interval reaches below the mean of the best
};

/// One entry per task in which at least two settings can be compared, in the order of the groups.
std::vector<BestSetting> best_settings(std::span<const RunGroup> groups, std::span<const GroupStatistics> statistics);

/// "eta=0.1: average cost -1.43 [-1.45, -1.41] over 5 seeds, the lowest of 3 settings". Plain text, for the terminal
/// too.
std::string best_text(const RunGroup& group, const GroupStatistics& statistics, const BestSetting& best);

/// best_text() of each task, at most `most` of them.
std::vector<std::string> best_lines(std::span<const RunRecord> runs, std::size_t most);

/// [{"text", "command", "tied"}, ...] of the page's best settings, for the dashboard.
std::string best_json(std::span<const RunRecord> runs, std::span<const RunGroup> groups);

/// "# seeds 1-5" and the command that repeats the run of a group with the lowest seed.
std::string command_of(std::span<const RunRecord> runs, const RunGroup& group);

/// Of the groups that judge learners (judging_groups). Nothing where there is nothing to compare. `command` gives the
/// command that runs a group.
void add_best(HtmlPage& page, std::span<const RunRecord> runs, std::span<const RunGroup> groups,
              const std::function<std::string(const RunGroup&)>& command);

}  // namespace politex::inline report
