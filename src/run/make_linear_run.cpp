// From a configuration to the run of a linear learner.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "politex/algorithm/block_collector.hpp"
#include "politex/algorithm/finite_collector.hpp"
#include "politex/algorithm/fixed_explorer.hpp"
#include "politex/algorithm/politex_learner.hpp"
#include "politex/base/error.hpp"
#include "politex/baselines/step_learner.hpp"
#include "politex/env/masks.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/guard/prior.hpp"
#include "politex/policy/uniform.hpp"
#include "politex/process/external.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/incumbents.hpp"
#include "politex/run/later_warnings.hpp"
#include "politex/run/linear_run.hpp"
#include "politex/run/parts.hpp"

namespace politex::inline run {
namespace {

/// How many policies are evaluated exactly where exact.every is 0: enough for the regret terms, cheap next to the run.
constexpr std::int64_t evaluations_by_default = 100, evaluations_by_iteration = 10;
/// With more possible moves a run has no exact answers, and says so: iterating over them would take longer than the
/// run.
constexpr std::size_t most_moves_for_exact = 5'000'000;
bool too_large(const FiniteModel& model) { return model.next.size() > most_moves_for_exact; }

/// Visits that each action should have in each cell of a grid, which is many states.
constexpr int visits_of_cells = 9;

/// What the configuration and the caller give, before it is put together.
struct Parts {
  explicit Parts(const LearnerEntry& entry) : learner(entry) {}

  const LearnerEntry& learner;
  std::unique_ptr<TableEnvironment> finite;  // null: not finite
  std::optional<FiniteGuard> guard;          // of a finite environment
  int own_states = 0;                        // of the environment without the guard
  std::shared_ptr<const Explorer> prior;     // null: the first policy is uniform
  std::unique_ptr<EnvironmentBlock> block;   // null: finite, and walked through by its tables
  Space space;
  std::string name;  // of the environment, in summaries
  std::shared_ptr<const Explorer> explorer;
  bool learns = false;  // the explorer learns during the run
  bool varies = false;  // segments vary in length
  int cells = 0;        // listed states, or cells of features that are a partition; else 0
  std::unique_ptr<FeatureMap> map;
  Features features;  // finite: of all states
  ScheduleOptions schedule;
  RestartCost restart_cost{};

