#include "politex/lab/neural_run.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/base/unknown.hpp"
#include "politex/lab/catalogue.hpp"
#include "politex/lab/output_file.hpp"
#include "politex/lab/process_environment.hpp"
#include "politex/lab/shared_directory.hpp"
#include "politex/neural/goals.hpp"
#include "politex/neural/safetensors.hpp"

namespace politex::lab {
namespace {

std::int64_t episode_of(const Config& config) {
  if (config.environment.episode > 0) return config.environment.episode;
  return config.environment.name == "cartpole" ? 1000 : config.environment.name == "mountain_car" ? 200 : 500;
}

neural::Settings settings_of(const Config& config, const Fleet* fleet, std::int64_t episode) {
  using namespace neural;
  Settings s;
  s.steps = config.steps;
  s.seed = config.seed;
  s.hidden.assign(static_cast<std::size_t>(config.network.layers), static_cast<int>(config.network.hidden));
  s.nature = config.network.kind == "nature";
  s.replay = config.replay.capacity;
  s.n_step = static_cast<int>(config.learner.n_step);
  s.n_step_explorer = static_cast<int>(config.learner.n_step_explorer);
  using Transform = Settings::Transform;
  const std::string& transform = config.learner.transform;
  s.transform = transform == "root" ? Transform::root : transform == "sign" ? Transform::sign : Transform::none;
  s.cost_scale = config.learner.cost_scale;
  s.transitions_per_step = static_cast<int>(config.actors.transitions_per_step);
  s.phase_scale = config.schedule.phase_scale;
  s.phase_steps = config.schedule.phase_steps;
  s.follow_scale = config.schedule.follow_scale;
  LearnerSettings& learner = s.learner;
  learner.batch = static_cast<int>(config.learner.batch);
  learner.target = config.learner.target == "max"     ? LearnerSettings::Target::max
                   : config.learner.target == "sarsa" ? LearnerSettings::Target::sarsa
                                                      : LearnerSettings::Target::expected_sarsa;
  learner.double_q = config.learner.double_q;
  learner.mode =
      config.learner.mode == "differential" ? LearnerSettings::Mode::differential : LearnerSettings::Mode::discounted;
  learner.discount = config.learner.discount;
  learner.gain_rate = config.learner.gain_rate;
  learner.target_copy = config.learner.target_copy;
  learner.adam.rate = config.learner.rate;
  learner.adam.epsilon = config.learner.adam_epsilon;
  learner.adam.clip = config.learner.clip;
  learner.prioritised = config.replay.kind == "prioritised";
  learner.priority_exponent = config.replay.priority_exponent;
  learner.importance_exponent = config.replay.importance_exponent;
  s.policy.combine =
      config.policy.combine == "average" ? PolicySettings::Combine::average : PolicySettings::Combine::sum;
  s.policy.step_norm =
      config.policy.step_norm == "plain" ? PolicySettings::StepNorm::plain : PolicySettings::StepNorm::weighted;
  s.policy.alpha = config.policy.alpha;
  s.policy.ring = static_cast<int>(config.policy.ring);
  if (config.algorithm.name == "dqn") {
    s.policy.kind = PolicySettings::Kind::greedy;
    s.policy.epsilon = config.algorithm.epsilon;
    s.policy.ring = 1;
  }
  s.actors.environments = static_cast<int>(config.actors.environments);
  s.actors.threads = config.actors.threads >= 0 ? static_cast<int>(config.actors.threads) : cores_for(fleet) - 1;
  // A thread that waits for another process needs no core: with two of them one emulates while the other thinks.
  if (config.actors.threads < 0 && s.actors.threads == 1 && is_process_environment(config.environment.name))
    s.actors.threads = 2;
  s.actors.whole_episodes = config.schedule.whole_episodes;
  s.actors.explore = config.schedule.explore.resolve(static_cast<int>(episode > 0 ? episode : 1000));
  return s;
}

std::shared_ptr<const neural::Explorer> goal_explorer(const std::string& key, const std::string& text,
                                                      const Config& config, const neural::WorldSpace& world) {
  neural::GoalPolicy policy = neural::GoalPolicy::read(key, text);
  if (policy.environment != config.environment.name)
    throw ConfigError{
        key, fmt::format("is an explorer of \"{}\"; accepted: one of {}", policy.environment, config.environment.name)};
  if (policy.actions != world.actions || std::max(policy.map.x, policy.map.y) >= world.inputs)
    throw ConfigError{
        key, fmt::format("has {} actions and looks at number {} of an observation; accepted: {} and up to "
                         "{}",
                         policy.actions, std::max(policy.map.x, policy.map.y), world.actions, world.inputs - 1)};
  constexpr double random_actions = 0.02;
  return std::make_shared<neural::GoalExplorer>(std::move(policy), random_actions, world.bytes ? 255.0F : 1.0F);
}

std::shared_ptr<const neural::Explorer> file_explorer(const Config& config, const neural::WorldSpace& world) {
  const std::string key = "explorer.file";
  if (config.explorer.file.empty()) throw ConfigError{key, "is missing; accepted: a file that politex explore wrote"};
  const std::string bytes = read_file(key, config.explorer.file);
  if (neural::is_goal_policy(bytes)) return goal_explorer(key, bytes, config, world);
  const auto file = neural::from_safetensors(key, bytes);
  const auto told = [&](const char* name) {
    const auto it = file.metadata.find(name);
    return it == file.metadata.end() ? std::string() : it->second;
  };
  if (told("environment") != config.environment.name)
    throw ConfigError{key, fmt::format("is an explorer of \"{}\"; accepted: one of {}", told("environment"),
                                       config.environment.name)};
  if (file.network.shape().inputs != world.inputs || file.network.shape().actions != world.actions)
    throw ConfigError{
        key, fmt::format("is a network of {} inputs and {} actions; accepted: {} and {}", file.network.shape().inputs,
                         file.network.shape().actions, world.inputs, world.actions)};
  if (const neural::Picture& picture = file.network.shape().picture; picture.channels > 0 && picture != world.picture)
    throw ConfigError{key, fmt::format("is a network for pictures of {} x {} x {}; accepted: {} x {} x {}",
                                       picture.channels, picture.height, picture.width, world.picture.channels,
                                       world.picture.height, world.picture.width)};
  const std::string text = told("epsilon");
  double epsilon = 0.05;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), epsilon);
  if (problem != std::errc() || end != text.data() + text.size() || !(epsilon >= 0 && epsilon <= 1))
    throw ConfigError{key, fmt::format("tells \"{}\" as its share of random actions; accepted: 0 to 1", text)};
  return std::make_shared<neural::NetworkExplorer>(file.network, epsilon);
}

