// All environments, learners, explorers and feature maps, one line each in catalogue.cpp; and all keys, which are the
// keys of these entries.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "politex/env/entry.hpp"
#include "politex/features/features_entry.hpp"
#include "politex/policy/explorer_entry.hpp"
#include "politex/run/config.hpp"
#include "politex/run/run.hpp"
#include "politex/value/learner_entry.hpp"

namespace politex::inline run {

/// Those of this repository, and those that the program brings (own_environments.hpp).
std::span<const EnvironmentEntry* const> environments();
std::span<const EnvironmentEntry* const> shipped_environments();
/// A learner, and the function that makes its runs.
struct LearnerLine {
  const LearnerEntry* entry;
  std::unique_ptr<Run> (*make_run)(const Config&, const RunOptions&, RunParts);
};
std::span<const LearnerLine> learner_lines();
std::span<const LearnerEntry* const> learners();
std::span<const ExplorerEntry* const> explorers();
std::span<const FeaturesEntry* const> feature_maps();

/// The entries that a configuration chooses.
const EnvironmentEntry& environment_of(const Config& config);
const LearnerEntry& learner_of(const Config& config);
const ExplorerEntry& explorer_of(const Config& config);
const FeaturesEntry& features_of(const Config& config);
bool is_finite(const Config& config);

/// The names of the entries for which `chosen` holds, for messages: "a, b, c".
std::string environments_where(bool (*holds)(const EnvironmentEntry&));
std::string learners_where(bool (*holds)(const LearnerEntry&));

/// Where a key comes from: the entry `name` of the choice `by` ("environment.name"), or everywhere where `by` is empty.
struct KeyOwner {
  std::string_view by, name;
  const Key* key;
};

/// A key by its name, with every entry that has it. Entries may differ in default and range.
struct KnownKey {
  std::string_view name;
  std::vector<KeyOwner> owners;

  const Key& key() const { return *owners.front().key; }
  std::string_view table() const { return key().table(); }
  std::string_view word() const { return key().word(); }
};

/// All keys, in the order in which they are listed and written.
std::span<const KnownKey> known_keys();
/// By its full name, or nullptr.
const KnownKey* find_key(std::string_view name);
/// The key that a full or an unambiguous short name means: "algorithm.eta", "eta"; "algorithm" means algorithm.name.
/// Inside a table (for example "environment") its keys are tried first. Throws ConfigError with the nearest known name.
const KnownKey& resolve_key(std::string_view name, std::string_view table = {});
/// "environment.name = deep_sea or river_swim", or "" where it applies everywhere.
std::string where_it_applies(const KnownKey& known);

}  // namespace politex::inline run
