#include "politex/run/incumbents.hpp"

#include <fmt/format.h>

#include "politex/base/error.hpp"
#include "politex/env/masks.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/guard/guarded_block.hpp"
#include "politex/guard/prior.hpp"
#include "politex/policy/table_explorer.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/named_policy.hpp"

namespace politex::inline run {
namespace {

/// The policy as a table. Throws ConfigError{key} where it is not one.
PolicyTable incumbent_table(const std::string& key, const std::string& text, const Explorer& policy,
                            const FiniteModel& model) {
  PolicyTable table(model.states, model.actions);
  if (!policy.compile(table))
    throw ConfigError{key, fmt::format("\"{}\" is not a fixed policy over the states of {}; accepted: a heuristic, "
                                       "always:A, or a policy file",
                                       text, model.name)};
  check_takes_possible(model, table.probabilities(), key, text);
  return table;
}

}  // namespace

std::optional<FiniteGuard> make_finite_guard(const Config& config, const FiniteModel& model) {
  const auto options = config.read<GuardOptions>();
  if (!options.on()) return std::nullopt;
  const std::string key = "guard.incumbent";
  const Space space = TableEnvironment(model).space();
  const auto policy =
      read_named_policy({.key = key, .text = options.incumbent, .config = config, .space = space, .model = &model});
  return FiniteGuard(model, options, incumbent_table(key, options.incumbent, *policy, model));
}

std::unique_ptr<EnvironmentBlock> with_guard(const Config& config, std::unique_ptr<EnvironmentBlock> block) {
  const auto options = config.read<GuardOptions>();
  if (!options.on()) return block;
  auto policy = read_named_policy(
      {.key = "guard.incumbent", .text = options.incumbent, .config = config, .space = block->space()});
  return std::make_unique<GuardedBlock>(std::move(block), std::move(policy), options, config.seed);
}

std::shared_ptr<const Explorer> with_guard(const FiniteGuard& guard, std::shared_ptr<const Explorer> policy,
                                           const FiniteModel& model) {
  PolicyTable table(model.states, model.actions);
  if (policy == nullptr || !policy->compile(table)) return policy;
  return std::make_shared<TableExplorer>(guard.extended(table));
}

std::shared_ptr<const Explorer> make_prior(const Config& config, const Space& space, const FiniteModel* model) {
  const auto options = config.read<PriorOptions>();
  if (!options.on()) return nullptr;
  const std::string key = "algorithm.incumbent";
  auto policy =
      read_named_policy({.key = key, .text = options.incumbent, .config = config, .space = space, .model = model});
  if (model != nullptr) incumbent_table(key, options.incumbent, *policy, *model);
  return policy;
}

void GuardCount::add(const Phase& phase, bool continued) {
  if (block_ != nullptr) return;
  if (!continued) before_ = steps_;
  steps_ = before_;
  for (const std::int32_t pair : phase.model_pairs) steps_ += guarded_[static_cast<std::size_t>(pair) / actions_];
}

void GuardCount::save(ByteWriter& to) const {
  to.put(steps_);
  to.put(before_);
}

void GuardCount::restore(ByteReader& from) {
  from.get_count(steps_, "guarded steps");
  from.get_count(before_, "guarded steps");
}

}  // namespace politex::inline run