std::shared_ptr<const neural::Explorer> make_neural_explorer(const Config& config, const neural::WorldSpace& world) {
  if (config.algorithm.name != "neural_ee_politex" || config.explorer.name == "none") return nullptr;
  const std::string& name = config.explorer.name;
  if (name == "uniform") return std::make_shared<neural::UniformExplorer>(world.actions);
  if (name == "sticky") return std::make_shared<neural::StickyExplorer>(world.actions, 0.1);
  if (name == "energy_pump") return std::make_shared<neural::EnergyPump>();
  if (name == "file") return file_explorer(config, world);
  if (name == "always") {
    if (config.explorer.action >= world.actions)
      throw ConfigError{"explorer.action",
                        fmt::format("{} is no action of {}; accepted: 0 to {}", config.explorer.action,
                                    config.environment.name, world.actions - 1)};
    return std::make_shared<neural::AlwaysExplorer>(static_cast<Action>(config.explorer.action));
  }
  throw ConfigError{"explorer.name", fmt::format("\"{}\" needs a finite environment; accepted here: none, always, "
                                                 "uniform, sticky, energy_pump, file",
                                                 name)};
}

/// Two blocks or more: one is played while the policy looks at another; a learner step sees whole blocks. The first
/// stands before anybody asks for it, because only it knows what the environments are like.
neural::BlockMaker process_blocks(const Config& config, const Fleet* fleet) {
  if (config.network.kind == "nature" && config.environment.name == "atari" && config.environment.observation == "ram")
    throw ConfigError{"network.kind",
                      "\"nature\" needs pictures, and this game shows its memory; accepted: "
                      "environment.observation=pixels with it, or network.kind=mlp"};
  const auto processes = config.actors.processes > 0 ? static_cast<int>(config.actors.processes) : cores_for(fleet);
  const int together = environments_together(config);
  const auto make = [environment = config.environment, seed = config.seed, processes](int first, int count) {
    return std::shared_ptr<OutsideBlock>(make_process_block(environment, seed, first, count, processes));
  };
  const auto first = std::make_shared<std::shared_ptr<OutsideBlock>>(make(0, together));
  auto maker = neural::outside_blocks((*first)->space(), together, [make, first](neural::EnvironmentRange range) {
    auto made = std::exchange(*first, nullptr);
    const int count = range.end - range.begin;
    return made && range.begin == 0 && made->count() == count ? made : make(range.begin, count);
  });
  maker.keep = [make = maker.make](neural::EnvironmentRange range) {
    return neural::kept_worlds(*make(range), [count = range.end - range.begin](ByteReader& from, ByteWriter& to) {
      ProcessBlock::copy_saved(from, to, count);
    });
  };
  return maker;
}

