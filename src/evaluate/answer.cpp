#include "politex/evaluate/answer.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "politex/base/error.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/evaluate/log_evaluation.hpp"
#include "politex/evaluate/policy_source.hpp"
#include "politex/run/catalogue.hpp"
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

std::optional<PolicyTable> table_of(const std::shared_ptr<const Explorer>& policy, const FiniteModel& model) {
  PolicyTable table(model.states, model.actions);
  if (policy != nullptr && !policy->compile(table)) return std::nullopt;
  return table;
}

Comparison answer_finite(const Question& question) {
  const FiniteModel model = make_model(question.config);
  const TableEnvironment tables(model);
  const Sources sources = read_sources(question, tables.space(), &model);
  const auto policy = table_of(sources.policy, model), reference = table_of(sources.reference, model);
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
  const auto start = [&] { return start_processes(config, first_environment, 1, 1); };
  std::unique_ptr<EnvironmentBlock> first = start();
  const Sources sources = read_sources(question, first->space(), nullptr);
  const BlockPlan plan{
      .make = [&](int) -> std::unique_ptr<EnvironmentBlock> { return first ? std::move(first) : start(); },
      .runs = 1,
      .batch_steps = 16,
      .default_steps = 50'000};
  return compare(plan, *sources.policy, sources.reference.get(), question.options);
}

}  // namespace

Comparison answer(const Question& question) {
  const EnvironmentEntry& environment = environment_of(question.config);
  if (environment.model != nullptr) return answer_finite(question);
  if (!question.log.empty())
    throw ConfigError{"--log", fmt::format("\"{}\" is not finite; accepted: a finite environment, whose states are "
                                           "numbers",
                                           environment.name)};
  if (environment.external) return answer_external(question);
  const Space space = environment.space(question.config.values);
  const Sources sources = read_sources(question, space, nullptr);
  const BlockPlan plan{.make = [&](int run) {
    return environment.block(question.config.values, {.seed = question.options.seed, .first = first_environment + run});
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
