#include "politex/live/session.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "politex/algorithm/politex_learner.hpp"
#include "politex/discovery/count_explorer.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/features/additive.hpp"
#include "politex/policy/always.hpp"
#include "politex/policy/explorer_entry.hpp"
#include "politex/policy/uniform.hpp"

namespace politex::inline live {
namespace {

enum class Explorers { none, uniform, always, learned };
constexpr int one_visit = 2, lspe = 3;  // estimators
/// As many policies are evaluated exactly as in a run of the program.
constexpr std::int64_t evaluated_policies = 100;

double of(const SettingValues& values, Setting which) { return values[static_cast<std::size_t>(which)]; }
std::int64_t whole_of(const SettingValues& values, Setting which) {
  return static_cast<std::int64_t>(of(values, which));
}

/// Gives a key of an entry its value, as a file would.
void give(Values& values, const Keys& keys, std::string_view name, Value value) {
  values.set(*std::ranges::find(keys, name, &Key::name), std::move(value));
}

/// The word of that number among a key's choices.
std::string word_of(const Keys& keys, std::string_view name, std::int64_t number) {
  return std::string(std::ranges::find(keys, name, &Key::name)->accepts.choices[static_cast<std::size_t>(number)].name);
}

Values environment_values(const SettingValues& given) {
  Values values;
  const Keys& keys = deep_sea_entry().keys;
  give(values, keys, "environment.size", whole_of(given, Setting::size));
  give(values, keys, "environment.swap", word_of(keys, "environment.swap", whole_of(given, Setting::swap)));
  return values;
}

Values learner_values(const SettingValues& given) {
  Values values;
  const Keys& keys = ee_politex_entry().keys;
  const std::int64_t estimator = whole_of(given, Setting::estimator);
  give(values, keys, "algorithm.estimator", std::string(estimator == lspe ? "lspe" : "lsmc"));
  // The key's choices are in the other order.
  if (estimator != lspe)
    give(values, keys, "algorithm.visits", word_of(keys, "algorithm.visits", one_visit - estimator));
  give(values, keys, "algorithm.horizon", std::to_string(whole_of(given, Setting::horizon)));
  give(values, keys, "algorithm.eta", of(given, Setting::eta));
  give(values, keys, "algorithm.ridge", of(given, Setting::ridge));
  return values;
}

ScheduleOptions schedule_of(const SettingValues& given) {
  const bool explores = static_cast<Explorers>(whole_of(given, Setting::explorer)) != Explorers::none;
  return {.kind = ScheduleOptions::Kind::fixed,
          .steps = whole_of(given, Setting::steps),
          .explores = true,
          .fixed = {.rollouts = whole_of(given, Setting::rollouts),
                    .explore = explores ? whole_of(given, Setting::explore) : 0,
                    .probe = 1,
                    .follow = whole_of(given, Setting::follow)}};
}

/// The policy of the explorer; uniform where it has none.
PolicyTable explorer_table(Explorers explorer, const TableEnvironment& environment) {
  PolicyTable table(environment.states(), environment.actions());
  if (explorer == Explorers::always) AlwaysExplorer(1, environment.space()).compile(table);
  return table;
}

}  // namespace

int refused_setting(const SettingValues& values) noexcept {
  for (std::size_t k = 0; k < values.size(); ++k) {
    const SettingRange& range = setting_ranges[k];
    const bool accepted = values[k] >= range.low && values[k] <= range.high &&
                          (!range.whole || values[k] == std::floor(values[k]));  // false for NaN
    if (!accepted) return static_cast<int>(k);
  }
  const auto explores = static_cast<Explorers>(whole_of(values, Setting::explorer)) != Explorers::none;
  if (explores && of(values, Setting::explore) < 1.0) return static_cast<int>(Setting::explore);
  if (explores && of(values, Setting::explore) + 1.0 >= of(values, Setting::steps))
    return static_cast<int>(Setting::explore);
  // As in a file of the program: a fixed explorer that leaves no phase to learn from.
  if (static_cast<Explorers>(whole_of(values, Setting::explorer)) != Explorers::learned &&
      of(values, Setting::explore) > of(values, Setting::follow) + 1.0 &&
      of(values, Setting::rollouts) * (of(values, Setting::explore) + 1.0 + of(values, Setting::follow)) >
          of(values, Setting::steps))
    return static_cast<int>(Setting::explore);
  if (whole_of(values, Setting::estimator) < one_visit &&
      of(values, Setting::horizon) > of(values, Setting::follow) + 1.0)
    return static_cast<int>(Setting::horizon);
  return -1;
}

Session::Session(const SettingValues& given) {
  const auto explorer = static_cast<Explorers>(whole_of(given, Setting::explorer));
  const auto seed = static_cast<std::uint64_t>(of(given, Setting::seed));
  const int size = static_cast<int>(of(given, Setting::size));
  environment_ = std::make_unique<TableEnvironment>(deep_sea_entry().model(environment_values(given)));
  const FiniteModel& model = environment_->model();
  start_ = static_cast<std::size_t>(model.start);
  learns_ = explorer == Explorers::learned;
  const PolicyTable exploring = explorer_table(explorer, *environment_);
  const Features features = additive_features(model);
  const ScheduleOptions options = schedule_of(given);
  const Schedule schedule(options);
  std::unique_ptr<FiniteCollector> collector;
  if (learns_) {
    const Values none;
    auto learning = learned_explorer_entry().learn({.values = none,
                                                    .actions = model.actions,
                                                    .states = model.states,
                                                    .wanted = 1,
                                                    .structure = features.structure(),
                                                    .size = size});
    collector = std::make_unique<FiniteCollector>(
        *environment_, features,
        std::make_unique<Exploration>(std::move(learning), Exploration::Options{.kind = ExplorationKind::every,
                                                                                .longest = options.fixed.explore,
                                                                                .by_steps = false,
                                                                                .rollouts = options.fixed.rollouts,
                                                                                .follow = options.fixed.follow}),
        seed);
  } else {
    collector = std::make_unique<FiniteCollector>(*environment_, features, exploring, seed);
  }
  collector_ = collector.get();
  LearnerParts parts;
  parts.structure = collector->structure();
  parts.start = features_at(FeatureTable(features), std::vector{static_cast<double>(model.start)}, model.actions);
  parts.finite = &collector->features();
  parts.actions = model.actions;
  parts.size = size;
  parts.phases = schedule.phases(0);
  parts.lengths = schedule.next(0).lengths;
  parts.explores = true;
  parts.seed = seed;
  const auto lengths = static_cast<double>(parts.lengths.total());
  const auto phases = static_cast<std::int64_t>(std::ceil(of(given, Setting::steps) / lengths));
  auto learner = ee_politex_entry().make(learner_values(given), parts);
  loop_ = std::make_unique<PhaseLoop>(std::move(collector), std::move(learner), schedule, options.steps);
  regret_ = std::make_unique<RegretLedger>(
      *environment_, exploring,
      RegretLedger::Options{.stride = std::max<std::int64_t>(1, phases / evaluated_policies),
                            .split = false,
                            .learns = learns_,
                            .seed = seed});
  visits_.assign(3 * static_cast<std::size_t>(model.states), 0.0);
  values_.assign(static_cast<std::size_t>(model.pairs()), 0.0);
}

std::int64_t Session::advance(std::int64_t steps) {
  const std::int64_t begin = loop_->steps_done();
  while (!loop_->done() && loop_->steps_done() - begin < steps) {
    if (regret_->due(loop_->next_phase())) {
      loop_->prepare();
      regret_->evaluate(collector_->target().probabilities());
    }
    const Phase phase = loop_->advance();
    regret_->add(phase);
    pairs_.assign(phase.model_pairs.begin(), phase.model_pairs.end());
    players_.resize(pairs_.size());
    std::size_t at = 0;
    for_each_segment(phase, [&](std::int64_t count, By by) {
      for (const std::size_t end = at + static_cast<std::size_t>(count); at < end; ++at) {
        const auto state = static_cast<std::size_t>(pairs_[at] / model().actions);
        visits_[3 * state + static_cast<std::size_t>(by)] += 1.0;
        players_[at] = static_cast<std::uint8_t>(by);
      }
    });
  }
  return loop_->steps_done() - begin;
}

std::span<const double> Session::policy() {
  if (!loop_->done()) loop_->prepare();
  return collector_->target().probabilities();
}

std::span<const double> Session::values() {
  collector_->features().values(loop_->learner().weights(), values_);
  return values_;
}

}  // namespace politex::inline live
