#include "politex/lab/comparison.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "politex/base/rng.hpp"
#include "politex/base/unknown.hpp"

namespace politex::lab {

bool names_task(const std::string& key) { return key.starts_with("environment.") || key == "steps"; }

namespace {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

bool names_nothing(const std::string& key) { return key == "seed" || key.starts_with("exact."); }

KeyValues part_of(const RunRecord& run, bool task) {
  KeyValues part;
  for (const auto& setting : run.settings) {
    if (!names_nothing(setting.first) && names_task(setting.first) == task) part.push_back(setting);
  }
  std::ranges::sort(part);
  return part;
}

std::string value_in(const KeyValues& settings, const std::string& key) {
  const auto found = std::ranges::find(settings, key, [](const auto& pair) { return pair.first; });
  return found == settings.end() ? "" : found->second;
}

/// "algorithm.name" is the algorithm, "environment.size" the size.
std::string short_key(const std::string& key) {
  const auto dot = key.find('.');
  if (dot == std::string::npos) return key;
  return key.substr(dot + 1) == "name" ? key.substr(0, dot) : key.substr(dot + 1);
}

/// Keys that tell the given settings apart, as few as a greedy choice finds: a key joins when it splits a label.
std::vector<std::string> telling_keys(const std::vector<KeyValues>& all, const std::string& first) {
  std::vector<std::string> candidates{first};
  for (const KeyValues& settings : all) {
    for (const auto& [key, value] : settings) {
      if (std::ranges::find(candidates, key) == candidates.end()) candidates.push_back(key);
    }
  }
  std::vector<std::string> chosen;
  std::vector<std::string> labels(all.size());
  std::size_t distinct = 1;
  for (const std::string& key : candidates) {
    std::vector<std::string> longer = labels;
    for (std::size_t i = 0; i < all.size(); ++i) longer[i].append(1, '\n').append(value_in(all[i], key));
    const std::size_t count = std::set(longer.begin(), longer.end()).size();
    if (count == distinct) continue;
    distinct = count;
    labels = longer;
    chosen.push_back(key);
  }
  return chosen;
}

std::string label_of(const KeyValues& settings, const std::vector<std::string>& keys) {
  std::string label;
  for (const std::string& key : keys) {
    const std::string value = value_in(settings, key);
    if (!value.empty()) label += fmt::format("{}{}={}", label.empty() ? "" : ", ", short_key(key), value);
  }
  return label;
}

/// Numbers by size, everything else by letters.
bool comes_before(const std::string& a, const std::string& b) {
  double x = 0.0;
  double y = 0.0;
  const auto is_number = [](const std::string& text, double& value) {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failure == std::errc() && end == text.data() + text.size();
  };
  if (is_number(a, x) && is_number(b, y)) return x < y;
  return a < b;
}

struct Labels {
  std::vector<KeyValues> distinct;  // in order
  std::vector<std::string> names;
};

Labels label_all(std::vector<KeyValues> all, const std::string& first) {
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const std::vector<std::string> keys = telling_keys(all, first);
  std::ranges::stable_sort(all, [&](const KeyValues& a, const KeyValues& b) {
    for (const std::string& key : keys) {
      const std::string x = value_in(a, key);
      const std::string y = value_in(b, key);
      if (x != y) return comes_before(x, y);
    }
    return false;
  });
  Labels labels{.distinct = all, .names = {}};
  for (const KeyValues& settings : all) labels.names.push_back(label_of(settings, keys));
  return labels;
}

double mean_or_unknown(const std::vector<double>& values) { return values.empty() ? unknown : mean(values); }

Interval bootstrap_mean(const std::vector<double>& values) {
  return stratified_bootstrap(std::vector<std::vector<double>>{values}, mean);
}

}  // namespace

std::vector<RunGroup> group_runs(std::span<const RunRecord> runs) {
  std::vector<KeyValues> tasks;
  std::vector<KeyValues> learners;
  for (const RunRecord& run : runs) {
    tasks.push_back(part_of(run, true));
    learners.push_back(part_of(run, false));
  }
  const Labels task_labels = label_all(tasks, "environment.name");
  const Labels learner_labels = label_all(learners, "algorithm.name");
  std::vector<RunGroup> groups;
  for (std::size_t t = 0; t < task_labels.distinct.size(); ++t) {
    for (std::size_t l = 0; l < learner_labels.distinct.size(); ++l) {
      RunGroup group{.task = task_labels.names[t], .learner = learner_labels.names[l], .runs = {}};
      for (std::size_t i = 0; i < runs.size(); ++i) {
        if (tasks[i] == task_labels.distinct[t] && learners[i] == learner_labels.distinct[l]) group.runs.push_back(i);
      }
      if (group.runs.empty()) continue;
      if (group.learner.empty()) group.learner = value_in(learner_labels.distinct[l], "algorithm.name");
      if (group.learner.empty()) group.learner = "runs";
      groups.push_back(group);
    }
  }
  return groups;
}

std::vector<double> values_of(std::span<const RunRecord> runs, const RunGroup& group, const std::string& key) {
  std::vector<double> values;
  for (const std::size_t run : group.runs) {
    if (const auto value = runs[run].number(key); value && std::isfinite(*value)) values.push_back(*value);
  }
  return values;
}

std::optional<Interval> trajectory_interval(const RunRecord& run) {
  constexpr int batches = 20;
  const auto steps_at = std::ranges::find(run.columns, "steps");
  const auto cost_at = std::ranges::find(run.columns, "average_cost");
  if (run.rows.size() < batches || steps_at == run.columns.end() || cost_at == run.columns.end()) return std::nullopt;
  const auto steps_column = static_cast<std::size_t>(steps_at - run.columns.begin());
  const auto cost_column = static_cast<std::size_t>(cost_at - run.columns.begin());
  const double total = run.rows.back()[steps_column];
  // Rows hold the mean up to them, so the sum up to any row is exact however much was thinned away between.
  std::vector<double> means;
  double steps_before = 0.0;
  double sum_before = 0.0;
  for (const auto& row : run.rows) {
    if (row[steps_column] < total * static_cast<double>(means.size() + 1) / batches) continue;
    const double sum = row[cost_column] * row[steps_column];
    means.push_back((sum - sum_before) / (row[steps_column] - steps_before));
    steps_before = row[steps_column];
    sum_before = sum;
  }
  if (means.size() < batches) return std::nullopt;
  const double half = t_interval(means).half_width();
  const double centre = run.rows.back()[cost_column];
  return Interval{centre, centre - half, centre + half};
}

GroupStatistics statistics_of(std::span<const RunRecord> runs, const RunGroup& group) {
  const auto known = [&](const char* key) { return mean_or_unknown(values_of(runs, group, key)); };
  const std::vector<double> costs = values_of(runs, group, "average_cost");
  GroupStatistics statistics;
  statistics.seeds = costs.size();
  statistics.mean = bootstrap_mean(costs);
  statistics.iqm = stratified_bootstrap(std::vector<std::vector<double>>{costs}, interquartile_mean);
  if (costs.size() == 1)
    for (const std::size_t run : group.runs)
      if (const auto cost = runs[run].number("average_cost"); cost && std::isfinite(*cost))
        statistics.batch_means = trajectory_interval(runs[run]);
  statistics.last_tenth = known("average_cost_last_tenth");
  statistics.optimal_gain = known("optimal_gain");
  statistics.gain_from_last_state = known("final_policy.gain_from_last_state");
  statistics.gain_from_start = known("final_policy.gain_from_start");
  statistics.regret = known("regret");
  return statistics;
}

std::vector<Aggregate> aggregates(std::span<const RunRecord> runs, std::span<const RunGroup> groups) {
  const bool above_optimum = std::ranges::all_of(groups, [&](const RunGroup& group) {
    return values_of(runs, group, "optimal_gain").size() == values_of(runs, group, "average_cost").size();
  });
  std::map<std::string, std::vector<std::vector<double>>> strata;
  std::vector<std::string> order;
  for (const RunGroup& group : groups) {
    std::vector<double> values = values_of(runs, group, "average_cost");
    if (values.empty()) continue;
    if (above_optimum) {
      const double optimum = mean(values_of(runs, group, "optimal_gain"));
      for (double& value : values) value -= optimum;
    }
    if (!strata.contains(group.learner)) order.push_back(group.learner);
    strata[group.learner].push_back(std::move(values));
  }
  std::vector<Aggregate> result;
  for (const std::string& learner : order) {
    const auto& tasks = strata[learner];
    result.push_back({.learner = learner,
                      .mean = stratified_bootstrap(tasks, politex::mean),
                      .iqm = stratified_bootstrap(tasks, interquartile_mean),
                      .above_optimum = above_optimum,
                      .tasks = tasks.size()});
  }
  return result;
}

namespace {

using PairedCosts = std::pair<std::vector<double>, std::vector<double>>;  // the two learners' costs on one task

double mean_probability(std::span<const PairedCosts> tasks) {
  double sum = 0.0;
  for (const auto& [a, b] : tasks) sum += probability_of_improvement(a, b);
  return sum / static_cast<double>(tasks.size());
}

Interval probability_interval(const std::vector<PairedCosts>& tasks) {
  constexpr int resamples = 1000;
  Rng rng(1, Use::bootstrap, 1);
  const auto redraw = [&](const std::vector<double>& from, std::vector<double>& to) {
    for (double& value : to) value = from[rng.below(from.size())];
  };
  std::vector<PairedCosts> drawn = tasks;
  std::vector<double> probabilities;
  probabilities.reserve(resamples);
  for (int i = 0; i < resamples; ++i) {
    for (std::size_t j = 0; j < tasks.size(); ++j) {
      redraw(tasks[j].first, drawn[j].first);
      redraw(tasks[j].second, drawn[j].second);
    }
    probabilities.push_back(mean_probability(drawn));
  }
  return {mean_probability(tasks), quantile(probabilities, 0.025), quantile(probabilities, 0.975)};
}

}  // namespace

std::vector<Improvement> improvements(std::span<const RunRecord> runs, std::span<const RunGroup> groups) {
  std::vector<std::string> learners;
  for (const RunGroup& group : groups) {
    if (std::ranges::find(learners, group.learner) == learners.end()) learners.push_back(group.learner);
  }
  std::vector<Improvement> result;
  for (std::size_t i = 0; i < learners.size(); ++i) {
    for (std::size_t j = i + 1; j < learners.size(); ++j) {
      std::vector<PairedCosts> tasks;
      for (const RunGroup& a : groups) {
        for (const RunGroup& b : groups) {
          if (a.learner != learners[i] || b.learner != learners[j] || a.task != b.task) continue;
          PairedCosts samples{values_of(runs, a, "average_cost"), values_of(runs, b, "average_cost")};
          if (!samples.first.empty() && !samples.second.empty()) tasks.push_back(std::move(samples));
        }
      }
      if (!tasks.empty()) result.push_back({learners[i], learners[j], probability_interval(tasks)});
    }
  }
  return result;
}

}  // namespace politex::lab
