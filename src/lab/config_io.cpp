#include "politex/lab/config_io.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/lab/catalogue.hpp"
#include "politex/lab/toml.hpp"

namespace politex::lab {
namespace {

namespace fs = std::filesystem;

// A configuration file holds a hundred lines; what is larger is something else.
constexpr std::uint64_t largest_file = 1 << 20;

std::string absolute_text(const fs::path& path) { return fs::absolute(path).lexically_normal().string(); }

// A relative path in a file is meant from that file's directory; one that exists only from here is taken from here.
void anchor_paths(std::vector<Assignment>& assignments, const fs::path& directory) {
  for (Assignment& assignment : assignments) {
    auto* text = std::get_if<std::string>(&assignment.value);
    if (assignment.field->kind != Kind::file || text == nullptr || text->empty()) continue;
    std::error_code ignored;
    const fs::path beside = directory / *text;
    const bool only_here = !fs::exists(beside, ignored) && fs::exists(*text, ignored);
    *text = absolute_text(only_here ? fs::path(*text) : beside);
  }
}

const Assignment* last_of(std::span<const Assignment> assignments, std::string_view key) {
  const Assignment* found = nullptr;
  for (const Assignment& assignment : assignments)
    if (assignment.field->key == key) found = &assignment;
  return found;
}

std::string no_effect(const Assignment& assignment, const Config& config) {
  std::vector<std::string> now;
  for (const When& when : assignment.field->applies) {
    const Field& other = *find_field(when.key);
    if (std::ranges::find(when.values, plain_text(other, config)) == when.values.end())
      now.push_back(fmt::format("{} = {}", when.key, plain_text(other, config)));
  }
  return fmt::format("has no effect with {}; it applies where {}", now.empty() ? "these settings" : now.front(),
                     where_it_applies(*assignment.field));
}

void check_environment(const Config& config) {
  const EnvironmentConfig& environment = config.environment;
  if (environment.name == "deep_sea" && environment.size > 1000)
    throw ConfigError{
        "environment.size",
        fmt::format("{} is not accepted; accepted: a whole number from 2 to 1000 for deep_sea", environment.size)};
  if (environment.name == "garnet" && environment.branching > environment.states)
    throw ConfigError{"environment.branching",
                      fmt::format("{} is not accepted; accepted: at most environment.states = {}",
                                  environment.branching, environment.states)};
  if (environment.name == "finite_mdp" && environment.file.empty())
    throw ConfigError{"environment.file", "is missing; finite_mdp needs the path of a JSON file"};
}

bool is_neural_name(const std::string& algorithm) {
  return algorithm == "neural_politex" || algorithm == "neural_ee_politex" || algorithm == "dqn";
}

void check_neural(const Config& config) {
  if (!is_neural_name(config.algorithm.name)) {
    if (config.explorer.name == "energy_pump" && config.algorithm.name == "ee_politex")
      throw ConfigError{"explorer.name", "\"energy_pump\" serves neural_ee_politex on cartpole"};
    if (config.explorer.name == "sticky" && config.algorithm.name == "ee_politex")
      throw ConfigError{"explorer.name", "\"sticky\" serves neural_ee_politex; accepted here: none, always, uniform"};
    return;
  }
  if (is_finite_environment(config.environment.name))
    throw ConfigError{"algorithm.name",
                      fmt::format("\"{}\" needs observations, and {} has none; accepted environments: cartpole, "
                                  "cartpole_balance, mountain_car, acrobot",
                                  config.algorithm.name, config.environment.name)};
  if (config.algorithm.name == "neural_ee_politex" && config.explorer.name == "energy_pump" &&
      config.environment.name != "cartpole")
    throw ConfigError{"explorer.name",
                      "\"energy_pump\" is for cartpole only; accepted here: none, always, uniform, sticky, file"};
  if (config.learner.batch > config.replay.capacity)
    throw ConfigError{"learner.batch", fmt::format("{} is larger than replay.capacity = {}; accepted: at most that",
                                                   config.learner.batch, config.replay.capacity)};
}

void check_explorer(const Config& config) {
  if (config.algorithm.name != "ee_politex" && config.algorithm.name != "neural_ee_politex") return;
  const ExplorerConfig& explorer = config.explorer;
  if (explorer.name == "file" && explorer.file.empty())
    throw ConfigError{"explorer.file", "is missing; the explorer `file` needs the path of a policy file"};
  const std::string& world = config.environment.name;
  const std::int64_t actions = world == "garnet"                              ? config.environment.actions
                               : world == "deep_sea" || world == "river_swim" ? 2
                                                                              : 0;  // known only once the file is read
  if (explorer.name == "always" && actions > 0 && explorer.action >= actions)
    throw ConfigError{"explorer.action", fmt::format("{} is not accepted; accepted: 0 to {}, the actions of {}",
                                                     explorer.action, actions - 1, world)};
}

// An exploration segment so long that no phase ever ends would leave a run that learns nothing and does not say so.
void check_schedule(const Config& config) {
  const ScheduleConfig& schedule = config.schedule;
  if (config.algorithm.name != "ee_politex" || schedule.kind != "fixed") return;
  const std::string& world = config.environment.name;
  const std::int64_t size = world == "garnet" ? config.environment.states : config.environment.size;
  const bool known = world == "deep_sea" || world == "river_swim" || world == "garnet";
  if (!known && (schedule.explore.numerator != 0 || schedule.follow.numerator != 0)) return;  // the file tells the size
  const std::int64_t explore = schedule.explore.resolve(static_cast<int>(size));
  const std::int64_t follow = schedule.follow.resolve(static_cast<int>(size));
  const double phase = static_cast<double>(schedule.rollouts) * static_cast<double>(explore + 1 + follow);
  if (explore > follow + 1 && phase > static_cast<double>(config.steps))
    throw ConfigError{
        "schedule.explore",
        fmt::format("{} exploration steps a rollout are longer than the run has room for: a phase would take "
                    "{} steps of {}, and nothing would ever be learned; accepted: at most {}",
                    explore, phase, config.steps,
                    std::max<std::int64_t>(0, config.steps / schedule.rollouts - 1 - follow))};
}

}  // namespace

Assignment parse_override(std::string_view text, std::string_view table) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw ConfigError{std::string(text.substr(0, 80)), "is no setting; accepted: key=value, for example seed=2"};
  const Field& field = resolve_key(text.substr(0, equals), table);
  Value value = value_from_text(field, text.substr(equals + 1));
  if (auto* path = std::get_if<std::string>(&value); path != nullptr && field.kind == Kind::file && !path->empty())
    *path = absolute_text(*path);
  return {.field = &field, .value = std::move(value), .where = "command line", .insisted = true};
}

