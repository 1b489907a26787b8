#include "politex/report/best_section.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "politex/base/files.hpp"
#include "politex/report/claims.hpp"
#include "politex/report/curves.hpp"

namespace politex::inline report {

namespace {

struct Judged {
  std::vector<RunGroup> groups;
  std::vector<GroupStatistics> statistics = {};
};

Judged judged_groups(std::span<const RunRecord> runs, std::span<const RunGroup> groups) {
  Judged judged{.groups = judging_groups(runs, groups)};
  for (const RunGroup& group : judged.groups) judged.statistics.push_back(statistics_of(runs, group));
  return judged;
}

constexpr std::size_t most_shown = 12;

/// "1-5 8" for the seeds 1, 2, 3, 4, 5 and 8.
std::string seeds_text(std::vector<std::uint64_t> seeds) {
  std::ranges::sort(seeds);
  std::string text;
  for (std::size_t i = 0; i < seeds.size();) {
    std::size_t last = i;
    while (last + 1 < seeds.size() && seeds[last + 1] <= seeds[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : " ", seeds[i]);
    if (seeds[last] > seeds[i]) text += fmt::format("{}{}", seeds[last] > seeds[i] + 1 ? "-" : " ", seeds[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace

std::string command_of(std::span<const RunRecord> runs, const RunGroup& group) {
  std::vector<std::uint64_t> seeds;
  const RunRecord* first = nullptr;
  for (const std::size_t run : group.runs) {
    const std::string text = runs[run].setting("seed");
    std::uint64_t seed = 0;
    std::from_chars(text.data(), text.data() + text.size(), seed);
    if (first == nullptr || seed < *std::ranges::min_element(seeds)) first = &runs[run];
    seeds.push_back(seed);
  }
  return fmt::format("# seeds {}\npolitex run {} seed={}", seeds_text(std::move(seeds)),
                     shell_word((first->directory / "config.toml").lexically_normal().string()),
                     first->setting("seed"));
}

std::vector<BestSetting> best_settings(std::span<const RunGroup> groups, std::span<const GroupStatistics> statistics) {
  std::vector<BestSetting> all;
  const auto cost = [&](std::size_t i) { return statistics[i].mean.mean; };
  for (std::size_t first = 0; first < groups.size(); ++first) {
    const std::string& task = groups[first].task;
    if (std::ranges::find(all, task, &BestSetting::task) != all.end()) continue;
    // A lucky single seed is not compared with means over many: only settings with at least half of the most seeds are.
    std::size_t most = 0;
    std::vector<std::size_t> candidates;
    for (std::size_t i = first; i < groups.size(); ++i)
      if (groups[i].task == task) most = std::max(most, statistics[i].seeds);
    for (std::size_t i = first; i < groups.size(); ++i)
      if (groups[i].task == task && std::isfinite(cost(i)) && 2 * statistics[i].seeds >= most && most > 0)
        candidates.push_back(i);
    if (candidates.size() < 2) continue;
    BestSetting best{.task = task, .group = std::ranges::min(candidates, {}, cost), .settings = candidates.size()};
    for (const std::size_t i : candidates)
      best.tied = best.tied || (i != best.group && !(statistics[i].mean.low > cost(best.group)));
    all.push_back(std::move(best));
  }
  return all;
}

std::string best_text(const RunGroup& group, const GroupStatistics& s, const BestSetting& best) {
  const int digits = std::max(3, decimals_for(s.mean));
  std::string text = fmt::format("{}: average cost {}", group.label(), number_text(s.mean.mean, digits));
  if (s.seeds > 1 && std::isfinite(s.mean.low) && std::isfinite(s.mean.high))
    text += fmt::format(" [{}, {}]", number_text(s.mean.low, digits), number_text(s.mean.high, digits));
  text += fmt::format(" over {} seed{}, the lowest of {} settings", s.seeds, s.seeds == 1 ? "" : "s", best.settings);
  if (std::isfinite(s.optimal_gain)) text += fmt::format(" (optimum {})", number_text(s.optimal_gain, digits));
  return text;
}

std::vector<std::string> best_lines(std::span<const RunRecord> runs, std::size_t most) {
  const Judged judged = judged_groups(runs, group_runs(runs));
  std::vector<std::string> lines;
  for (const BestSetting& best : best_settings(judged.groups, judged.statistics))
    if (lines.size() < most) lines.push_back(best_text(judged.groups[best.group], judged.statistics[best.group], best));
  return lines;
}

std::string best_json(std::span<const RunRecord> runs, std::span<const RunGroup> groups) {
  const Judged judged = judged_groups(runs, groups);
  std::vector<BestSetting> all = best_settings(judged.groups, judged.statistics);
  all.resize(std::min(all.size(), most_shown));
  std::string text = "[";
  for (const BestSetting& best : all) {
    const RunGroup& group = judged.groups[best.group];
    text += fmt::format("{}{{\"text\":{},\"command\":{},\"tied\":{}}}", text.size() > 1 ? "," : "",
                        json_text(best_text(group, judged.statistics[best.group], best)),
                        json_text(command_of(runs, group)), best.tied);
  }
  return text + "]";
}

void add_best(HtmlPage& page, std::span<const RunRecord> runs, std::span<const RunGroup> groups,
              const std::function<std::string(const RunGroup&)>& command) {
  const Judged judged = judged_groups(runs, groups);
  const std::vector<BestSetting> all = best_settings(judged.groups, judged.statistics);
  if (all.empty()) return;
  page.heading(all.size() == 1 ? "Best setting" : "Best setting of each environment");
  for (const BestSetting& best : std::span(all).first(std::min(all.size(), most_shown))) {
    Html text(best_text(judged.groups[best.group], judged.statistics[best.group], best) + ".");
    if (best.tied) text += Html::tag("small", " The intervals do not separate it from the next.");
    page.add(Html::tag("p", text));
    page.code(command(judged.groups[best.group]));
  }
  if (all.size() > most_shown) page.paragraph(fmt::format("{} more: see the comparison.", all.size() - most_shown));
  page.paragraph(
      "The lowest of several means tends to be below the true mean of its setting. To report it, run it on fresh "
      "seeds.");
}

}  // namespace politex::inline report
