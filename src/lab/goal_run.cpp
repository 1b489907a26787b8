#include "politex/lab/goal_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "politex/base/error.hpp"
#include "politex/base/unknown.hpp"
#include "politex/lab/output_file.hpp"
#include "politex/lab/pool.hpp"
#include "politex/lab/process_environment.hpp"

namespace politex::lab {

namespace {

constexpr std::int64_t rounds_a_row = 100;

neural::GoalSettings goal_settings(const Config& config) {
  return {.map = {.x = static_cast<int>(config.goal.x),
                  .y = static_cast<int>(config.goal.y),
                  .cell = static_cast<int>(config.goal.cell)},
          .limit = config.goal.limit,
          .discount = config.goal.discount,
          .replays = static_cast<int>(config.goal.replays),
          .epsilon = config.algorithm.epsilon};
}

}  // namespace

GoalRun::GoalRun(const Config& config, Maker maker)
    : config_(config),
      maker_(std::move(maker)),
      trainer_(goal_settings(config), maker_(0, static_cast<int>(config.actors.environments)), config.seed) {}

void GoalRun::advance() {
  const neural::GoalTrainer::Tally before = trainer_.tally();
  const std::int64_t begin = trainer_.steps();
  for (std::int64_t round = 0; round < rounds_a_row && !done(); ++round) {
    trainer_.round();
    if (trainer_.steps() <= config_.steps - (config_.steps + 9) / 10) cost_before_last_tenth_ = trainer_.tally().cost;
  }
  const neural::GoalTrainer::Tally& now = trainer_.tally();
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
  from.get(row_);
  from.get(rows_);
  from.get(cost_before_last_tenth_);
}

neural::GoalPolicy GoalRun::policy() const {
  return {config_.environment.name, trainer_.settled(), config_.goal.limit};
}

std::string GoalRun::policy_file() const { return policy().text(); }

Summary GoalRun::summary() {
  Summary summary;
  summary.steps = trainer_.steps();
  summary.seed = config_.seed;
  summary.environment = config_.environment.name;
  summary.algorithm = config_.algorithm.name;
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
  // Few of them: games have to end to be counted.
  const auto environments = static_cast<int>(std::min<std::int64_t>(config_.actors.environments, 4));
  const auto trained_in = static_cast<int>(config_.actors.environments);
  const std::int64_t rounds = config_.goal.measure / environments;
  const neural::GoalPolicy learned = policy();
  const int actions = trainer_.table().actions();
  constexpr double rarely = 0.02, change = 0.1;
  const auto measure = [&](const char* name, const neural::Explorer& explorer) {
    // The same fresh environments for every policy.
    const auto block = maker_(trained_in, environments);
    const neural::GoalMeasure played = neural::measure_goals(*block, explorer, learned, rounds, config_.seed);
    goals.measured.push_back({.policy = name,
                              .goals = played.goals,
                              .reached = static_cast<double>(played.reached) / static_cast<double>(played.goals),
                              .games = played.games,
                              .cells_a_game = played.cells_a_game,
                              .score_a_game = played.score_a_game});
  };
  if (rounds > 0 && done()) {
    measure("goals", neural::GoalExplorer(learned, rarely));
    measure("uniform", neural::UniformExplorer(actions));
    measure("sticky", neural::StickyExplorer(actions, change));
  }
  summary.goals = std::move(goals);
  return summary;
}

std::unique_ptr<GoalRun> make_goal_run(const Config& config) {
  if (!is_process_environment(config.environment.name))
    throw ConfigError{
        "environment.name",
        fmt::format("\"{}\" has no map to drive on; algorithm goals is for environments in other processes "
                    "that show a position: atari, gymnasium, process",
                    config.environment.name)};
  const int processes = config.actors.processes > 0 ? static_cast<int>(config.actors.processes) : resolve_jobs(0);
  return std::make_unique<GoalRun>(config, [config, processes](int first, int count) {
    return make_process_block(config.environment, config.seed, first, count, processes);
  });
}

}  // namespace politex::lab
