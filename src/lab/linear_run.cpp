// Runs of the linear learners: from a configuration to Algorithm 1, its baselines, and the exact answers beside it.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/unknown.hpp"
#include "politex/lab/album.hpp"
#include "politex/lab/catalogue.hpp"
#include "politex/lab/exact_watch.hpp"
#include "politex/lab/neural_run.hpp"
#include "politex/lab/run.hpp"
#include "politex/politex/generic_collector.hpp"
#include "politex/politex/loop.hpp"

namespace politex::lab {
namespace {

/// How many policies are evaluated exactly where exact.every is 0: enough for the terms, little beside the run.
constexpr std::int64_t evaluations_by_default = 100;
/// Beyond this many states a run goes on without exact answers, and says so.
constexpr int most_states_for_exact = 200'000;

bool explores(const Config& config) { return config.algorithm.name == "ee_politex"; }

std::int64_t steps_of(const char* key, const Length& length, int size) {
  if (length.numerator != 0 && size == 0)
    throw ConfigError{key,
                      fmt::format("\"{}\" is a multiple of a size, and this environment has none; accepted here: a "
                                  "whole number of steps",
                                  length.text())};
  return length.resolve(size);
}

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
    throw ConfigError{"schedule.explore", fmt::format("{} steps of exploration leave nothing of a run of {} steps; "
                                                      "accepted: less than the run",
                                                      options.fixed.explore, config.steps)};
  if (config.schedule.coprime && size > 0) options.fixed = made_coprime(options.fixed, size);
  return options;
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

/// The features of the state that a run starts in.
template <class Map, class State>
Features features_at(const Map& map, const State& state, int actions) {
  Features features;
  features.actions = actions;
  features.replicated = map.replicated();
  features.rows.columns = map.columns();
  map.append(state, features.rows);
  return features;
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

class LinearRun final : public Run {
 public:
  LinearRun(Config config, std::unique_ptr<Loop> loop, std::vector<std::string> warnings, std::string path)
      : config_(std::move(config)), loop_(std::move(loop)), warnings_(std::move(warnings)), path_(std::move(path)) {}

  /// Adds exact answers and pictures.
  void watch(std::unique_ptr<ExactWatch> watch) {
    watch_ = std::move(watch);
    album_.emplace(watch_->model(), config_.steps);
  }

  bool done() const override { return loop_->done(); }
  std::int64_t steps_done() const override { return loop_->steps_done(); }
  double average_cost() const override {
    const CostLedger::Part all = loop_->costs().all();
    return all.cost / static_cast<double>(all.steps);
  }

  void advance() override {
    if (watch_ && watch_->due(loop_->phases())) {
      loop_->prepare();
      watch_->before(loop_->learner());
    }
    begin_ = loop_->steps_done();
    phase_ = loop_->advance();
    const bool learned = static_cast<std::int64_t>(phase_.costs.size()) == phase_.lengths.total();
    if (watch_) watch_->after(phase_, loop_->learner(), learned);
    last_state_ = phase_.last_state;
    if (watch_ && config_.algorithm.eta == "theory")
      q_range_ = std::max(q_range_, watch_->range_of(loop_->learner().newest()));
  }

  std::vector<std::string> columns() const override { return watch_ ? watch_->columns() : std::vector<std::string>{}; }
  void row(std::vector<double>& into) const override {
    into.assign({static_cast<double>(loop_->phases()), static_cast<double>(steps_done()), average_cost(),
                 loop_->costs().phase_average()});
    if (watch_) watch_->append_row(into);
  }

  bool picture(std::string& into) const override {
    if (!album_ || !album_->due(begin_, loop_->steps_done())) return false;
    album_->add(phase_, watch_->policy(loop_->learner()), loop_->phases(), loop_->steps_done(), into);
    return true;
  }
  std::string picture_frame() const override { return album_ ? album_->frame() : ""; }

  void save(ByteWriter& to) const override {
    loop_->save(to);
    to.put(last_state_);
    to.put(q_range_);
    if (watch_) watch_->save(to);
  }
  void restore(ByteReader& from) override {
    loop_->restore(from);
    from.get(last_state_);
    from.get(q_range_);
    if (watch_) watch_->restore(from);
  }

  Summary summary() override;

 private:
  Config config_;
  std::unique_ptr<Loop> loop_;
  std::vector<std::string> warnings_;
  std::string path_;
  std::unique_ptr<ExactWatch> watch_;  // empty where states are not finite, or too many
  std::optional<Album> album_;
  Phase phase_;  // played last; what it points to is the collector's
  std::int64_t begin_ = 0;
  int last_state_ = 0;
  double q_range_ = 0.0;  // the widest range of a single Q so far, where the theorem's step size counts on one
};

SegmentSummary segment(const CostLedger& costs, By by) {
  const CostLedger::Part& part = costs.part(by);
  return {part.steps, part.steps > 0 ? part.cost / static_cast<double>(part.steps) : unknown};
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
  if (watch_) summary.finite = watch_->summary(loop_->learner(), last_state_);
  return summary;
}

/// Everything but the collector is the same for finite and other worlds.
std::unique_ptr<Loop> make_loop(const Config& config, std::unique_ptr<Collector> collector, const Schedule& schedule,
                                int size, Features start, const Features* finite) {
  const FeatureStructure structure = collector->structure();
  const int actions = collector->actions();
  auto learner = make_learner(config, structure, actions, size, schedule.phases(0), std::move(start), finite);
  return std::make_unique<Loop>(std::move(collector), std::move(learner), schedule, config.steps);
}

std::unique_ptr<Run> finite_run(const Config& config, const RunOptions& options) {
  auto world = std::make_unique<FiniteWorld>(make_model(config.environment));
  const FiniteModel& model = world->model();
  const Features features = make_features(config.features, model);
  const ScheduleOptions lengths = schedule_options(config, model.size);
  const Schedule schedule(lengths);
  std::vector<std::string> warnings = find_warnings(config, lengths, schedule, model.size);
  const PolicyTable explorer =
      explores(config) ? make_explorer(config.explorer, model) : PolicyTable(model.states, model.actions);
  const FiniteMap map(features);
  const bool compiled = config.algorithm.path != "generic";
  std::unique_ptr<Collector> collector;
  const Features* finite = nullptr;
  if (compiled) {
    auto made = std::make_unique<FiniteCollector>(*world, features, explorer, config.seed);
    finite = &made->features();
    collector = std::move(made);
  } else {
    collector = std::make_unique<GenericCollector<FiniteWorld, FiniteMap>>(
        *world, map, [explorer](int state, Rng& rng) { return explorer.sample(state, rng); }, config.seed);
  }
  auto loop = make_loop(config, std::move(collector), schedule, model.size,
                        features_at(map, model.start, model.actions), finite);
  const bool exact = model.states <= most_states_for_exact;
  if (!exact)
    warnings.push_back(
        fmt::format("{} states are too many for exact answers: no gains and no regret, the limit is {}; a smaller "
                    "environment has them",
                    model.states, most_states_for_exact));
  auto run =
      std::make_unique<LinearRun>(config, std::move(loop), std::move(warnings), compiled ? "compiled" : "generic");
  const double phases = std::ceil(static_cast<double>(config.steps) /
                                  static_cast<double>(std::max<std::int64_t>(1, schedule.next(0).lengths.total())));
  const std::int64_t stride =
      config.exact.every > 0 ? config.exact.every
                             : std::max<std::int64_t>(1, static_cast<std::int64_t>(phases / evaluations_by_default));
  if (exact)
    run->watch(std::make_unique<ExactWatch>(
        std::move(world), features, explorer,
        ExactWatch::Options{
            .stride = stride,
            .regret = options.regret,
            .rows = config.exact.every > 0,
            .explores = lengths.explores && config.explorer.name != "none",
            .sums_q = (config.algorithm.name == "politex" || explores(config)) && config.schedule.kind != "doubling",
            .seed = config.seed}));
  return run;
}

template <class World, class Basis>
std::unique_ptr<Run> continuous_run(const Config& config, const World& world, Basis basis) {
  const ScheduleOptions lengths = schedule_options(config, 0);
  const Schedule schedule(lengths);
  std::vector<std::string> warnings = find_warnings(config, lengths, schedule, 0);
  if (config.algorithm.name == "rlsvi" || config.algorithm.name == "lspi")
    warnings.push_back(fmt::format("states are not finite: {} keeps the last {} transitions (algorithm.buffer)",
                                   config.algorithm.name, config.algorithm.buffer));
  if (config.exact.every > 0)
    warnings.push_back(fmt::format(
        "exact.every has no effect: the states of {} are not finite, so no gain is known exactly; average_cost "
        "of a long run estimates it",
        config.environment.name));
  using Map = Observed<World, Basis>;
  const Map map(world, std::move(basis));
  const int actions = world.actions();
  if (explores(config) && config.explorer.name == "always" && config.explorer.action >= actions)
    throw ConfigError{"explorer.action",
                      fmt::format("{} is no action; accepted: 0 to {}", config.explorer.action, actions - 1)};
  typename GenericCollector<World, Map>::Explorer explorer;
  if (config.explorer.name == "always")
    explorer = [action = static_cast<Action>(config.explorer.action)](const auto&, Rng&) { return action; };
  else if (config.explorer.name == "uniform" || config.explorer.name == "none" || !explores(config))
    explorer = [actions](const auto&, Rng& rng) {
      return static_cast<Action>(rng.below(static_cast<unsigned>(actions)));
    };
  else
    throw ConfigError{"explorer.name", fmt::format("\"{}\" needs finite states; accepted here: none, always, uniform",
                                                   config.explorer.name)};
  auto collector = std::make_unique<GenericCollector<World, Map>>(world, map, std::move(explorer), config.seed);
  Features start = features_at(map, collector->state(), actions);
  return std::make_unique<LinearRun>(config,
                                     make_loop(config, std::move(collector), schedule, 0, std::move(start), nullptr),
                                     std::move(warnings), "generic");
}

std::unique_ptr<Run> continuous_run(const Config& config) {
  if (config.algorithm.path == "compiled")
    throw ConfigError{"algorithm.path", "\"compiled\" needs finite states; accepted here: auto, generic"};
  const ContinuousWorld world = make_continuous(config.environment);
  std::vector<Range> ranges = observation_ranges(world);
  const FeaturesConfig& features = config.features;
  if (features.name != "tiles" && features.name != "fourier" && features.name != "auto")
    throw ConfigError{"features.name",
                      fmt::format("\"{}\" needs finite states; accepted here: auto, tiles, fourier", features.name)};
  return std::visit(
      [&](const auto& chosen) -> std::unique_ptr<Run> {
        if (features.name == "tiles")
          return continuous_run(config, chosen, Tiles(std::move(ranges), features.tilings, features.tiles));
        return continuous_run(config, chosen, Fourier(std::move(ranges), features.order));
      },
      world);
}

}  // namespace

std::unique_ptr<Run> make_run(const Config& config, const RunOptions& options) {
  if (is_neural(config)) return make_neural_run(config);
  return is_finite_environment(config.environment.name) ? finite_run(config, options) : continuous_run(config);
}

}  // namespace politex::lab