/// Mean reward of episodes, by who played them.
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

bool is_neural(const Config& config) {
  const std::string& name = config.algorithm.name;
  return name == "neural_politex" || name == "neural_ee_politex" || name == "dqn";
}

int environments_together(const Config& config) {
  if (!is_process_environment(config.environment.name)) return 1;
  const auto environments = static_cast<int>(config.actors.environments);
  const auto common = std::gcd(environments, static_cast<int>(config.actors.transitions_per_step));
  int together = std::max(1, std::min(common, environments / 2));
  while (common % together != 0) --together;
  return together;
}

neural::BlockMaker block_maker(const Config& config, const Fleet* fleet) {
  if (is_process_environment(config.environment.name)) return process_blocks(config, fleet);
  return std::visit([&]<class E>(const E& rules) { return neural::blocks_of(rules, episode_of(config), config.seed); },
                    make_continuous(config.environment));
}

NeuralRun::NeuralRun(const Config& config, Fleet* fleet) : NeuralRun(config, block_maker(config, fleet), fleet) {}

NeuralRun::NeuralRun(const Config& config, const neural::BlockMaker& maker, Fleet* fleet,
                     std::shared_ptr<const neural::Explorer> explorer)
    : config_(config),
      maker_(maker),
      agent_(settings_of(config, fleet, maker.space.episode), maker,
             explorer ? std::move(explorer) : make_neural_explorer(config, maker.space), fleet) {}

void NeuralRun::extend(std::int64_t steps) {
  config_.steps = steps;
  agent_.extend(steps);
}

