#include "politex/run/config_io.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "politex/algorithm/schedule.hpp"
#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/run/parts.hpp"
#include "politex/run/shipped.hpp"
#include "politex/settings/toml.hpp"

namespace politex::inline run {
namespace {

namespace fs = std::filesystem;

// A configuration file has about a hundred lines; a larger file is something else.
constexpr std::uint64_t largest_file = 1 << 20;

std::string absolute_text(const fs::path& path) { return fs::absolute(path).lexically_normal().string(); }

// A relative path in a file is relative to that file's directory; one that exists only from here is taken from here.
void anchor_paths(std::vector<Assignment>& assignments, const fs::path& directory) {
  for (Assignment& assignment : assignments) {
    auto* text = std::get_if<std::string>(&assignment.value);
    if (assignment.key->key().accepts.kind != Kind::file || text == nullptr || text->empty()) continue;
    std::error_code ignored;
    const fs::path there = directory / *text;
    const bool only_here = !fs::exists(there, ignored) && fs::exists(*text, ignored);
    *text = absolute_text(only_here ? fs::path(*text) : there);
  }
}

std::string no_effect(const Assignment& assignment, const Config& config) {
  const auto differs = [&](std::string_view by, auto&& accepted_values) -> std::string {
    const std::string now = config.text(by);
    if (std::ranges::find(accepted_values, now) != accepted_values.end()) return {};
    return fmt::format("{} = {}", by, now);
  };
  std::string now;
  if (const std::string_view by = assignment.key->owners.front().by; !by.empty()) {
    std::vector<std::string_view> names;
    for (const KeyOwner& owner : assignment.key->owners) names.push_back(owner.name);
    now = differs(by, names);
  }
  for (const When& when : assignment.key->key().when)
    if (now.empty()) now = differs(when.key, when.values);
  return fmt::format("has no effect with {}; it applies where {}", now.empty() ? "these settings" : now,
                     where_it_applies(*assignment.key));
}

const KnownKey& known_key(const TomlEntry& entry) {
  if (const KnownKey* known = find_key(entry.key)) return *known;
  std::string guess;
  try {
    guess = fmt::format("unknown key; did you mean {}?", resolve_key(entry.key).name);
  } catch (const ConfigError& error) {
    const std::string_view message = error.what();
    guess = message.substr(std::min(message.size(), error.key().size() + 2));
  }
  throw ConfigError{entry.key, fmt::format("{}: {}", entry.where, guess)};
}

/// Whether the compiled tables can walk a finite environment: not where the explorer needs more than the state.
bool explores_by_table(const Config& config) {
  return !learner_of(config).linear() || !learner_of(config).explores || explorer_of(config).fixed_policy;
}

// An exploration segment so long that no phase ends would give a run that learns nothing.
void check_schedule(const Config& config) {
  const auto lengths = config.read<ScheduleLengths>();
  if (!learner_of(config).linear() || !learner_of(config).explores || lengths.kind != ScheduleOptions::Kind::fixed ||
      explorer_of(config).learn != nullptr)
    return;
  const std::optional<Space> space = known_space(config);
  if (!space && (lengths.explore.numerator != 0 || lengths.follow.numerator != 0)) return;  // the size is not known yet
  const int size = space ? space->size() : 0;
  const std::int64_t explore = lengths.explore.resolve(size);
  const std::int64_t follow = lengths.follow.resolve(size);
  const double phase = static_cast<double>(lengths.rollouts) * static_cast<double>(explore + 1 + follow);
  if (explore > follow + 1 && phase > static_cast<double>(config.steps))
    throw ConfigError{
        "schedule.explore",
        fmt::format(
            "{} exploration steps per rollout are too many for this run: a phase would take {} steps of {}, and "
            "nothing would be learned; accepted: at most {}",
            explore, phase, config.steps, std::max<std::int64_t>(0, config.steps / lengths.rollouts - 1 - follow))};
}

}  // namespace

Assignment parse_override(std::string_view text, std::string_view table) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw ConfigError{std::string(text.substr(0, 80)), "not a setting; accepted: key=value, for example seed=2"};
  const KnownKey& known = resolve_key(text.substr(0, equals), table);
  Value value = value_from_text(known.key(), text.substr(equals + 1));
  if (auto* path = std::get_if<std::string>(&value);
      path != nullptr && known.key().accepts.kind == Kind::file && !path->empty())
    *path = absolute_text(*path);
  return {.key = &known, .value = std::move(value), .where = "command line", .from_command_line = true};
}

