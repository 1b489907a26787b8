#include "politex/baselines/centered_q.hpp"

#include <utility>

#include "politex/baselines/step_collector.hpp"

namespace politex::inline baselines {
namespace {

// Each of the three has its own defaults, so each has a struct of options of its own.
struct QLearningOptions : CenteredQOptions {
  QLearningOptions() { discount = 0.99; }
};
struct DifferentialQOptions : CenteredQOptions {
  DifferentialQOptions() { average_rate = 0.1; }
};
struct RewardCenteredOptions : CenteredQOptions {
  RewardCenteredOptions() {
    discount = 0.99;
    average_rate = 0.1;
  }
};

template <class Options>
Key alpha_key() {
  return key<[](Options& o) -> double& { return o.alpha; }>("algorithm.step_size", "step size of Q",
                                                            number_above(0, 1));
}
template <class Options>
Key epsilon_key() {
  return key<[](Options& o) -> double& { return o.epsilon; }>("algorithm.epsilon",
                                                              "probability of a uniformly random action", number(0, 1));
}
template <class Options>
Key discount_key() {
  return key<[](Options& o) -> double& { return o.discount; }>("algorithm.gamma", "discount per step",
                                                               number(0, 0.999999));
}
template <class Options>
Key average_rate_key() {
  return key<[](Options& o) -> double& { return o.average_rate; }>(
      "algorithm.average_rate", "step size of the average cost, as a multiple of alpha (eta of the paper)",
      number_above(0, 1000));
}

Keys q_learning_keys() {
  using O = QLearningOptions;
  return Keys{alpha_key<O>(), discount_key<O>(), epsilon_key<O>()} + block_keys();
}
Keys differential_q_keys() {
  using O = DifferentialQOptions;
  return Keys{alpha_key<O>(), average_rate_key<O>(), epsilon_key<O>()} + block_keys();
}
Keys centered_q_keys() {
  using O = RewardCenteredOptions;
  return Keys{alpha_key<O>(), average_rate_key<O>(), discount_key<O>(), epsilon_key<O>()} + block_keys();
}

std::unique_ptr<StepCollector> make_centered(const CenteredQOptions& options, StepParts&& parts,
                                             const LearnerEntry& entry) {
  CenteredQ learner(table_states(parts, entry), parts.actions, options);
  return make_step_collector(std::move(parts), std::move(learner));
}

}  // namespace

const LearnerEntry& q_learning_entry() {
  static const LearnerEntry entry{
      .name = "q_learning",
      .help = "discounted Q-learning, epsilon-greedy, one value per state and action: the plain baseline",
      .keys = q_learning_keys(),
      .presets = block_presets(),
      .check = check_blocks,
      .play = [](const Values& values, StepParts&& parts) {
        return make_centered(read<QLearningOptions>(q_learning_keys(), values), std::move(parts), q_learning_entry());
      }};
  return entry;
}

const LearnerEntry& differential_q_entry() {
  static const LearnerEntry entry{.name = "differential_q",
                                  .help = "differential Q-learning (Wan, Naik, Sutton 2021), epsilon-greedy, tabular",
                                  .keys = differential_q_keys(),
                                  .presets = block_presets(),
                                  .check = check_blocks,
                                  .play = [](const Values& values, StepParts&& parts) {
                                    return make_centered(read<DifferentialQOptions>(differential_q_keys(), values),
                                                         std::move(parts), differential_q_entry());
                                  }};
  return entry;
}

const LearnerEntry& centered_q_entry() {
  static const LearnerEntry entry{
      .name = "centered_q",
      .help = "discounted Q-learning with reward centring (Naik et al. 2024), epsilon-greedy, tabular",
      .keys = centered_q_keys(),
      .presets = block_presets(),
      .check = check_blocks,
      .play = [](const Values& values, StepParts&& parts) {
        return make_centered(read<RewardCenteredOptions>(centered_q_keys(), values), std::move(parts),
                             centered_q_entry());
      }};
  return entry;
}

}  // namespace politex::inline baselines