ReadConfig build_config(std::span<const Assignment> assignments) {
  // Names decide defaults and which other keys apply, so every value is stored before any is judged by another.
  const Assignment* world = last_of(assignments, "environment.name");
  Config probe;
  if (world != nullptr) assign(probe, *world->field, world->value, world->where);
  ReadConfig read{.config = default_config(probe.environment.name), .warnings = {}};
  for (const Assignment& assignment : assignments)
    assign(read.config, *assignment.field, assignment.value, assignment.where);
  for (const Assignment& assignment : assignments) {
    if (applies(*assignment.field, read.config)) continue;
    const std::string why = no_effect(assignment, read.config);
    if (assignment.insisted) throw ConfigError{std::string(assignment.field->key), why};
    read.warnings.push_back(fmt::format("{}: {} ({})", assignment.field->key, why, assignment.where));
  }
  check(read.config);
  return read;
}

std::vector<Assignment> read_assignments(const fs::path& file) {
  const std::string name = file.string();
  std::vector<Assignment> assignments = parse_toml(read_file(name, name, largest_file), name);
  anchor_paths(assignments, file.parent_path());
  return assignments;
}

ReadConfig read_config(const fs::path& file, std::span<const std::string> overrides) {
  std::vector<Assignment> assignments = read_assignments(file);
  for (const std::string& text : overrides) assignments.push_back(parse_override(text));
  return build_config(assignments);
}

void check(const Config& config) {
  check_environment(config);
  check_neural(config);
  check_explorer(config);
  check_schedule(config);
  if (config.features.name == "file" && config.features.file.empty())
    throw ConfigError{"features.file", "is missing; the features `file` need the path of a JSON file"};
  const AlgorithmConfig& algorithm = config.algorithm;
  const bool politex = algorithm.name == "politex" || algorithm.name == "ee_politex";
  if (politex && algorithm.eta == "theory" && algorithm.q_max <= 0.0)
    throw ConfigError{"algorithm.q_max",
                      "0 is not accepted with eta = \"theory\"; accepted: a number above 0, the range of Q"};
}

std::string to_toml(const Config& config) {
  Config resolved = config;
  if (resolved.algorithm.path == "auto")
    resolved.algorithm.path = is_finite_environment(config.environment.name) ? "compiled" : "generic";
  std::string text;
  std::string_view table;
  for (const Field& field : fields()) {
    if (!applies(field, resolved)) continue;
    if (field.table() != table) text += fmt::format("\n[{}]\n", table = field.table());
    text += fmt::format("{} = {}\n", field.name(), value_text(field, resolved));
  }
  return text;
}

std::vector<std::string> differences(const Config& a, const Config& b) {
  std::vector<std::string> out;
  for (const Field& field : fields()) {
    if (!field.part_of_run || (!applies(field, a) && !applies(field, b))) continue;
    const std::string left = value_text(field, a);
    const std::string right = value_text(field, b);
    if (left != right) out.push_back(fmt::format("{}: {}, {}", field.key, left, right));
  }
  return out;
}

}  // namespace politex::lab
