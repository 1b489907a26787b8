#include "politex/run/goal_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "politex/base/error.hpp"
#include "politex/base/output_file.hpp"
#include "politex/base/pool.hpp"
#include "politex/base/unknown.hpp"
#include "politex/policy/sticky.hpp"
#include "politex/policy/uniform.hpp"
#include "politex/process/external.hpp"
#include "politex/run/catalogue.hpp"

namespace politex::inline run {

namespace {

constexpr std::int64_t rounds_a_row = 100;

Keys goal_keys() {
  using O = GoalOptions;
  return {
      key<[](O& o) -> auto& { return o.settings.epsilon; }>("algorithm.epsilon",
                                                            "probability of a uniformly random action", number(0, 1)),
      key<&O::environments>("actors.environments",
                            "logical environments, stepped round-robin: part of the configuration", whole(1, 4096)),
      key<[](O& o) -> auto& { return o.settings.map.x; }>(
          "goal.x", "which number of the observation is the column of the position, a byte", whole(0, 1'000'000)),
      key<[](O& o) -> auto& { return o.settings.map.y; }>("goal.y", "which number is its row", whole(0, 1'000'000)),
      key<[](O& o) -> auto& { return o.settings.map.cell; }>("goal.cell", "side of a goal's square, in positions",
                                                             whole(1, 64)),
      key<[](O& o) -> auto& { return o.settings.limit; }>("goal.limit", "steps in which a goal must be reached",
                                                          whole(1, 1'000'000)),
      key<[](O& o) -> auto& { return o.settings.discount; }>(
          "goal.discount", "discount per step of the probability to arrive", number_above(0, 1)),
      key<[](O& o) -> auto& { return o.settings.replays; }>(
          "goal.replays", "stored transitions that every step learns from again", whole(0, 1000)),
      key<&O::measure>("goal.measure",
                       "steps for which the policy and random ones are measured at the end; 0: not measured",
                       whole(0, 1'000'000'000)),
  };
}

}  // namespace

GoalRun::GoalRun(const Config& config, Maker maker)
    : config_(config),
      maker_(std::move(maker)),
      options_(config.read<GoalOptions>()),
      trainer_(options_.settings, maker_(0, options_.environments), config.seed) {}

void GoalRun::advance() {
  const GoalTrainer::Tally before = trainer_.tally();
  const std::int64_t begin = trainer_.steps();
  for (std::int64_t round = 0; round < rounds_a_row && !done(); ++round) {
    trainer_.round();
    if (trainer_.steps() <= config_.steps - (config_.steps + 9) / 10) cost_before_last_tenth_ = trainer_.tally().cost;
  }
  const GoalTrainer::Tally& now = trainer_.tally();
  const std::int64_t drawn = now.drawn - before.drawn;
  row_ = {static_cast<double>(++rows_),
          static_cast<double>(trainer_.steps()),
          average_cost(),
          (now.cost - before.cost) / static_cast<double>(trainer_.steps() - begin),
          drawn > 0 ? static_cast<double>(now.reached - before.reached) / static_cast<double>(drawn) : unknown,
          static_cast<double>(trainer_.table().places()),
          static_cast<double>(trainer_.table().goals())};
}

double GoalRun::average_cost() const { return trainer_.tally().cost / static_cast<double>(trainer_.steps()); }

void GoalRun::save(ByteWriter& to) const {
  trainer_.save(to);
  to.put(row_);
  to.put(rows_);
  to.put(cost_before_last_tenth_);
}

void GoalRun::write_files(const std::filesystem::path& directory) const {
  if (done()) write_atomically(directory / "explorer.policy", policy_file());
}

void GoalRun::restore(ByteReader& from) {
  trainer_.restore(from);
  get_row(from, row_, *this);
  from.get_count(rows_, "rows");
  from.get_finite(cost_before_last_tenth_, "costs");
}

GoalPolicy GoalRun::policy() const {
  return {config_.text("environment.name"), trainer_.settled(), options_.settings.limit};
}

std::string GoalRun::policy_file() const { return policy().text(); }

Summary GoalRun::summary() {
  Summary summary;
  summary.steps = trainer_.steps();
  summary.seed = config_.seed;
  summary.environment = config_.text("environment.name");
  summary.algorithm = config_.text("algorithm.name");
  summary.average_cost = average_cost();
  const std::int64_t tenth = (config_.steps + 9) / 10;
  summary.average_cost_last_tenth = (trainer_.tally().cost - cost_before_last_tenth_) / static_cast<double>(tenth);
  summary.explorer = {trainer_.steps(), average_cost()};
  summary.probe = summary.target = {0, unknown};
  summary.phases = rows_;
  summary.path = "generic";
  ByteWriter bits;
  trainer_.table().save(bits);
  Signature signature;
  signature.add(std::span<const std::byte>(bits.bytes()));
  summary.signature = signature.text();
  GoalSummary goals{.places = trainer_.table().places(), .cells = trainer_.table().goals(), .measured = {}};
  // Few environments, because only games that end are counted.
  const int environments = std::min(options_.environments, 4);
  const int trained_in = options_.environments;
  const std::int64_t rounds = options_.measure / environments;
  const GoalPolicy learned = policy();
  const int actions = trainer_.table().actions();
  constexpr double rarely = 0.02, change = 0.1;
  const auto measure = [&](std::string_view name, const Explorer& explorer) {
    // The same fresh environments for every policy.
    const auto block = maker_(trained_in, environments);
    const GoalMeasure played = measure_goals(*block, explorer, learned, rounds, config_.seed);
    goals.measured.push_back({.policy = std::string(name),
                              .goals = played.goals,
                              .reached = static_cast<double>(played.reached) / static_cast<double>(played.goals),
                              .games = played.games,
                              .cells_a_game = played.cells_a_game,
                              .score_a_game = played.score_a_game});
  };
  if (rounds > 0 && done()) {
    measure(goals_entry().name, GoalExplorer(learned, rarely));
    measure(uniform_entry().name, UniformExplorer(actions));
    measure(sticky_entry().name, StickyExplorer(actions, change));
  }
  summary.goals = std::move(goals);
  return summary;
}

std::unique_ptr<Run> make_goal_run(const Config& config, const RunOptions& /*options*/, RunParts /*parts*/) {
  const EnvironmentEntry& environment = environment_of(config);
  if (!environment.external)
    throw ConfigError{
        "environment.name",
        fmt::format("\"{}\" exposes no position; `{}` needs x and y in the observation; accepted: {}", environment.name,
                    goals_entry().name, environments_where([](const EnvironmentEntry& one) { return one.external; }))};
  const int asked = config.read<ProcessesOptions>().processes;
  const int processes = asked > 0 ? asked : resolve_jobs(0);
  return std::make_unique<GoalRun>(config, [&environment, config, processes](int first, int count) {
    return environment.block(config.values,
                             {.seed = config.seed, .first = first, .count = count, .processes = processes});
  });
}

const LearnerEntry& goals_entry() {
  static const LearnerEntry entry{.name = "goals",
                                  .help =
                                      "goal-conditioned tabular Q-learning with hindsight relabelling: trains "
                                      "exploration policies (politex explore)",
                                  .keys = goal_keys(),
                                  .trains_explorer = true};
  return entry;
}

}  // namespace politex::inline run
