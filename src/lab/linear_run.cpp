#include "politex/lab/linear_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "politex/base/error.hpp"
#include "politex/base/unknown.hpp"

namespace politex::lab {
namespace {

std::int64_t steps_of(const char* key, const Length& length, int size) {
  if (length.numerator != 0 && size == 0)
    throw ConfigError{key,
                      fmt::format("\"{}\" is a multiple of a size, and this environment has none; accepted here: a "
                                  "whole number of steps",
                                  length.text())};
  return length.resolve(size);
}

LsmcOptions lsmc_options(const AlgorithmConfig& config, int size) {
  return {.visits = config.visits == "one"     ? Visits::one
                    : config.visits == "first" ? Visits::first
                                               : Visits::every,
          .average = config.average == "rollout"     ? Average::rollout
                     : config.average == "last_cost" ? Average::last_cost
                                                     : Average::phase,
          .horizon = steps_of("algorithm.horizon", config.horizon, size),
          .ridge = config.ridge,
          .centre = config.centre};
}

PolitexLearner::StepSize step_size(const AlgorithmConfig& config) {
  if (config.eta != "theory") {
    double eta = 0.0;
    std::from_chars(config.eta.data(), config.eta.data() + config.eta.size(), eta);
    return {.eta = eta, .q_max = 0.0};
  }
  if (!(config.q_max > 0.0))
    throw ConfigError{"algorithm.q_max", "eta = \"theory\" needs it: the range of Q; accepted: a number above 0"};
  return {.eta = 0.0, .q_max = config.q_max};
}

std::unique_ptr<Learner> make_learner(const Config& config, const FeatureStructure& structure, int actions, int size,
                                      double phases, Features start, const Features* finite) {
  const AlgorithmConfig& algorithm = config.algorithm;
  const TdSolve solve = algorithm.solve == "min_norm" ? TdSolve::min_norm : TdSolve::ridge;
  if (algorithm.name == "rlsvi")
    return std::make_unique<RlsviLearner>(RlsviOptions{.prior = algorithm.prior, .noise = algorithm.noise}, structure,
                                          algorithm.buffer, std::move(start), finite, config.seed);
  if (algorithm.name == "lspi")
    return std::make_unique<LspiLearner>(LspiOptions{.solve = solve, .ridge = algorithm.ridge}, structure,
                                         algorithm.buffer, algorithm.epsilon, finite);
  if (algorithm.name != "politex" && algorithm.name != "ee_politex")
    throw ConfigError{"algorithm.name", fmt::format("\"{}\" is no linear learner", algorithm.name)};
  const auto make = [&](auto estimator) {
    return std::make_unique<PolitexLearner>(std::move(estimator), structure, step_size(algorithm), actions, phases);
  };
  if (algorithm.estimator == "lspe")
    return make(PolitexLearner::Estimator(Lspe({.iterated = algorithm.lspe == "iterated",
                                                .iterations = algorithm.lspe_iterations,
                                                .step = algorithm.lspe_step,
                                                .solve = solve,
                                                .ridge = algorithm.ridge},
                                               structure)));
  return make(PolitexLearner::Estimator(Lsmc(lsmc_options(algorithm, size), structure)));
}

SegmentSummary segment(const CostLedger& costs, By by) {
  const CostLedger::Part& part = costs.part(by);
  return {part.steps, part.steps > 0 ? part.cost / static_cast<double>(part.steps) : unknown};
}

}  // namespace

bool explores(const Config& config) { return config.algorithm.name == "ee_politex"; }

ScheduleOptions schedule_options(const Config& config, int size) {
  using Kind = ScheduleOptions::Kind;
  const std::string& kind = config.schedule.kind;
  ScheduleOptions options;
  options.kind = kind == "theory"        ? Kind::theory
                 : kind == "theory_text" ? Kind::theory_text
                 : kind == "politex"     ? Kind::politex
                 : kind == "doubling"    ? Kind::doubling
                                         : Kind::fixed;
  options.steps = config.steps;
  options.explores = explores(config);
  if (options.kind == Kind::fixed || options.kind == Kind::politex)
    options.fixed = {.rollouts = config.schedule.rollouts,
                     .explore = options.explores && config.explorer.name != "none"
                                    ? steps_of("schedule.explore", config.schedule.explore, size)
                                    : 0,
                     .probe = options.explores ? 1 : 0,
                     .follow = steps_of("schedule.follow", config.schedule.follow, size)};
  if (options.fixed.explore + options.fixed.probe >= config.steps && options.explores && options.kind == Kind::fixed)
    throw ConfigError{"schedule.explore",
                      fmt::format("{} steps of exploration and a probe leave nothing of a run of {} "
                                  "steps; accepted: a longer run, or less exploration",
                                  options.fixed.explore, config.steps)};
  if (config.schedule.coprime && size > 0) options.fixed = made_coprime(options.fixed, size);
  return options;
}

std::vector<std::string> find_warnings(const Config& config, const ScheduleOptions& options, const Schedule& schedule,
                                       int size) {
  std::vector<std::string> warnings;
  const Lengths lengths = schedule.next(0).lengths;
  if (config.environment.name == "deep_sea" && explores(config) && some_rows_never_start(lengths, size))
    warnings.push_back(fmt::format(
        "rollouts of {} steps share a factor with N = {}: some rows never start a rollout, which ruins one-visit "
        "estimates; schedule.coprime = true lengthens follow to {}",
        lengths.rollout(), size, made_coprime(lengths, size).follow));
  if (explores(config) && config.algorithm.estimator == "lspe")
    warnings.push_back(
        "LSPE with exploration is off-policy in its start law: it uses the target's transitions only and may diverge");
  if (lengths.total() > options.steps)
    warnings.push_back(
        fmt::format("a phase takes {} steps and the run {}: nothing will be learned", lengths.total(), options.steps));
  if (config.algorithm.estimator == "lsmc" && config.algorithm.visits != "one" && explores(config) &&
      steps_of("algorithm.horizon", config.algorithm.horizon, size) > lengths.probe + lengths.follow)
    throw ConfigError{"algorithm.horizon",
                      fmt::format("{} costs do not fit into a rollout of {} steps; accepted: at most "
                                  "that, or 0 for the whole rollout",
                                  config.algorithm.horizon.text(), lengths.probe + lengths.follow)};
  return warnings;
}

Summary LinearRun::summary() {
  const CostLedger& costs = loop_->costs();
  const CostLedger::Part tenth = costs.last_tenth();
  Summary summary;
  summary.steps = loop_->steps_done();
  summary.seed = config_.seed;
  summary.environment = config_.environment.name;
  summary.algorithm = config_.algorithm.name;
  summary.average_cost = average_cost();
  summary.average_cost_last_tenth = tenth.cost / static_cast<double>(tenth.steps);
  summary.explorer = segment(costs, By::explorer);
  summary.probe = segment(costs, By::probe);
  summary.target = segment(costs, By::target);
  summary.phases = loop_->phases();
  summary.signature = loop_->signature().text();
  summary.path = path_;
  summary.warnings = warnings_;
  if (q_range_ > config_.algorithm.q_max && config_.algorithm.eta == "theory")
    summary.warnings.push_back(
        fmt::format("the range of a Q was {:.4g}, above q_max = {:.4g}: the theorem's step size "
                    "asks for a larger q_max",
                    q_range_, config_.algorithm.q_max));
  if (std::string late = later_ ? later_() : std::string(); !late.empty()) summary.warnings.push_back(std::move(late));
  if (watch_) summary.finite = watch_->summary(loop_->learner(), last_state_);
  return summary;
}

std::unique_ptr<Loop> make_loop(const Config& config, std::unique_ptr<Collector> collector, const Schedule& schedule,
                                int size, Features start, const Features* finite) {
  const FeatureStructure structure = collector->structure();
  const int actions = collector->actions();
  auto learner = make_learner(config, structure, actions, size, schedule.phases(0), std::move(start), finite);
  return std::make_unique<Loop>(std::move(collector), std::move(learner), schedule, config.steps);
}

}  // namespace politex::lab