void NeuralRun::advance() {
  if (row_due()) {  // a new row begins
    episodes_told_ = agent_.episodes().size();
    cost_told_ = agent_.costs().all;
    steps_told_ = agent_.steps_done();
  }
  agent_.advance();
  if (!row_due()) return;
  Returns learned, explorer;
  for (std::size_t i = episodes_told_; i < agent_.episodes().size(); ++i) {
    const neural::Episode& episode = agent_.episodes()[i];
    if (episode.by == neural::Episode::By::policy) learned.add(episode.reward);
    if (episode.by == neural::Episode::By::explorer) explorer.add(episode.reward);
  }
  const auto steps = static_cast<double>(agent_.steps_done());
  const auto means = agent_.learner().take_means();
  row_ = {static_cast<double>(agent_.phase_ended() ? agent_.phase() - 1 : agent_.phase()),
          steps,
          average_cost(),
          (agent_.costs().all - cost_told_) / (steps - static_cast<double>(steps_told_)),
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
  return neural::to_safetensors(agent_.learner().network(),
                                {{"format", "politex network 1"},
                                 {"environment", config_.environment.name},
                                 {"algorithm", config_.algorithm.name},
                                 {"seed", fmt::format("{}", config_.seed)},
                                 {"steps", fmt::format("{}", agent_.steps_done())},
                                 {"epsilon", fmt::format("{}", config_.algorithm.epsilon)}});
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
  const auto index = static_cast<int>(config_.actors.environments);
  const neural::WorldSpace& space = maker_.space;
  const auto world = maker_.make({index, index + 1});
  Rng choose(config_.seed, Use::action, static_cast<std::uint64_t>(index));
  neural::RingPolicy::Workspace room;
  std::vector<float> seen(static_cast<std::size_t>(space.inputs));
  std::vector<float> policy(static_cast<std::size_t>(space.actions));
  std::string text = "step,action,reward";
  for (std::size_t i = 0; i < seen.size(); ++i) text += fmt::format(",observation_{}", i);
  text += '\n';
  constexpr std::int64_t without_clock = 1000, longest = 10'000;
  const std::int64_t steps = space.episode > 0 ? std::min(space.episode, longest) : without_clock;
  for (std::int64_t step = 0; step < steps; ++step) {
    world->observe(0, seen);
    agent_.policy().evaluate(seen.data(), 1, policy.data(), room);
    const Action action = neural::pick(policy.data(), space.actions, choose.uniform());
    OutsideStep moved;
    world->step(0, {&action, 1}, {&moved, 1});
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
    write_atomically(directory / "environments-not-saved.txt",
                     "The environments of this run cannot be saved. A resumed run has the networks, the replay and the "
                     "counts, but goes on from new starts of the environments: it is a good run, not the same bits.\n");
  if (!done()) return;
  write_atomically(directory / "episodes.csv", episodes_csv());
  constexpr int numbers_of_a_table = 1000;  // pictures are no table
  if (maker_.spare && maker_.space.inputs <= numbers_of_a_table)
    write_atomically(directory / "sample_episode.csv", sample_episode_csv());
}

void NeuralRun::save(ByteWriter& to) const {
  agent_.save(to);
  to.put(row_);
  to.put(static_cast<std::uint64_t>(episodes_told_));
  to.put(cost_told_);
  to.put(steps_told_);
}

void NeuralRun::restore(ByteReader& from) {
  agent_.restore(from);
  from.get(row_);
  episodes_told_ = static_cast<std::size_t>(from.get<std::uint64_t>());
  from.get(cost_told_);
  from.get(steps_told_);
}

Summary NeuralRun::summary() {
  const auto& costs = agent_.costs();
  const std::int64_t tenth = (config_.steps + 9) / 10;
  Summary summary;
  summary.steps = agent_.steps_done();
  summary.seed = config_.seed;
  summary.environment = config_.environment.name;
  summary.algorithm = config_.algorithm.name;
  summary.average_cost = average_cost();
  summary.average_cost_last_tenth = costs.last_tenth / static_cast<double>(costs.last_tenth_steps);
  summary.explorer = segment(costs.explorer, costs.explorer_steps);
  summary.probe = segment(0.0, 0);
  summary.target = segment(costs.policy, costs.policy_steps);
  summary.phases = agent_.phase() - (agent_.phase_ended() ? 1 : 0);
  summary.signature = agent_.signature();
  summary.path = "generic";
  Returns learned, late, explorer;
  for (const neural::Episode& episode : agent_.episodes()) {
    if (episode.by == neural::Episode::By::explorer) explorer.add(episode.reward);
    if (episode.by != neural::Episode::By::policy) continue;
    learned.add(episode.reward);
    if (episode.step > config_.steps - tenth) late.add(episode.reward);
  }
  summary.neural = NeuralSummary{.learned_return = learned.mean(),
                                 .learned_return_last_tenth = late.mean(),
                                 .explorer_return = explorer.mean(),
                                 .learned_episodes = learned.count,
                                 .explorer_episodes = explorer.count,
                                 .learner_steps = agent_.learner_steps(),
                                 .gain = config_.learner.mode == "differential" ? agent_.gain() : unknown};
  return summary;
}

std::unique_ptr<Run> make_neural_run(const Config& config, Fleet* fleet) {
  return std::make_unique<NeuralRun>(config, fleet);
}

std::unique_ptr<neural::ActingRank> make_acting_rank(const Config& config, Fleet& fleet) {
  const neural::BlockMaker maker = block_maker(config, &fleet);
  return std::make_unique<neural::ActingRank>(fleet, settings_of(config, &fleet, maker.space.episode), maker,
                                              make_neural_explorer(config, maker.space));
}

}  // namespace politex::lab
