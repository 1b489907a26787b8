// The keys of all entries as one table.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "politex/algorithm/schedule.hpp"
#include "politex/base/error.hpp"
#include "politex/guard/guard.hpp"
#include "politex/guard/prior.hpp"
#include "politex/policy/always.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/parts.hpp"
#include "politex/settings/nearest.hpp"

namespace politex::inline run {
namespace {

constexpr std::array<std::string_view, 14> tables = {"",        "environment", "algorithm", "schedule", "explorer",
                                                     "guard",   "features",    "exact",     "network",  "replay",
                                                     "learner", "actors",      "policy",    "goal"};

struct RunKeys {
  std::int64_t steps = 1'000'000;
  std::uint64_t seed = 1;
  std::string environment, algorithm, explorer, features;
};

/// A key whose choices are the entries of the catalogue.
template <auto member, class Entries>
Key choice_key(std::string_view name, std::string_view help, const Entries& entries, std::string_view fallback) {
  Key made = key<member>(name, help, word(choices_of(entries)));
  made.fallback = std::string(fallback);
  return made;
}

// Keys that choose an entry by name, and the keys at the top of a file.
const Key& steps_key() {
  static const Key made = key<&RunKeys::steps>("steps", "environment steps, everything counted", whole(1, 1e15));
  return made;
}
const Key& seed_key() {
  static const Key made = key<&RunKeys::seed>("seed", "names every random stream of the run", whole(0, largest_whole));
  return made;
}
const Key& environment_key() {
  static const Key made = choice_key<&RunKeys::environment>("environment.name", "the environment", environments(),
                                                            environments().front()->name);
  return made;
}
const Key& algorithm_key() {
  static const Key made =
      choice_key<&RunKeys::algorithm>("algorithm.name", "the learner", learners(), learners().front()->name);
  return made;
}
const Key& explorer_key() {
  static const Key made =
      choice_key<&RunKeys::explorer>("explorer.name", "the exploration policy", explorers(), always_entry().name);
  return made;
}
const Key& features_key() {
  static const Key made = choice_key<&RunKeys::features>("features.name", "the feature map of linear learners",
                                                         feature_maps(), feature_maps().front()->name);
  return made;
}

// Keys of the run itself.
const Keys& all_general_keys() {
  static const Keys keys = general_keys();
  return keys;
}
const Keys& all_exact_keys() {
  static const Keys keys = exact_keys();
  return keys;
}

const Keys& all_incumbent_keys() {
  static const Keys keys = prior_keys() + guard_keys();
  return keys;
}

const Keys& all_basis_keys() {
  static const Keys keys = basis_keys();
  return keys;
}

std::size_t table_rank(std::string_view table) {
  return static_cast<std::size_t>(std::ranges::find(tables, table) - tables.begin());
}

class Collection {
 public:
  void add(const Key& key, std::string_view by, std::string_view name) {
    auto found = std::ranges::find(keys_, key.name, &KnownKey::name);
    if (found == keys_.end()) {
      keys_.push_back({key.name, {}});
      found = keys_.end() - 1;
    }
    found->owners.push_back({by, name, &key});
  }
  template <class Entry>
  void add(const Entry& entry, const Keys& keys, std::string_view by) {
    for (const Key& each : keys) add(each, by, entry.name);
  }
  std::vector<KnownKey> take() {
    std::ranges::stable_sort(keys_, {}, [](const KnownKey& known) { return table_rank(known.table()); });
    return std::move(keys_);
  }

