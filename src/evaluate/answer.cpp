#include "politex/evaluate/answer.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "politex/base/error.hpp"
#include "politex/env/masks.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/evaluate/fitted_log.hpp"
#include "politex/evaluate/log_evaluation.hpp"
#include "politex/evaluate/policy_source.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/incumbents.hpp"
#include "politex/run/parts.hpp"

namespace politex::inline evaluate {
namespace {

/// Logical environments of evaluations have numbers that those of runs do not reach.
constexpr int first_environment = 1'000'000;

struct Sources {
  std::shared_ptr<const Explorer> policy, reference;
};

Sources read_sources(const Question& question, const Space& space, const FiniteModel* model) {
  const auto source = [&](const char* key, const std::string& text) -> std::shared_ptr<const Explorer> {
    if (text.empty()) return nullptr;
    return read_policy_source({.key = key, .text = text, .config = question.config, .space = space, .model = model});
  };
  return {source("POLICY", question.policy), source("--against", question.against)};
}

std::optional<PolicyTable> table_of(const std::shared_ptr<const Explorer>& policy, const FiniteModel& model,
                                    const std::string& key, const std::string& name) {
  PolicyTable table(model.states, model.actions);
  if (model.masked()) table.bind(std::make_shared<PolicyBounds>(PolicyBounds{.possible = model.possible}));
  if (policy != nullptr && !policy->compile(table)) return std::nullopt;
  check_takes_possible(model, table.probabilities(), key, name);
  return table;
}

Comparison answer_finite(const Question& question) {
  const FiniteModel plain = make_model(question.config);
  const Sources sources = read_sources(question, TableEnvironment(plain).space(), &plain);
  auto policy = table_of(sources.policy, plain, "POLICY", question.policy);
  auto reference = table_of(sources.reference, plain, "--against", question.against);
  const std::optional<FiniteGuard> guard = make_finite_guard(question.config, plain);
  if (guard) {
    if (!policy || !reference || !question.log.empty())
      throw ConfigError{"guard.incumbent", "needs policies that depend on the state alone, and no --log"};
    policy = guard->extended(*policy);
    reference = guard->extended(*reference);
  }
  const FiniteModel& model = guard ? guard->model() : plain;
  const TableEnvironment tables(model);
  const PolicyTable* const other = sources.reference != nullptr && reference ? &*reference : nullptr;
  if (!question.log.empty()) {
    if (!policy || !reference)
      throw ConfigError{"--log", "needs policies that depend on the state alone; accepted: another policy"};
    return evaluate_log(read_log(question.log, model.states, model.actions), question.log, *policy, other,
                        question.options.alpha);
  }
  if (policy && reference) return compare(model, *policy, other, question.options);
  const BlockPlan plan{.make = [&](int run) {
    return block_of(tables, {.seed = question.options.seed, .first = first_environment + run});
  }};
  return compare(plan, *sources.policy, sources.reference.get(), question.options);
}

Comparison answer_external(const Question& question) {
  Config config = question.config;
  config.seed = question.options.seed;
  const auto start = [&](int run) { return start_processes(config, first_environment + run, 1, 1); };
  std::unique_ptr<EnvironmentBlock> first = start(0);  // also shows the space; used by the first run 0
  const Sources sources = read_sources(question, first->space(), nullptr);
  const auto make = [&](int run) { return with_guard(config, run == 0 && first ? std::move(first) : start(run)); };
  const BlockPlan plan{.make = make, .runs = 4, .batch_steps = 16, .default_steps = 50'000};
  return compare(plan, *sources.policy, sources.reference.get(), question.options);
}

}  // namespace

Comparison answer(const Question& question) {
  const EnvironmentEntry& environment = environment_of(question.config);
  if (environment.model != nullptr) return answer_finite(question);
  if (!question.log.empty() && environment.external)
    throw ConfigError{"--log", fmt::format("\"{}\" is in another process; accepted: an environment of this program, or "
                                           "politex.evaluate_log in Python",
                                           environment.name)};
  if (environment.external) return answer_external(question);
  const Space space = environment.space(question.config.values);
  const Sources sources = read_sources(question, space, nullptr);
  if (!question.log.empty()) {
    if (question.config.read<GuardOptions>().on()) throw ConfigError{"guard.incumbent", "has no effect with --log"};
    const auto log = read_observation_log(question.log, static_cast<int>(space.numbers()), space.actions);
    return evaluate_observations(log, question.log, *make_feature_map(question.config, space, nullptr), space.actions,
                                 *sources.policy, sources.reference.get(), question.options.alpha);
  }
  const BlockPlan plan{.make = [&](int run) {
    return with_guard(question.config, environment.block(question.config.values, {.seed = question.options.seed,
                                                                                  .first = first_environment + run}));
  }};
  return compare(plan, *sources.policy, sources.reference.get(), question.options);
}

std::string question_facts(const Question& question) {
  const auto quoted = [](std::string_view text) { return nlohmann::json(text).dump(); };
  std::string facts = fmt::format("\"environment\": {}, \"policy\": {}, \"seed\": {}, \"level\": {}",
                                  quoted(environment_of(question.config).name), quoted(question.policy),
                                  question.options.seed, 1.0 - question.options.alpha);
  if (!question.against.empty()) facts += fmt::format(", \"against\": {}", quoted(question.against));
  return facts;
}

}  // namespace politex::inline evaluate