ReadConfig build_config(std::span<const Assignment> assignments, const ConfigUse& use) {
  // Names decide which other keys there are, and their ranges: so they are stored first.
  ReadConfig read;
  Config& config = read.config;
  config.brings_environment = use.brings_environment;
  for (const Assignment& one : assignments)
    if (use.brings_environment && one.key->table() == "environment")
      throw ConfigError{std::string(one.key->name),
                        "is an option of an environment, not of a learner; accepted where the environment is made"};
  const auto is_choice = [](const Assignment& one) { return one.key->word() == "name"; };
  for (const Assignment& one : assignments)
    if (is_choice(one)) config.store(one.key->key(), one.value, one.where);
  for (const Assignment& one : assignments) {
    if (is_choice(one)) continue;
    const Key* active = config.find(one.key->name);
    config.store(active != nullptr ? *active : one.key->key(), one.value, one.where);
  }
  for (const Assignment& one : assignments) {
    if (applies(one.key->key(), config)) continue;
    const std::string why = no_effect(one, config);
    if (one.from_command_line) throw ConfigError{std::string(one.key->name), why};
    read.warnings.push_back(fmt::format("{}: {} ({})", one.key->name, why, one.where));
  }
  check(config, use);
  if (const LearnerEntry& learner = learner_of(config); learner.foresee != nullptr)
    learner.foresee(config.values, config.steps, read.warnings);
  return read;
}

std::vector<Assignment> parse_toml(std::string_view text, std::string_view file_name) {
  std::vector<Assignment> assignments;
  for (TomlEntry& entry : read_toml(text, file_name)) {
    const bool known_table = std::ranges::find(known_keys(), entry.key, &KnownKey::table) != known_keys().end();
    if (!entry.value && known_table) continue;
    const KnownKey& known = known_key(entry);
    if (!entry.value) throw ConfigError{entry.key, fmt::format("{}: a table is not accepted here", entry.where)};
    assignments.push_back({.key = &known, .value = std::move(*entry.value), .where = entry.where});
  }
  return assignments;
}

std::vector<Assignment> read_assignments(const fs::path& file) {
  const std::string name = file.string();
  std::error_code error;
  const Experiment* shipped = fs::exists(file, error) ? nullptr : find_experiment(name);
  std::vector<Assignment> assignments =
      parse_toml(shipped != nullptr ? shipped->text : read_file(name, name, largest_file), name);
  anchor_paths(assignments, shipped != nullptr ? fs::path() : file.parent_path());
  return assignments;
}

ReadConfig read_config(const fs::path& file, std::span<const std::string> overrides) {
  std::vector<Assignment> assignments = read_assignments(file);
  for (const std::string& text : overrides) assignments.push_back(parse_override(text));
  return build_config(assignments);
}

void check(const Config& config, const ConfigUse& use) {
  const EnvironmentEntry& environment = environment_of(config);
  const LearnerEntry& learner = learner_of(config);
  if (environment.check != nullptr) environment.check(config.values);
  if (learner.check != nullptr) learner.check(config.values);
  if (learner.explores) check_explorer(config);
  if (!use.extendable) check_schedule(config);
  if (learner.linear()) check_features(config);
}

std::string to_toml(const Config& config) {
  std::string text;
  std::string_view table;
  for (const Key* each : config.keys()) {
    if (!applies(*each, config)) continue;
    Value value = config.value(*each);
    if (each->owner == options_id<GeneralOptions>() && value == Value("auto"))
      value = is_finite(config) && explores_by_table(config) ? "compiled" : "generic";
    if (each->table() != table) text += fmt::format("\n[{}]\n", table = each->table());
    text += fmt::format("{} = {}\n", each->word(), value_text(*each, value));
  }
  return text;
}

std::vector<std::string> differences(const Config& a, const Config& b, Compared which) {
  std::vector<std::string> out;
  const Keys of_solver = solver_keys();
  for (const KnownKey& known : known_keys()) {
    const bool solver = std::ranges::find(of_solver, known.name, &Key::name) != of_solver.end();
    if (which != Compared::all_keys && solver != (which == Compared::solver_keys)) continue;
    const Key* left = a.find(known.name);
    const Key* right = b.find(known.name);
    const bool applies_left = left != nullptr && applies(*left, a);
    const bool applies_right = right != nullptr && applies(*right, b);
    if (!known.key().part_of_run || (!applies_left && !applies_right)) continue;
    const std::string left_text = value_text(known.key(), a.value(left != nullptr ? *left : known.key()));
    const std::string right_text = value_text(known.key(), b.value(right != nullptr ? *right : known.key()));
    if (left_text != right_text) out.push_back(fmt::format("{}: {}, {}", known.name, left_text, right_text));
  }
  return out;
}

}  // namespace politex::inline run
