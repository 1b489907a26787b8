#include "politex/run/neural_run.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numeric>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/base/output_file.hpp"
#include "politex/base/shared_directory.hpp"
#include "politex/base/unknown.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/network/safetensors.hpp"
#include "politex/neural/options.hpp"
#include "politex/process/external.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/parts.hpp"

namespace politex::inline run {
namespace {

/// The N of schedule.explore: the time limit, else the size of a finite environment.
int size_of(const Space& space) {
  if (space.time_limit > 0) return static_cast<int>(space.time_limit);
  return space.own_size > 0 ? space.own_size : 1000;
}

neural::Settings settings_of(const Config& config, const Fleet* fleet, const Space& space) {
  const auto options = config.read<neural::NeuralOptions>();
  neural::Settings settings = neural::settings_from(options, size_of(space), cores_for(fleet));
  settings.steps = config.steps;
  settings.seed = config.seed;
  if (!learner_of(config).sums_q) {
    settings.policy.kind = neural::PolicySettings::Kind::greedy;
    settings.policy.ring = 1;
  }
  // A thread that waits for another process needs no core: with two of them one emulates while the other computes.
  if (options.threads < 0 && settings.actors.threads == 1 && environment_of(config).external)
    settings.actors.threads = 2;
  return settings;
}

std::shared_ptr<const Explorer> explorer_for(const Config& config, const Space& space, const std::string& environment) {
  return learner_of(config).explores ? make_explorer(config, space, nullptr, environment) : nullptr;
}

/// Two blocks or more: one is stepped while the policy evaluates another; a learner step sees whole blocks. The first
/// block is made at once, because only it knows what the environments are like.
neural::BlockMaker external_blocks_of(const Config& config, const Fleet* fleet) {
  const int asked = config.read<ProcessesOptions>().processes;
  const int processes = asked > 0 ? asked : cores_for(fleet);
  const int together = environments_together(config);
  const auto make = [config, processes](int first, int count) {
    return std::shared_ptr<EnvironmentBlock>(environment_of(config).block(
        config.values, {.seed = config.seed, .first = first, .count = count, .processes = processes}));
  };
  const auto first = std::make_shared<std::shared_ptr<EnvironmentBlock>>(make(0, together));
  auto maker = neural::external_blocks((*first)->space(), together, [make, first](EnvironmentRange range) {
    auto made = std::exchange(*first, nullptr);
    return made && range.begin == 0 && made->count() == range.count() ? made : make(range.begin, range.count());
  });
  maker.keep = [make = maker.make](EnvironmentRange range) -> std::shared_ptr<EnvironmentBlock> {
    return neural::kept_block(*make(range), [count = range.count()](ByteReader& from, ByteWriter& to) {
      ProcessBlock::copy_saved(from, to, count);
    });
  };
  return maker;
}

/// Mean reward of episodes by the policy that played them.
struct Returns {
  double sum = 0.0;
  std::int64_t count = 0;
  void add(double reward) {
    sum += reward;
    ++count;
  }
  double mean() const { return count > 0 ? sum / static_cast<double>(count) : unknown; }
};

SegmentSummary segment(double cost, std::int64_t steps) {
  return {steps, steps > 0 ? cost / static_cast<double>(steps) : unknown};
}

}  // namespace

int environments_together(const Config& config) {
  if (!environment_of(config).external) return 1;
  const neural::Settings settings = config.read<neural::NeuralOptions>().settings;
  const int environments = settings.actors.environments;
  const int common = std::gcd(environments, settings.transitions_per_step);
  int together = std::max(1, std::min(common, environments / 2));
  while (common % together != 0) --together;
  return together;
}

neural::BlockMaker block_maker(const Config& config, const Fleet* fleet) {
  const EnvironmentEntry& environment = environment_of(config);
  if (environment.external) return external_blocks_of(config, fleet);
  if (environment.model != nullptr)
    return neural::blocks_of(TableEnvironment(environment.model(config.values)), config.seed);
  return {.space = environment.space(config.values),
          .make = [config](EnvironmentRange range) -> std::shared_ptr<EnvironmentBlock> {
            return environment_of(config).block(config.values,
                                                {.seed = config.seed, .first = range.begin, .count = range.count()});
          }};
}

NeuralRun::NeuralRun(const Config& config, const neural::BlockMaker& maker, Fleet* fleet,
                     std::shared_ptr<const Explorer> explorer, std::string environment)
    : config_(config),
      environment_(environment.empty() ? config.text("environment.name") : std::move(environment)),
      maker_(maker),
      agent_(settings_of(config, fleet, maker.space), maker,
             explorer ? std::move(explorer) : explorer_for(config, maker.space, environment_), fleet) {}

void NeuralRun::extend(std::int64_t steps) {
  config_.steps = steps;
  agent_.extend(steps);
}

void NeuralRun::advance() {
  if (row_due()) {  // a new row begins
    episodes_recorded_ = agent_.episodes().size();
    cost_recorded_ = agent_.costs().all;
    steps_recorded_ = agent_.steps_done();
  }
  agent_.advance();
  if (!row_due()) return;
  Returns learned, explorer;
  for (std::size_t i = episodes_recorded_; i < agent_.episodes().size(); ++i) {
    const neural::Episode& episode = agent_.episodes()[i];
    if (episode.by == neural::Episode::Player::policy) learned.add(episode.reward);
    if (episode.by == neural::Episode::Player::explorer) explorer.add(episode.reward);
  }
  const auto steps = static_cast<double>(agent_.steps_done());
  const auto means = agent_.learner().take_means();
  row_ = {static_cast<double>(agent_.phase_ended() ? agent_.phase() - 1 : agent_.phase()),
          steps,
          average_cost(),
          (agent_.costs().all - cost_recorded_) / (steps - static_cast<double>(steps_recorded_)),
          static_cast<double>(agent_.learner_steps()),
          learned.mean(),
          explorer.mean(),
          means.loss,
          means.value};
}

double NeuralRun::average_cost() const { return agent_.costs().mean(); }

std::vector<std::string> NeuralRun::columns() const {
  return {"learner_steps", "learned_return", "explorer_return", "loss", "value"};
}

void NeuralRun::row(std::vector<double>& into) const { into = row_; }

std::string NeuralRun::policy_file() const {
  return to_safetensors(
      agent_.learner().network(),
      {{"format", "politex network 1"},
       {"environment", environment_},
       {"algorithm", config_.text("algorithm.name")},
       {"seed", fmt::format("{}", config_.seed)},
       {"steps", fmt::format("{}", agent_.steps_done())},
       {"epsilon", fmt::format("{}", config_.read<neural::NeuralOptions>().settings.policy.epsilon)}});
}

std::string NeuralRun::episodes_csv() const {
  constexpr std::array names{"policy", "explorer", "both"};
  std::string text = "step,by,reward\n";
  for (const neural::Episode& episode : agent_.episodes())
    text += fmt::format("{},{},{}\n", episode.step, names.at(static_cast<std::size_t>(episode.by)), episode.reward);
  return text;
}

std::string NeuralRun::sample_episode_csv() const {
  // The run's own logical environments have the indices below this one.
  const auto index = config_.read<neural::NeuralOptions>().settings.actors.environments;
  const Space& space = maker_.space;
  const auto block = maker_.make({index, index + 1});
  Rng choose(config_.seed, Use::action, static_cast<std::uint64_t>(index));
  neural::RingPolicy::Workspace workspace;
  const neural::Observation input = neural::input_of(space);
  std::vector<float> seen(static_cast<std::size_t>(input.inputs));
  std::vector<float> policy(static_cast<std::size_t>(space.actions));
  std::string text = "step,action,reward";
  for (std::size_t i = 0; i < seen.size(); ++i) text += fmt::format(",observation_{}", i);
  text += '\n';
  constexpr std::int64_t without_clock = 1000, longest = 10'000;
  const std::int64_t steps = space.time_limit > 0 ? std::min(space.time_limit, longest) : without_clock;
  for (std::int64_t step = 0; step < steps; ++step) {
    block->observe(0, std::span(seen).first(space.numbers()));
    neural::prepare_input(space, seen);
    agent_.policy().evaluate(seen.data(), 1, policy.data(), workspace);
    const Action action = neural::pick(policy.data(), space.actions, choose.uniform());
    StepResult moved;
    block->step(0, {&action, 1}, {&moved, 1});
    text += fmt::format("{},{},{}", step, action, 0.0 + moved.score);
    for (const float value : seen) text += fmt::format(",{}", value);
    text += '\n';
    if (moved.truncated || moved.terminated) break;
  }
  return text;
}

void NeuralRun::write_files(const std::filesystem::path& directory) const {
  write_atomically(directory / "network.safetensors", policy_file());
  if (!agent_.saves_environments())
    write_atomically(
        directory / "environments-not-saved.txt",
        "The environments of this run cannot be saved. A resumed run has the networks, the replay and the "
        "counts, but continues from new starts of the environments: the result is valid, with other bits.\n");
  if (!done()) return;
  write_atomically(directory / "episodes.csv", episodes_csv());
  constexpr int numbers_of_a_table = 1000;  // pictures do not fit a table
  if (maker_.spare && neural::input_of(maker_.space).inputs <= numbers_of_a_table)
    write_atomically(directory / "sample_episode.csv", sample_episode_csv());
}

void NeuralRun::save(ByteWriter& to) const {
  agent_.save(to);
  to.put(row_);
  to.put(static_cast<std::uint64_t>(episodes_recorded_));
  to.put(cost_recorded_);
  to.put(steps_recorded_);
}

void NeuralRun::restore(ByteReader& from) {
  agent_.restore(from);
  get_row(from, row_, *this);
  std::uint64_t recorded = 0;
  from.get_within(recorded, 0, agent_.episodes().size(), "episodes");
  episodes_recorded_ = static_cast<std::size_t>(recorded);
  from.get_finite(cost_recorded_, "costs");
  from.get_count(steps_recorded_, "steps");
}

Summary NeuralRun::summary() {
  const auto& costs = agent_.costs();
  const std::int64_t tenth = (config_.steps + 9) / 10;
  Summary summary;
  summary.steps = agent_.steps_done();
  summary.seed = config_.seed;
  summary.environment = environment_;
  summary.algorithm = config_.text("algorithm.name");
  summary.average_cost = average_cost();
  summary.average_cost_last_tenth = costs.last_tenth / static_cast<double>(costs.last_tenth_steps);
  summary.explorer = segment(costs.explorer, costs.explorer_steps);
  summary.probe = segment(0.0, 0);
  summary.target = segment(costs.policy, costs.policy_steps);
  summary.phases = agent_.phase() - (agent_.phase_ended() ? 1 : 0);
  summary.signature = agent_.signature();
  summary.path = "generic";
  if (agent_.phase() == 1)
    summary.warnings.push_back(
        fmt::format("no phase ended within {} steps: the policy is still uniformly random; a longer run or shorter "
                    "phases (schedule.phase_scale) would improve it",
                    agent_.steps_done()));
  const bool estimates_gain =
      config_.read<neural::NeuralOptions>().settings.learner.mode != neural::LearnerSettings::Mode::discounted;
  Returns learned, late, explorer;
  for (const neural::Episode& episode : agent_.episodes()) {
    if (episode.by == neural::Episode::Player::explorer) explorer.add(episode.reward);
    if (episode.by != neural::Episode::Player::policy) continue;
    learned.add(episode.reward);
    if (episode.step > config_.steps - tenth) late.add(episode.reward);
  }
  summary.neural = NeuralSummary{.learned_return = learned.mean(),
                                 .learned_return_last_tenth = late.mean(),
                                 .explorer_return = explorer.mean(),
                                 .learned_episodes = learned.count,
                                 .explorer_episodes = explorer.count,
                                 .learner_steps = agent_.learner_steps(),
                                 .gain = estimates_gain ? agent_.gain() : unknown};
  return summary;
}

std::unique_ptr<Run> make_neural_run(const Config& config, const RunOptions& options, RunParts parts) {
  if (parts.block) {
    const std::string name = environment_name(config, parts);
    const auto maker = neural::external_blocks(std::shared_ptr<EnvironmentBlock>(std::move(parts.block)));
    return std::make_unique<NeuralRun>(config, maker, options.fleet, parts.explorer, name);
  }
  if (parts.model) {
    const std::string name = parts.model->name;
    const auto maker = neural::blocks_of(TableEnvironment(std::move(*parts.model)), config.seed);
    return std::make_unique<NeuralRun>(config, maker, options.fleet, parts.explorer, name);
  }
  return std::make_unique<NeuralRun>(config, block_maker(config, options.fleet), options.fleet, parts.explorer);
}

std::unique_ptr<neural::ActingRank> make_acting_rank(const Config& config, Fleet& fleet) {
  const neural::BlockMaker maker = block_maker(config, &fleet);
  return std::make_unique<neural::ActingRank>(fleet, settings_of(config, &fleet, maker.space), maker,
                                              explorer_for(config, maker.space, config.text("environment.name")));
}

}  // namespace politex::inline run
