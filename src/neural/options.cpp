#include "politex/neural/options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "politex/base/error.hpp"
#include "politex/neural/phase_plan.hpp"

namespace politex::neural {
namespace {

using O = NeuralOptions;

Keys network_keys() {
  return {key<&O::network>(
              "network.kind", "the layers before the dueling head",
              word({{"mlp", "hidden layers"}, {"nature", "three convolutions, then hidden layers: for pictures"}})),
          key<&O::hidden>("network.hidden", "units of a hidden layer", whole(1, 65536)),
          key<&O::layers>("network.layers", "hidden layers", whole(1, 8))};
}

Keys replay_keys() {
  const When prioritised{"replay.kind", {"prioritised"}};
  return {key<[](O& o) -> auto& { return o.settings.replay; }>("replay.capacity", "windows kept", whole(1, 4294967295)),
          key<&O::replay>("replay.kind", "how minibatches are drawn",
                          word({{"uniform", "every window with equal probability"},
                                {"prioritised", "by temporal difference, with importance weights"}})),
          key<[](O& o) -> auto& { return o.settings.learner.priority_exponent; }>(
              "replay.priority_exponent", "how strongly priorities count; 0: uniform", number(0, 1))
              .only_where(prioritised),
          key<[](O& o) -> auto& { return o.settings.learner.importance_exponent; }>(
              "replay.importance_exponent", "how much of the sampling is corrected; 1: all of it", number(0, 1))
              .only_where(prioritised)};
}

Keys learner_keys() {
  return {
      key<[](O& o) -> auto& { return o.settings.learner.target; }>(
          "learner.target", "what a window bootstraps from",
          word({{"expected_sarsa", "the expected Q under the phase's policy"},
                {"sarsa", "the Q of the action taken"},
                {"max", "the best Q"}})),
      key<[](O& o) -> auto& { return o.settings.learner.double_q; }>(
          "learner.double_q", "the online network chooses the best action, the target network values it", flag())
          .only_where({"learner.target", {"max"}}),
      key<[](O& o) -> auto& { return o.settings.learner.mode; }>(
          "learner.mode", "discounted costs, or costs minus an estimated gain",
          word({{"discounted", "the sum of discounted costs"},
                {"differential", "average cost: no discount"},
                {"centered", "discounted, centred: the estimated gain is subtracted from every cost"}})),
      key<[](O& o) -> auto& { return o.settings.learner.discount; }>(
          "learner.discount", "per step; also sets cost_scale = 0", number(0, 0.999999)),
      key<[](O& o) -> auto& { return o.settings.learner.gain_rate; }>("learner.gain_rate",
                                                                      "step size of the estimated gain", number(0, 1))
          .only_where({"learner.mode", {"differential", "centered"}}),
      key<[](O& o) -> auto& { return o.settings.learner.restarts; }>(
          "learner.restarts",
          "a time limit restarts the process: values count restarts in the mean, one per time limit, and stay bounded",
          flag())
          .only_where({"learner.mode", {"differential"}}),
      key<[](O& o) -> auto& { return o.settings.learner.batch; }>("learner.batch", "windows of a learner step",
                                                                  whole(1, 65536)),
      key<[](O& o) -> auto& { return o.settings.n_step; }>("learner.n_step", "costs in a window", whole(1, 255)),
  };
}

Keys explorer_window_keys() {
  return {key<[](O& o) -> auto& { return o.settings.n_step_explorer; }>(
      "learner.n_step_explorer",
      "costs in a window that begins at an explorer's action; 0: as n_step; 1: no explorer action is credited to the "
      "policy",
      whole(0, 255))};
}

Keys optimiser_keys() {
  return {
      key<[](O& o) -> auto& { return o.settings.transform; }>(
          "learner.transform", "how the learner sees costs; reported costs are not changed",
          word({{"none", "as they are"},
                {"root", "0.2 sqrt(|c| / 10), with the sign of c: for scores of games"},
                {"sign", "-1, 0 or 1"}})),
      key<[](O& o) -> auto& { return o.settings.cost_scale; }>(
          "learner.cost_scale", "costs are then multiplied by it; 0: 10 (1 - discount), or 1 with a transform",
          number(0, 1'000'000)),
      key<[](O& o) -> auto& { return o.settings.learner.target_copy; }>(
          "learner.target_copy", "learner steps between copies into the target network", whole(1, 1'000'000'000)),
      key<[](O& o) -> auto& { return o.settings.learner.adam.rate; }>("learner.rate", "Adam's step size",
                                                                      number_above(0, 1)),
      key<[](O& o) -> auto& { return o.settings.learner.adam.epsilon; }>("learner.adam_epsilon", "Adam's epsilon",
                                                                         number_above(0, 1)),
      key<[](O& o) -> auto& { return o.settings.learner.adam.clip; }>(
          "learner.clip", "bound on the norm of the gradient; 0: none", number(0, 1'000'000'000)),
  };
}

Keys actor_keys() {
  return {key<[](O& o) -> auto& { return o.settings.actors.environments; }>(
              "actors.environments", "logical environments, stepped round-robin: part of the configuration",
              whole(1, 4096)),
          key<[](O& o) -> auto& { return o.settings.transitions_per_step; }>(
              "actors.transitions_per_step", "environment steps for each learner step", whole(1, 1'000'000)),
          key<&O::threads>("actors.threads",
                           "threads that act, in addition to the learner's; -1: the cores that are left. Does not "
                           "affect results",
                           whole(-1, 1024))
              .not_part_of_run()};
}

Keys phase_keys() {
  return {key<[](O& o) -> auto& { return o.settings.phase_scale; }>(
              "schedule.phase_scale",
              "a phase ends after phase_scale * sqrt(all learner steps) learner steps; the paper: 100",
              number_above(0, 1'000'000)),
          key<[](O& o) -> auto& { return o.settings.phase_steps; }>(
              "schedule.phase_steps", "above 0: a phase ends after this number of learner steps instead",
              whole(0, 1'000'000'000))};
}

Keys mini_phase_keys() {
  return {
      key<&O::explore>("schedule.explore",
                       "s', steps of the exploration policy in each mini-phase; N is the time limit", length())
          .only_where({"schedule.kind", {"fixed"}}),
      key<[](O& o) -> auto& { return o.settings.follow_scale; }>(
          "schedule.follow_scale",
          "a mini-phase follows the policy for follow_scale * sqrt(the phase's steps), in whole episodes",
          number_above(0, 1'000'000)),
      key<[](O& o) -> auto& { return o.settings.actors.whole_episodes; }>(
          "schedule.whole_episodes", "a mini-phase continues to the end of its episode: one player per game", flag())};
}

Keys policy_keys() {
  return {
      key<[](O& o) -> auto& { return o.settings.policy.combine; }>(
          "policy.combine", "how the ring's networks are combined, weighted by the lengths of their phases",
          word({{"sum", "weights that add up to their number"}, {"average", "weights that add up to 1"}})),
      key<[](O& o) -> auto& { return o.settings.policy.step_norm; }>(
          "policy.step_norm", "the vectors over which SOLO FTRL's P is computed",
          word({{"weighted", "those that are summed: scale-free"},
                {"plain", "the networks' own, as the paper writes"}})),
      key<[](O& o) -> auto& { return o.settings.policy.alpha; }>("policy.alpha", "multiplier of SOLO FTRL's step size",
                                                                 number_above(0, 1'000'000)),
      key<[](O& o) -> auto& { return o.settings.policy.ring; }>("policy.ring", "frozen networks kept", whole(1, 64))};
}

Keys epsilon_keys() {
  return {key<[](O& o) -> auto& { return o.settings.policy.epsilon; }>(
      "algorithm.epsilon", "probability of a uniformly random action", number(0, 1))};
}

Keys common_keys() {
  return network_keys() + replay_keys() + learner_keys() + optimiser_keys() + actor_keys() + phase_keys();
}
Keys politex_keys() { return common_keys() + policy_keys(); }
Keys exploring_keys() { return politex_keys() + explorer_window_keys() + mini_phase_keys(); }
Keys dqn_keys() { return common_keys() + epsilon_keys(); }

void check_batch(const Keys& keys, const Values& values) {
  const auto options = read<NeuralOptions>(keys, values);
  if (options.settings.learner.batch > options.settings.replay)
    throw ConfigError{"learner.batch", fmt::format("{} is larger than replay.capacity = {}; accepted: at most that",
                                                   options.settings.learner.batch, options.settings.replay)};
}
void check_common(const Values& values) { check_batch(common_keys(), values); }

void foresee_phases(const Values& values, std::int64_t steps, std::vector<std::string>& warnings) {
  const auto options = read<NeuralOptions>(common_keys(), values);
  const std::int64_t first = first_phase_transitions(options.settings);
  if (first <= steps) return;
  warnings.push_back(fmt::format(
      "phase 1 takes {} steps and the run {}: the policy stays uniformly random. Remedy: steps = {} or more, "
      "or shorter phases (a smaller schedule.phase_scale, or schedule.phase_steps = {})",
      first, steps, first,
      std::max<std::int64_t>(steps / (std::int64_t{4} * options.settings.transitions_per_step), 1)));
}

}  // namespace

const LearnerEntry& neural_ee_politex_entry() {
  static const LearnerEntry entry{.name = "neural_ee_politex",
                                  .help = "EE-Politex with networks, as in the paper's appendix",
                                  .keys = exploring_keys(),
                                  .explores = true,
                                  .sums_q = true,
                                  .networks = true,
                                  .check = check_common,
                                  .foresee = foresee_phases};
  return entry;
}

const LearnerEntry& neural_politex_entry() {
  static const LearnerEntry entry{.name = "neural_politex",
                                  .help = "Politex with networks, without exploration",
                                  .keys = politex_keys(),
                                  .sums_q = true,
                                  .networks = true,
                                  .check = check_common,
                                  .foresee = foresee_phases};
  return entry;
}

const LearnerEntry& dqn_entry() {
  static const LearnerEntry entry{
      .name = "dqn",
      .help = "deep Q-learning, epsilon-greedy: trains exploration policies (politex explore)",
      .keys = dqn_keys(),
      .networks = true,
      .trains_explorer = true,
      .check = check_common,
      .foresee = foresee_phases};
  return entry;
}

Settings settings_from(const NeuralOptions& options, int size, int cores) {
  Settings settings = options.settings;
  settings.hidden.assign(static_cast<std::size_t>(options.layers), options.hidden);
  settings.nature = options.network == NeuralOptions::NetworkKind::nature;
  settings.learner.prioritised = options.replay == NeuralOptions::ReplayKind::prioritised;
  settings.actors.threads = options.threads >= 0 ? options.threads : cores - 1;
  settings.actors.explore = options.explore.resolve(size);
  return settings;
}

}  // namespace politex::neural
