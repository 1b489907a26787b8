#include "politex/neural/neural_politex.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "base/no_threads.hpp"
#include "politex/base/error.hpp"
#include "politex/env/acrobot.hpp"
#include "politex/env/cartpole.hpp"
#include "politex/env/cartpole_balance.hpp"
#include "politex/env/mountain_car.hpp"
#include "politex/policy/energy_pump.hpp"
#include "politex/policy/sticky.hpp"
#include "politex/policy/uniform.hpp"

namespace politex::neural {
namespace {

Settings small() {
  Settings s;
  s.steps = 9'001;  // ends within a learner step and within a round
  s.seed = 4;
  s.hidden = {32};
  s.replay = 3'000;  // wraps around
  s.phase_scale = 10;
  s.learner.batch = 32;
  s.learner.target_copy = 20;
  s.policy.ring = 3;
  s.actors.environments = 6;
  s.actors.explore = 40;
  s.follow_scale = 0.5;
  return s;
}

std::unique_ptr<NeuralPolitex> make(const Settings& s) {
  return std::make_unique<NeuralPolitex>(s, blocks_of(Cartpole({.episode = 40}), s.seed),
                                         std::make_shared<EnergyPump>(Cartpole().space()));
}

std::string finish(NeuralPolitex& agent) {
  while (!agent.done()) agent.advance();
  return agent.signature();
}

TEST(NeuralPolitex, TransformMovesWhatIsLearnedAndNotWhatIsCounted) {
  // Every cost is 1: the learner sees .2 sqrt(.1) per step, and reports still 1.
  struct One {
    struct State {};
    int actions() const { return 2; }
    State start(Rng&) const { return {}; }
    Step step(State&, Action, Rng&) const { return {.cost = 1.0, .restarted = false}; }
    int observation_size() const { return 1; }
    void observe(const State&, std::span<double> into) const { into[0] = 1; }
  };
  Settings s = small();
  s.transform = Settings::Transform::root;
  s.learner.discount = 0.0;
  s.n_step = 1;
  s.steps = 6'000;
  s.learner.adam.rate = 0.01;
  NeuralPolitex agent(s, blocks_of(One{}, 1), nullptr);
  finish(agent);
  EXPECT_EQ(agent.costs().mean(), 1.0);
  agent.learner().take_means();
  std::array<float, 2> q{};
  const float x = 1;
  Tape tape;
  agent.learner().network().forward(&x, 1, q.data(), tape);
  EXPECT_NEAR(q[0], 0.2F * std::sqrt(0.1F), 2e-3F);
}

TEST(NeuralPolitex, CountsEveryStepOnce) {
  const auto agent = make(small());
  finish(*agent);
  EXPECT_EQ(agent->steps_done(), 9'001);
  EXPECT_EQ(agent->learner_steps(), 9'001 / 16);
  const auto& costs = agent->costs();
  EXPECT_EQ(costs.policy_steps + costs.explorer_steps, 9'001);
  EXPECT_NEAR(costs.policy + costs.explorer, costs.all, 1e-9);
  EXPECT_GT(agent->phase(), 3);
  // Six environments of episodes of 40 steps.
  EXPECT_EQ(agent->episodes().size(), static_cast<std::size_t>(6 * (9'001 / 6 / 40)));
  std::int64_t before = 0;
  for (const Episode& e : agent->episodes()) {
    EXPECT_GT(e.step, before);
    before = e.step;
  }
}

TEST(NeuralPolitex, MiniPhasesAlternateInWholeEpisodes) {
  const auto agent = make(small());
  finish(*agent);
  int policy = 0, explorer = 0;
  for (const Episode& e : agent->episodes()) {
    EXPECT_NE(e.by, Episode::Player::both);
    ++(e.by == Episode::Player::policy ? policy : explorer);
  }
  EXPECT_GT(policy, 0);
  EXPECT_GT(explorer, 0);
}

TEST(NeuralPolitex, AnyNumberOfThreadsGivesTheSameBits) {
  Settings s = small();
  const std::string expected = finish(*make(s));
  for (const int threads : {1, 2, 7}) {
    s.actors.threads = threads;
    EXPECT_EQ(finish(*make(s)), expected) << threads;
  }
  s.seed = 5;
  EXPECT_NE(finish(*make(s)), expected);
}

class Variants : public testing::TestWithParam<int> {
 protected:
  Settings settings() const {
    Settings s = small();
    s.steps = 6'000;
    using Target = LearnerSettings::Target;
    if (GetParam() == 1) s.learner.prioritised = true;
    if (GetParam() == 2) s.learner.target = Target::sarsa;
    if (GetParam() == 3) s.learner.target = Target::max;
    if (GetParam() == 4) s.learner.mode = LearnerSettings::Mode::differential;
    if (GetParam() == 5) {
      s.hidden = {16, 24};
      s.n_step_explorer = 1;
      s.phase_steps = 30;
      s.policy.kind = PolicySettings::Kind::greedy;
    }
    return s;
  }
};

TEST_P(Variants, StopAndResumeAnywhereGivesTheSameBits) {
  Settings s = settings();
  const auto whole = make(s);
  const std::string expected = finish(*whole);
  for (const int blocks : {1, 3, 5}) {
    s.actors.threads = blocks == 3 ? 2 : 0;
    const auto first = make(s);
    for (int i = 0; i < blocks && !first->done(); ++i) first->advance();
    ByteWriter bytes;
    first->save(bytes);
    s.actors.threads = blocks == 1 ? 2 : 0;
    const auto second = make(s);
    ByteReader reader(bytes.bytes());
    second->restore(reader);
    EXPECT_TRUE(reader.empty());
    EXPECT_EQ(finish(*second), expected);
    EXPECT_EQ(second->costs().all, whole->costs().all);
    EXPECT_EQ(second->episodes().size(), whole->episodes().size());
    EXPECT_TRUE(std::ranges::equal(second->learner().network().parameters(), whole->learner().network().parameters()));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Variants, testing::Range(0, 6));

TEST(NeuralPolitex, ThreadsThatCannotBeStartedAreAConfigError) {
  const auto outcome = without_threads([] {
    Settings s = small();
    s.actors.threads = 3;
    try {
      make(s);
    } catch (const ConfigError& error) {
      return std::string_view(error.what()).starts_with("actors.threads: 3 cannot be started here: after 0") ? 0 : 1;
    }
    return 2;
  });
  if (!outcome) GTEST_SKIP() << "this process may not become another user";
  EXPECT_EQ(*outcome, 0);
}

TEST(NeuralPolitex, WorksOnTheOtherEnvironments) {
  Settings s = small();
  s.steps = 3'000;
  NeuralPolitex balance(s, blocks_of(CartpoleBalance(), 1), nullptr), car(s, blocks_of(MountainCar(), 1), nullptr),
      acrobot(s, blocks_of(Acrobot(), 1), std::make_shared<UniformExplorer>(3));
  for (NeuralPolitex* agent : {&balance, &car, &acrobot}) {
    finish(*agent);
    EXPECT_TRUE(std::isfinite(agent->learner().take_means().loss));
  }
  EXPECT_GT(balance.episodes().size(), 20U);  // it falls
}

TEST(NeuralPolitex, LearnsToBalance) {
  // 60k steps of CartPole-v1's rules: the untrained policy falls every 22 steps or so, the learned one far less often.
  Settings s;
  s.steps = 60'000;
  s.hidden = {64};
  s.replay = 60'000;
  s.phase_scale = 15;
  s.learner.discount = 0.98;
  s.transitions_per_step = 8;
  s.actors.environments = 8;
  NeuralPolitex agent(s, blocks_of(CartpoleBalance(), 1), nullptr);
  finish(agent);
  double early = 0, late = 0;
  int early_count = 0, late_count = 0;
  for (const Episode& e : agent.episodes()) {
    if (e.step < 5'000) early += e.reward, ++early_count;
    if (e.step > 50'000) late += e.reward, ++late_count;
  }
  EXPECT_GT(late / late_count, 3 * early / early_count);
}

/// Gives something that is not finite after a while.
struct Broken {
  struct State {
    int t = 0;
  };
  bool in_cost = false;
  int actions() const { return 2; }
  State start(Rng&) const { return {}; }
  Step step(State& state, Action, Rng&) const {
    ++state.t;
    return {.cost = in_cost && state.t > 300 ? std::numeric_limits<double>::quiet_NaN() : 1.0, .restarted = false};
  }
  int observation_size() const { return 1; }
  void observe(const State& state, std::span<double> into) const {
    into[0] = !in_cost && state.t > 300 ? std::numeric_limits<double>::infinity() : 0.5;
  }
};

TEST(NeuralPolitex, RefusesValuesThatAreNotFinite) {
  for (const bool in_cost : {false, true})
    for (const int threads : {0, 2}) {
      Settings s = small();
      s.actors.threads = threads;
      NeuralPolitex agent(s, blocks_of(Broken{in_cost}, 1), nullptr);
      EXPECT_THROW(finish(agent), Error);
    }
}

TEST(NeuralPolitex, RefusesSettings) {
  const auto refuse = [](auto change, const char* key) {
    Settings s = small();
    change(s);
    try {
      make(s);
      ADD_FAILURE() << key;
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.key(), key);
    }
  };
  refuse([](Settings& s) { s.policy.ring = 0; }, "policy.ring");
  refuse([](Settings& s) { s.learner.batch = 5000; }, "learner.batch");
  refuse([](Settings& s) { s.actors.environments = 0; }, "actors.environments");
  refuse([](Settings& s) { s.n_step = 0; }, "learner.n_step");
  refuse([](Settings& s) { s.replay = 0; }, "replay.capacity");
  refuse([](Settings& s) { s.hidden = {0}; }, "network.hidden");
}

}  // namespace
}  // namespace politex::neural
