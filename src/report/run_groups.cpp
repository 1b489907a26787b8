#include "politex/report/run_groups.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "politex/run/catalogue.hpp"

namespace politex::inline report {

bool names_task(const std::string& key) { return key.starts_with("environment.") || key == "steps"; }

namespace {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

/// The seed, and keys that do not affect the trajectory.
bool is_ignored(const std::string& key) {
  if (key == "seed" || key.starts_with("exact.")) return true;
  const KnownKey* known = find_key(key);
  return known != nullptr && !known->key().part_of_run;
}

KeyValues part_of(const RunRecord& run, bool task) {
  KeyValues part;
  for (const auto& setting : run.settings) {
    if (!is_ignored(setting.first) && names_task(setting.first) == task) part.push_back(setting);
  }
  std::ranges::sort(part);
  return part;
}

std::string value_in(const KeyValues& settings, const std::string& key) {
  const auto found = std::ranges::find(settings, key, [](const auto& pair) { return pair.first; });
  return found == settings.end() ? "" : found->second;
}

/// "algorithm.name" becomes "algorithm", "environment.size" becomes "size".
std::string short_key(const std::string& key) {
  const auto dot = key.find('.');
  if (dot == std::string::npos) return key;
  return key.substr(dot + 1) == "name" ? key.substr(0, dot) : key.substr(dot + 1);
}

/// A small set of keys that distinguishes the given settings, found greedily: a key is added if it splits a label.
std::vector<std::string> distinguishing_keys(const std::vector<KeyValues>& all, const std::string& first) {
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

/// Numbers by value, everything else alphabetically.
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
  std::vector<std::string> names;     // of the distinct settings, in order
  std::vector<std::size_t> of;        // index into `names` for each of the given settings
  std::vector<std::string> fallback;  // the value of the first key, used if the name is empty
};

Labels label_all(const std::vector<KeyValues>& given, const std::string& first) {
  std::vector<KeyValues> all = given;
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const std::vector<std::string> keys = distinguishing_keys(all, first);
  std::ranges::stable_sort(all, [&](const KeyValues& a, const KeyValues& b) {
    for (const std::string& key : keys) {
      const std::string x = value_in(a, key);
      const std::string y = value_in(b, key);
      if (x != y) return comes_before(x, y);
    }
    return false;
  });
  Labels labels;
  std::map<KeyValues, std::size_t> places;
  for (const KeyValues& settings : all) {
    places[settings] = labels.names.size();
    labels.names.push_back(label_of(settings, keys));
    labels.fallback.push_back(value_in(settings, first));
  }
  for (const KeyValues& settings : given) labels.of.push_back(places.at(settings));
  return labels;
}

/// Several runs of one trajectory count as one seed: copies, or runs that differ only in what they record.
void separate_copies(std::span<const RunRecord> runs, RunGroup& group) {
  std::map<std::pair<std::string, std::string>, std::size_t> kept;  // (seed, signature) -> index in `sole`
  std::vector<std::size_t> sole;
  for (const std::size_t run : group.runs) {
    const auto signature = runs[run].words.find("signature");
    if (signature == runs[run].words.end()) {
      sole.push_back(run);
      continue;
    }
    const auto [known, added] = kept.try_emplace({runs[run].setting("seed"), signature->second}, sole.size());
    if (added) {
      sole.push_back(run);
      continue;
    }
    std::size_t& before = sole[known->second];
    const bool has_more_columns = runs[run].columns.size() > runs[before].columns.size();
    group.copies.push_back(has_more_columns ? std::exchange(before, run) : run);
  }
  group.runs = std::move(sole);
}

std::vector<RunGroup> group_some(std::span<const RunRecord> runs, const std::vector<std::size_t>& which) {
  std::vector<KeyValues> tasks;
  std::vector<KeyValues> learners;
  for (const std::size_t run : which) {
    tasks.push_back(part_of(runs[run], true));
    learners.push_back(part_of(runs[run], false));
  }
  const Labels task_labels = label_all(tasks, "environment.name");
  const Labels learner_labels = label_all(learners, "algorithm.name");
  std::map<std::pair<std::size_t, std::size_t>, RunGroup> groups;
  for (std::size_t i = 0; i < which.size(); ++i) {
    const std::size_t task = task_labels.of[i];
    const std::size_t learner = learner_labels.of[i];
    RunGroup& group = groups[{task, learner}];
    group.task = task_labels.names[task];
    group.learner = learner_labels.names[learner];
    if (group.learner.empty()) group.learner = learner_labels.fallback[learner];
    if (group.learner.empty()) group.learner = "runs";
    group.runs.push_back(which[i]);
  }
  std::vector<RunGroup> ordered;
  for (auto& [place, group] : groups) {
    separate_copies(runs, group);
    ordered.push_back(std::move(group));
  }
  return ordered;
}

}  // namespace

std::vector<RunGroup> group_runs(std::span<const RunRecord> runs) {
  std::vector<std::size_t> all(runs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return group_some(runs, all);
}

std::vector<std::size_t> counted_runs(std::span<const RunRecord> runs, const RunGroup& group) {
  std::vector<std::size_t> finished;
  for (const std::size_t run : group.runs)
    if (runs[run].finished) finished.push_back(run);
  return finished.empty() ? group.runs : finished;
}

std::vector<double> values_of(std::span<const RunRecord> runs, const RunGroup& group, const std::string& key) {
  std::vector<double> values;
  for (const std::size_t run : counted_runs(runs, group)) {
    if (const auto value = runs[run].number(key); value && std::isfinite(*value)) values.push_back(*value);
  }
  return values;
}

std::vector<RunGroup> judging_groups(std::span<const RunRecord> runs, std::span<const RunGroup> groups) {
  std::vector<std::size_t> judging;
  bool fresh = false;
  for (const RunGroup& group : groups) {
    const std::string stage = runs[group.runs.front()].setting("stage");
    fresh = fresh || stage == fresh_stage;
    if (!stage.empty() && stage != fresh_stage) continue;
    judging.insert(judging.end(), group.runs.begin(), group.runs.end());
  }
  if (!fresh) return {groups.begin(), groups.end()};
  std::ranges::sort(judging);
  return group_some(runs, judging);
}

}  // namespace politex::inline report