  const FiniteModel* model() const { return finite ? &finite->model() : nullptr; }
  /// A state has its masks; a cell is many states.
  bool masks_of_states() const { return masked() && (finite || space.states > 0); }
  bool masked() const { return finite ? finite->masked() : block != nullptr && block->masks(); }
  /// Flags of the first state's actions; empty: there are no masks.
  std::vector<std::uint8_t> possible_at_start() const {
    std::vector<std::uint8_t> flags(masked() ? static_cast<std::size_t>(space.actions) : 0);
    if (flags.empty()) return flags;
    for (Action a = 0; finite && a < space.actions; ++a)
      flags[static_cast<std::size_t>(a)] = possible_action(finite->model(), finite->model().start, a) == a ? 1 : 0;
    if (!finite) block->possible(0, flags);
    return flags;
  }
};

/// Whether the run has exploration segments.
bool has_segments(const Config& config) { return learner_of(config).explores && explorer_of(config).explores(); }

ScheduleOptions schedule_options(const Config& config, int size, bool extendable) {
  using Kind = ScheduleOptions::Kind;
  const auto lengths = config.read<ScheduleLengths>();
  ScheduleOptions options;
  options.kind = lengths.kind;
  options.steps = config.steps;
  options.explores = learner_of(config).explores;
  if (options.kind == Kind::fixed || options.kind == Kind::politex)
    options.fixed = {.rollouts = lengths.rollouts,
                     .explore = has_segments(config) ? lengths.explore.resolve(size) : 0,
                     .probe = options.explores ? 1 : 0,
                     .follow = lengths.follow.resolve(size)};
  if (!extendable && options.fixed.explore + options.fixed.probe >= config.steps && options.explores &&
      options.kind == Kind::fixed)
    throw ConfigError{
        "schedule.explore",
        fmt::format("exploration ({} steps) and probe use up the whole run ({} steps); accepted: a longer "
                    "run, or less exploration",
                    options.fixed.explore, config.steps)};
  if (lengths.coprime) options.fixed = made_coprime(options.fixed, size);
  return options;
}

void check_environment(const Parts& parts, bool own_features) {
  const Space& space = parts.space;
  if (parts.block && parts.block->count() != 1)
    throw ConfigError{"environment", fmt::format("{} environments of {} at once; accepted by linear learners: one",
                                                 parts.block->count(), space.name)};
  if (space.actions < 1 || space.ranges.empty())
    throw ConfigError{"environment", fmt::format("{} has no actions or no observation", space.name)};
  if (own_features) return;
  for (const Range& range : space.ranges)
    if (!std::isfinite(range.low) || !std::isfinite(range.high))
      throw ConfigError{
          "environment",
          fmt::format("{} gives no finite range for every number of an observation, and features need one "
                      "(a server: its lines low and high)",
                      space.name)};
}

RestartCost restart_cost_of(const Config& config, const RunParts& given) {
  if (given.restart_cost) return RestartCost(*given.restart_cost);
  const Value value = config.read<ExternalOptions>().restart_cost;
  const auto* const number = std::get_if<double>(&value);
  return number != nullptr ? RestartCost(*number) : RestartCost();
}

Parts take_parts(const Config& config, bool extendable, RunParts given) {
  const EnvironmentEntry& environment = environment_of(config);
  Parts parts(learner_of(config));
  parts.name = environment_name(config, given);
  parts.block = std::move(given.block);
  std::optional<FiniteModel> plain;  // without the guard, where there is one
  if (!parts.block && (given.model || environment.model != nullptr)) {
    FiniteModel model = given.model ? std::move(*given.model) : environment.model(config.values);
    parts.guard = make_finite_guard(config, model);
    parts.own_states = model.states;
    if (parts.guard) {
      parts.finite = std::make_unique<TableEnvironment>(parts.guard->model());
      plain = std::move(model);
    } else {
      parts.finite = std::make_unique<TableEnvironment>(std::move(model));
    }
  } else {
    if (!parts.block) parts.block = environment.block(config.values, {.seed = config.seed});
    parts.block = with_guard(config, std::move(parts.block));
  }
  parts.space = parts.finite ? parts.finite->space() : parts.block->space();
  const Space own_space = plain ? TableEnvironment(*plain).space() : parts.space;
  const FiniteModel* const own_model = plain ? &*plain : parts.model();
  check_environment(parts, given.features != nullptr);
  const bool own_explorer = given.explorer != nullptr;
  if (parts.learner.explores)
    parts.explorer = given.explorer ? given.explorer : make_explorer(config, own_space, own_model, parts.name);
  parts.prior = given.prior ? given.prior : make_prior(config, own_space, own_model);
  if (parts.guard) {
    parts.explorer = with_guard(*parts.guard, parts.explorer, *plain);
    parts.prior = with_guard(*parts.guard, parts.prior, *plain);
  }
  if (!parts.explorer) parts.explorer = std::make_shared<UniformExplorer>(parts.space.actions);
  parts.map = given.features ? std::move(given.features) : make_feature_map(config, parts.space, parts.model());
  if (parts.finite) parts.features = compile_features(config, *parts.map, parts.finite->model());
  parts.schedule = schedule_options(config, parts.space.size(), extendable);
  parts.restart_cost = restart_cost_of(config, given);
  parts.cells = parts.finite ? parts.model()->states : parts.space.states;
  if (parts.cells == 0) parts.cells = parts.map->cells();
  parts.learns = !own_explorer && has_segments(config) && explorer_of(config).learn != nullptr;
  parts.varies = has_segments(config) && (parts.learns || parts.schedule.kind == ScheduleOptions::Kind::anytime ||
                                          config.read<ExplorationOptions>().kind != ExplorationKind::every);
  return parts;
}

FeatureStructure structure_of(const Parts& parts) {
  if (parts.finite) return parts.features.structure();
  return {.blocks = parts.map->replicated() ? parts.space.actions : 1,
          .width = parts.map->columns(),
          .exclusive = parts.map->exclusive()};
}

/// Explorer and rollouts where segments vary in length; null where they are as the schedule's lengths say.
std::unique_ptr<Exploration> make_exploration(const Config& config, const Parts& parts) {
  if (!parts.varies) return nullptr;
  const auto lengths = config.read<ScheduleLengths>();
  const int size = parts.space.size();
  const bool anytime = parts.schedule.kind == ScheduleOptions::Kind::anytime;
  Exploration::Options options{.kind = config.read<ExplorationOptions>().kind,
                               .by_steps = anytime,
                               .rollouts = lengths.rollouts,
                               .follow = lengths.follow.resolve(size)};
  if (anytime) options.follow = 50;
  if (!parts.learns || !anytime) options.longest = std::max<std::int64_t>(1, lengths.explore.resolve(size));
  const FeatureStructure structure = structure_of(parts);
  if (!parts.learns)
    return std::make_unique<Exploration>(
        std::make_unique<FixedExplorer>(parts.explorer, parts.space.actions, structure.width), options);
  return std::make_unique<Exploration>(
      explorer_of(config).learn({.values = config.values,
                                 .actions = parts.space.actions,
                                 .states = parts.cells,
                                 .wanted = parts.space.states > 0 ? 1 : visits_of_cells,
                                 .structure = structure,
                                 .size = size,
                                 .masked = parts.masks_of_states()}),
      options);
}

/// Phases of the run; for schedules that do not grow, an estimate from the first.
double number_of_phases(const Config& config, const ScheduleOptions& options, const LearnerParts& made) {
  const auto steps = static_cast<double>(config.steps);
  if (options.kind != ScheduleOptions::Kind::anytime)
    return std::ceil(steps / static_cast<double>(std::max<std::int64_t>(1, made.lengths.total())));
  const Schedule schedule(options);
  double count = 0.0;
  for (std::int64_t done = 0; done < config.steps; done += schedule.next(done).steps) ++count;
  return count;
}

std::vector<std::string> warnings_of(const Config& config, const RunOptions& options, const Parts& parts,
                                     const LearnerParts& made) {
  std::vector<std::string> warnings;
  const Lengths& lengths = made.lengths;
  if (parts.finite && parts.model()->rows_advance && parts.learner.explores && !parts.varies &&
      some_rows_never_start(lengths, made.size))
    warnings.push_back(fmt::format(
        "rollouts of {} steps share a factor with N = {}: some rows never start a rollout, which ruins one-visit "
        "estimates; schedule.coprime = true lengthens follow to {}",
        lengths.rollout(), made.size, made_coprime(lengths, made.size).follow));
  if (!options.extendable && lengths.total() > config.steps)
    warnings.push_back(
        fmt::format("a phase takes {} steps and the run {}: nothing will be learned", lengths.total(), config.steps));
  if (parts.finite &&
      std::ranges::adjacent_find(parts.model()->cost, std::ranges::not_equal_to()) == parts.model()->cost.end())
    warnings.push_back(fmt::format("every step of {} costs {:g}: all policies have the same average", parts.space.name,
                                   parts.model()->cost.front()));
  if (parts.learner.review != nullptr) parts.learner.review(config.values, made, warnings);
  if (parts.learner.keeps_transitions && !parts.finite)
    warnings.push_back(
        fmt::format("the transition probabilities of {} are not known: {} keeps the last {} transitions "
                    "(algorithm.buffer)",
                    parts.space.name, parts.learner.name, config.whole("algorithm.buffer")));
  const bool wants_exact = config.read<ExactOptions>().every > 0;
  if (!parts.finite && wants_exact)
    warnings.push_back(
        fmt::format("exact.every has no effect: {} is not finite, so no gain is known exactly; average_cost of a long "
                    "run estimates it",
                    parts.space.name));
  if (parts.finite && (options.exact || wants_exact) && too_large(*parts.model()))
    warnings.push_back(
        fmt::format("{} possible moves are too many for exact answers (limit: {}): no gains and no regret",
                    parts.model()->next.size(), most_moves_for_exact));
  return warnings;
}

/// Whether the compiled tables can be used, as algorithm.path asks.
bool is_compiled(const Config& config, bool frozen) {
  const Path path = config.read<GeneralOptions>().path;
  if (path == Path::compiled && !frozen)
    throw ConfigError{"algorithm.path",
                      fmt::format("\"compiled\" needs a finite environment of our own and an explorer that is a fixed "
                                  "policy; accepted here: auto, generic")};
  return frozen && path != Path::generic;
}

/// Costs in a return of the estimator: to the end of a rollout from its first target pair where no horizon is set; 0
/// where returns are not summed.
std::int64_t horizon_of(const Config& config, const Parts& parts, const Lengths& lengths) {
  if (!parts.learner.sums_q) return 0;
  const auto options = config.read<PolitexOptions>();
  if (options.estimator != PolitexOptions::Kind::lsmc) return 0;
  const std::int64_t horizon = options.horizon.resolve(parts.space.size());
  return horizon > 0 ? horizon : lengths.follow;
}

/// Adds exact answers to the run.
void watch_exactly(LinearRun& run, const Config& config, bool regret, Parts& parts, const LearnerParts& made,
                   const PolicyTable& exploration, const PolicyTable* acting,
                   const std::shared_ptr<const PolicyBounds>& bounds) {
  const double phases = number_of_phases(config, parts.schedule, made);
  // Iteration gives gains within bounds, but no Q to compare with.
  const bool iterates = exact::needs_iteration(*parts.model());
  const std::int64_t every = config.read<ExactOptions>().every;
  const std::int64_t evaluations = iterates ? evaluations_by_iteration : evaluations_by_default;
  const std::int64_t stride =
      every > 0 ? every : std::max<std::int64_t>(1, static_cast<std::int64_t>(phases) / evaluations);
  if (iterates && every > 0)
    run.warn_later([name = parts.space.name] {
      return fmt::format("{} is too large for the exact Q of a policy: exact.every adds no columns, only gains", name);
    });
  std::optional<SparseRows> whole;
  if (config.read<BasisOptions>().basis) {
    Config without = config;
    whole = make_features(without.set("features.basis", false), *parts.model()).by_pair();
  }
  auto watch = std::make_unique<ExactWatch>(
      std::move(parts.finite), std::move(parts.features), exploration,
      ExactWatch::Options{.stride = stride,
                          .learns = parts.learns,
                          .regret = regret,
                          .rows = every > 0 && !iterates,
                          .explores = has_segments(config) && !parts.learns,
                          .horizon = horizon_of(config, parts, made.lengths),
                          .sums_q = parts.learner.sums_q && parts.schedule.kind != ScheduleOptions::Kind::doubling,
                          .seed = config.seed});
  if (bounds) watch->bind(bounds);
  if (whole) watch->measure_sigma_by(std::move(*whole));
  run.watch(std::move(watch), acting);
}

/// Lets the collector's target policy know masks and prior. Returns what that means for the states of a finite
/// environment; null where it means nothing. Throws ConfigError where the learner cannot start from a policy.
std::shared_ptr<const PolicyBounds> bound(const Config& config, const Parts& parts, bool masked, const Learner& learner,
                                          Collector& collector) {
  PolicyBounds bounds;
  if (masked && learner.knows_masks()) {
    collector.respect_masks();
    if (parts.finite) bounds.possible = parts.model()->possible;
  }
  if (parts.prior) {
    if (parts.learner.play != nullptr || learner.rule().kind != Rule::Kind::boltzmann)
      throw ConfigError{"algorithm.incumbent", fmt::format("the policy of {} cannot start from another one; accepted: "
                                                           "algorithm.name = auto, ee_politex, politex",
                                                           parts.learner.name)};
    const double weight = config.read<PriorOptions>().weight;
    collector.start_from(parts.prior, weight);
    if (PolicyTable table(parts.finite ? parts.model()->states : 1, parts.space.actions);
        parts.finite && parts.prior->compile(table))
      for (const double p : table.probabilities()) bounds.logits.push_back(weight * p);
  }
  if (bounds.possible.empty() && bounds.logits.empty()) return nullptr;
  return std::make_shared<const PolicyBounds>(std::move(bounds));
}

/// What a learner that learns in every step is made from.
StepParts step_parts(const Config& config, const RunOptions& options, Parts& parts, const LearnerParts& made,
                     bool compiled) {
  StepParts step;
  step.structure = structure_of(parts);
  if (compiled) {
    step.finite = parts.finite.get();
    step.features = parts.features;
  } else {
    step.block =
        parts.finite ? std::make_unique<BlockOf<TableEnvironment>>(*parts.finite, config.seed) : std::move(parts.block);
    step.map = parts.finite ? std::make_unique<FeatureTable>(parts.features) : std::move(parts.map);
  }
  if (parts.finite) {
    const auto [lowest, highest] = std::ranges::minmax(parts.model()->cost);
    step.lowest_cost = lowest;
    step.highest_cost = highest;
  }
  step.restart_cost = parts.restart_cost;
  step.stop = options.stop;
  step.actions = made.actions;
  step.states = made.cells;
  step.listed = parts.space.states > 0;
  step.steps = config.steps;
  step.seed = config.seed;
  step.environment = parts.space.name;
  step.features_name = features_of(config).name;
  return step;
}

}  // namespace

std::unique_ptr<Run> make_linear_run(const Config& config, const RunOptions& options, RunParts given) {
  Parts parts = take_parts(config, options.extendable, std::move(given));
  const FiniteModel* const model = parts.model();
  PolicyTable exploration(model != nullptr ? model->states : 1, parts.space.actions);
  if (parts.masked() && model != nullptr)
    exploration.bind(std::make_shared<PolicyBounds>(PolicyBounds{.possible = model->possible}));
  const bool frozen = parts.finite && parts.explorer->compile(exploration);  // a fixed policy over the states
  if (frozen) check_takes_possible(*model, exploration.probabilities(), "explorer.name", explorer_of(config).name);
  const bool compiled = is_compiled(config, parts.finite && (frozen || parts.varies));
  const bool regret_known = frozen || parts.learns;
  const Schedule schedule(parts.schedule);

  LearnerParts made;
  made.actions = parts.space.actions;
  made.size = parts.space.size();
  made.phases = schedule.phases(0);
  made.lengths = schedule.next(0).lengths;
  made.explores = parts.learner.explores;
  made.seed = config.seed;
  made.masked = parts.masks_of_states();
  made.possible = parts.possible_at_start();
  const bool masked = parts.masked();
  const EnvironmentBlock* const stepped = parts.block.get();
  if (parts.map->partition() && !config.read<BasisOptions>().basis) made.cells = parts.cells;
  made.tree = parts.map->tree();
  std::vector<std::string> warnings = warnings_of(config, options, parts, made);
  const bool exact = options.exact || config.read<ExactOptions>().every > 0;
  if (parts.finite && exact && !regret_known)
    warnings.push_back(fmt::format("the explorer is not a fixed policy over the states of {}: the regret is not known",
                                   parts.space.name));
  std::unique_ptr<Collector> collector;
  const PolicyTable* acting = nullptr;
  const BlockCollector* general = nullptr;
  std::unique_ptr<Learner> learner;
  if (parts.learner.play != nullptr) {
    auto player = parts.learner.play(config.values, step_parts(config, options, parts, made, compiled));
    learner = player->learner();
    collector = std::move(player);
  } else if (compiled) {
    auto walker = parts.varies
                      ? std::make_unique<FiniteCollector>(*parts.finite, parts.features,
                                                          make_exploration(config, parts), config.seed)
                      : std::make_unique<FiniteCollector>(*parts.finite, parts.features, exploration, config.seed);
    made.finite = &walker->features();
    acting = &walker->target();
    collector = std::move(walker);
  } else {
    std::unique_ptr<Exploration> rollouts = make_exploration(config, parts);
    if (parts.finite) {
      parts.block = std::make_unique<BlockOf<TableEnvironment>>(*parts.finite, config.seed);
      parts.map = std::make_unique<FeatureTable>(parts.features);
    }
    auto walker =
        std::make_unique<BlockCollector>(std::move(parts.block), std::move(parts.map), parts.explorer, config.seed,
                                         BlockCollectorOptions{.restart_cost = parts.restart_cost,
                                                               .stop = options.stop,
                                                               .states = parts.space.states > 0,
                                                               .cells = parts.space.states == 0 && parts.cells > 0,
                                                               .observations = made.tree != nullptr,
                                                               .hold = made.tree != nullptr && parts.varies});
    walker->explore_by(std::move(rollouts));
    general = walker.get();
    collector = std::move(walker);
  }
  made.structure = collector->structure();
  if (general != nullptr)
    made.start = general->present();
  else if (compiled)
    made.start =
        features_at(FeatureTable(parts.features), std::vector{static_cast<double>(model->start)}, model->actions);
  if (!learner) learner = parts.learner.make(config.values, made);
  const std::shared_ptr<const PolicyBounds> bounds = bound(config, parts, masked, *learner, *collector);
  auto loop = std::make_unique<PhaseLoop>(std::move(collector), std::move(learner), schedule, config.steps);
  auto run =
      std::make_unique<LinearRun>(config, std::move(loop), std::move(warnings), compiled ? "compiled" : "generic");
  run->name_environment(parts.name);
  if (parts.guard) {
    run->count_guard(GuardCount(parts.guard->guarded(), parts.space.actions));
    run->write_states(parts.own_states);
  } else if (stepped != nullptr && stepped->guarded_steps() >= 0) {
    run->count_guard(GuardCount(*stepped));
  }
  if (options.extendable) {
    run->make_extendable();
    run->warn_later(nothing_learned_warning(*run, made.lengths.total()));
  }
  if (parts.schedule.kind == ScheduleOptions::Kind::anytime) run->warn_later(few_phases_warning(*run));
  if (general != nullptr && !parts.finite) {
    run->warn_later(constant_cost_warning(*general, parts.space.name));
    run->warn_later(restart_cost_warning(*general, parts.space.name));
    run->warn_later(one_cell_warning(*general, parts.space.name));
    run->warn_later(features_remark(*general));
  }
  if (parts.finite && exact && !too_large(*model))
    watch_exactly(*run, config, options.regret && regret_known, parts, made, exploration, acting, bounds);
  return run;
}

}  // namespace politex::inline run