 private:
  std::vector<KnownKey> keys_;
};

std::vector<KnownKey> collect_keys() {
  Collection all;
  all.add(steps_key(), "", "");
  all.add(seed_key(), "", "");
  all.add(environment_key(), "", "");
  for (const auto* entry : environments()) all.add(*entry, entry->keys, environment_key().name);
  all.add(algorithm_key(), "", "");
  for (const auto* entry : learners()) all.add(*entry, entry->keys, algorithm_key().name);
  for (const Key& each : all_general_keys()) all.add(each, "", "");
  for (const auto* entry : environments()) all.add(*entry, entry->keys_with_networks, environment_key().name);
  for (const auto* entry : learners()) {
    if (entry->explores) all.add(explorer_key(), algorithm_key().name, entry->name);
    if (!entry->linear()) continue;
    all.add(features_key(), algorithm_key().name, entry->name);
    all.add(*entry, all_exact_keys(), algorithm_key().name);
    all.add(*entry, all_incumbent_keys(), algorithm_key().name);
  }
  for (const auto* entry : explorers()) all.add(*entry, entry->keys, explorer_key().name);
  for (const auto* entry : feature_maps()) {
    all.add(*entry, entry->keys, features_key().name);
    if (entry->lists_states) all.add(*entry, all_basis_keys(), features_key().name);
  }
  return all.take();
}

template <class Entries>
const auto& chosen(const Entries& entries, const Key& key, const Config& config) {
  const auto name = std::get<std::string>(config.value(key));
  for (const auto* entry : entries)
    if (entry->name == name) return *entry;
  throw ConfigError{std::string(key.name), fmt::format("\"{}\" is not in the catalogue", name)};
}

template <class Entries, class Holds>
std::string names_where(const Entries& entries, Holds holds) {
  std::vector<std::string_view> names;
  for (const auto* entry : entries)
    if (holds(*entry)) names.push_back(entry->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void append(std::vector<const Key*>& to, const Keys& keys) {
  for (const Key& each : keys) to.push_back(&each);
}

}  // namespace

std::span<const LearnerEntry* const> learners() {
  static const std::vector<const LearnerEntry*> all = [] {
    std::vector<const LearnerEntry*> entries;
    for (const LearnerLine& line : learner_lines()) entries.push_back(line.entry);
    return entries;
  }();
  return all;
}

std::unique_ptr<Run> make_run(const Config& config, const RunOptions& options, RunParts parts) {
  const auto lines = learner_lines();
  const auto line = std::ranges::find(lines, &learner_of(config), &LearnerLine::entry);
  return line->make_run(config, options, std::move(parts));
}

std::span<const KnownKey> known_keys() {
  static const std::vector<KnownKey> all = collect_keys();
  return all;
}

const KnownKey* find_key(std::string_view name) {
  const auto all = known_keys();
  const auto found = std::ranges::find(all, name, &KnownKey::name);
  return found == all.end() ? nullptr : &*found;
}

const EnvironmentEntry& environment_of(const Config& config) {
  static const EnvironmentEntry brought{.name = "given", .help = "what the caller brings", .external = true};
  if (config.brings_environment) return brought;
  return chosen(environments(), environment_key(), config);
}
const LearnerEntry& learner_of(const Config& config) { return chosen(learners(), algorithm_key(), config); }
const ExplorerEntry& explorer_of(const Config& config) { return chosen(explorers(), explorer_key(), config); }
const FeaturesEntry& features_of(const Config& config) { return chosen(feature_maps(), features_key(), config); }
bool is_finite(const Config& config) { return environment_of(config).model != nullptr; }

std::string environments_where(bool (*holds)(const EnvironmentEntry&)) { return names_where(environments(), holds); }
std::string learners_where(bool (*holds)(const LearnerEntry&)) { return names_where(learners(), holds); }

std::vector<const Key*> Config::keys() const {
  const EnvironmentEntry& environment = environment_of(*this);
  const LearnerEntry& learner = learner_of(*this);
  std::vector<const Key*> all = {&steps_key(), &seed_key()};
  if (!brings_environment) all.push_back(&environment_key());
  append(all, environment.keys);
  if (!learner.linear()) append(all, environment.keys_with_networks);
  all.push_back(&algorithm_key());
  append(all, learner.keys);
  append(all, all_general_keys());
  if (learner.explores) {
    all.push_back(&explorer_key());
    append(all, explorer_of(*this).keys);
  }
  if (learner.linear()) {
    all.push_back(&features_key());
    append(all, features_of(*this).keys);
    if (features_of(*this).lists_states) append(all, all_basis_keys());
    append(all, all_exact_keys());
    append(all, all_incumbent_keys());
  }
  std::ranges::stable_sort(all, {}, [](const Key* each) { return table_rank(each->table()); });
  return all;
}

const KnownKey& resolve_key(std::string_view name, std::string_view table) {
  if (!table.empty())
    if (const KnownKey* known = find_key(fmt::format("{}.{}", table, name))) return *known;
  if (const KnownKey* known = find_key(name)) return *known;
  for (const std::string_view main : {"name", "kind"})
    if (const KnownKey* known = find_key(fmt::format("{}.{}", name, main))) return *known;

  std::vector<std::string_view> candidates;
  std::vector<std::string_view> names;
  for (const KnownKey& known : known_keys()) {
    if (known.word() == name) candidates.push_back(known.name);
    names.push_back(known.name);
  }
  if (candidates.size() == 1) return *find_key(candidates.front());
  if (candidates.size() > 1)
    throw ConfigError{std::string(name), fmt::format("could mean {}; write the full key", joined(candidates))};

  // A short misspelling (etta) is compared with short names, a dotted one with full keys.
  if (name.find('.') == std::string_view::npos)
    for (const KnownKey& known : known_keys())
      for (const std::string_view word : {known.table(), known.word()})
        if (!word.empty()) names.push_back(word);
  std::string guess = nearest(name, names);
  const auto all = known_keys();
  if (const auto first = std::ranges::find(all, guess, &KnownKey::table); first != all.end()) guess = first->name;
  if (find_key(guess) == nullptr)
    for (const KnownKey& known : all)
      if (known.word() == guess && (table.empty() || known.table() == table)) {
        guess = known.name;
        break;
      }
  throw ConfigError{std::string(name.substr(0, 80)),
                    fmt::format("unknown key; did you mean {}? (`politex list` shows all keys)", guess)};
}

std::string where_it_applies(const KnownKey& known) {
  std::vector<std::string> parts;
  std::vector<std::string_view> names;
  const std::string_view by = known.owners.front().by;
  for (const KeyOwner& owner : known.owners)
    if (std::ranges::find(names, owner.name) == names.end()) names.push_back(owner.name);
  if (!by.empty()) parts.push_back(fmt::format("{} = {}", by, joined(names)));
  for (const When& when : known.key().when) parts.push_back(fmt::format("{} = {}", when.key, joined(when.values)));
  return fmt::format("{}", fmt::join(parts, " and "));
}

}  // namespace politex::inline run
