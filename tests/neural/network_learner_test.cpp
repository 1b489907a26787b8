#include "politex/neural/network_learner.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/bench/plain_learner.hpp"

namespace politex::neural {
namespace {

using Target = LearnerSettings::Target;
using Mode = LearnerSettings::Mode;

const Shape shape{2, {16}, 3};
const std::vector<float> policy_at_next = {0.2F, 0.5F, 0.3F};

LearnerSettings with_batch(int batch) {
  LearnerSettings settings;
  settings.batch = batch;
  return settings;
}

void fill(Replay& replay, NetworkLearner& learner, int count) {
  Rng rng(41);
  for (int i = 0; i < count; ++i) {
    const std::vector<float> x = {static_cast<float>(rng.normal()), static_cast<float>(rng.normal())},
                             y = {static_cast<float>(rng.normal()), static_cast<float>(rng.normal())};
    learner.added(replay.add({.state = x,
                              .next = y,
                              .action = i % 3,
                              .next_action = i % 4 == 0 ? -1 : (i + 1) % 3,
                              .length = 1 + i % 5,
                              .terminal = i % 6 == 5,
                              .cost = static_cast<float>(rng.normal())},
                             policy_at_next, 1));
  }
}

std::vector<float> values(const DuelingNetwork& network, const Floats& x, int rows) {
  std::vector<float> q(static_cast<std::size_t>(rows * network.shape().actions));
  Tape tape;
  network.forward(x.data(), rows, q.data(), tape);
  return q;
}

class Targets : public testing::TestWithParam<std::tuple<Target, bool, Mode>> {};

TEST_P(Targets, AreTheDefinition) {
  const auto [target, double_q, mode] = GetParam();
  LearnerSettings settings;
  settings.batch = 12;
  settings.target = target;
  settings.double_q = double_q;
  settings.mode = mode;
  settings.discount = 0.9;
  settings.gain_rate = 0.1;
  settings.adam.rate = 0.05;
  Replay replay(12, {2}, 3);
  NetworkLearner learner(shape, settings, replay, 1);
  fill(replay, learner, 12);
  const DuelingNetwork frozen = learner.network();  // the target network, until 200 steps have passed
  const RingPolicy policy(3, {});
  for (int i = 0; i < 30; ++i) learner.step(policy, 1);
  Batch batch;
  batch.resize(12, 2, 3);
  for (std::uint32_t i = 0; i < 12; ++i) batch.rows[i] = i;
  replay.gather(batch, 1);
  const auto online = values(learner.network(), batch.nexts, 12), old = values(frozen, batch.nexts, 12);
  const auto& y = learner.targets(batch);
  bool chooser_matters = false;
  for (std::size_t i = 0; i < 12; ++i) {
    const auto least = [&](const std::vector<float>& q) {
      return static_cast<std::size_t>(std::min_element(&q[3 * i], &q[3 * i] + 3) - &q[3 * i]);
    };
    double next = 0;
    if (i % 6 == 5) {
      EXPECT_EQ(batch.terminal[i], 1);  // the value beyond is 0
    } else if (target == Target::max) {
      next = static_cast<double>(old[3 * i + least(double_q ? online : old)]);
      chooser_matters = chooser_matters || least(online) != least(old);
    } else if (target == Target::sarsa && i % 4 != 0) {
      next = static_cast<double>(old[3 * i + (i + 1) % 3]);
    } else {
      for (std::size_t a = 0; a < 3; ++a) next += static_cast<double>(policy_at_next[a] * old[3 * i + a]);
    }
    const double length = 1.0 + static_cast<double>(i % 5), cost = static_cast<double>(batch.costs[i]);
    const double kept = mode == Mode::differential ? 1.0 : std::pow(0.9, length);
    double steps = 0.0;  // of a gain of 1, as the window counts them
    for (int k = 0; k < static_cast<int>(length) && mode != Mode::discounted; ++k)
      steps += mode == Mode::differential ? 1.0 : std::pow(0.9, k);
    const double expected = cost - steps * learner.gain() + kept * next;
    EXPECT_NEAR(static_cast<double>(y[i]), expected, 1e-5);
  }
  EXPECT_TRUE(target != Target::max || chooser_matters);  // else double Q was not tested
  EXPECT_EQ(mode != Mode::discounted, learner.gain() != 0.0);
}

INSTANTIATE_TEST_SUITE_P(All, Targets,
                         testing::Combine(testing::Values(Target::expected_sarsa, Target::sarsa, Target::max),
                                          testing::Bool(),
                                          testing::Values(Mode::discounted, Mode::differential, Mode::centered)));

/// Three states in a ring, two actions: 0 stays at cost 1, 1 moves on at the cost of its state. Observed one-hot.
class ThreeStates : public testing::Test {
 protected:
  static constexpr int next(int state, int action) { return action == 0 ? state : (state + 1) % 3; }
  static double cost(int state, int action) {
    return action == 0 ? 1.0 : std::array{0.0, 2.0, -1.0}[static_cast<std::size_t>(state)];
  }
  static std::vector<float> seen(int state) {
    std::vector<float> x(3, 0.0F);
    x[static_cast<std::size_t>(state)] = 1.0F;
    return x;
  }
  void learn(LearnerSettings settings, int steps) {
    settings.batch = 32;
    settings.target_copy = 20;
    settings.adam = {.rate = 1e-3, .epsilon = 1e-3};
    replay = std::make_unique<Replay>(32, Observation{3}, 2);
    learner = std::make_unique<NetworkLearner>(Shape{3, {32}, 2}, settings, *replay, 3);
    const std::vector<float> policy = {0.25F, 0.75F};
    for (int i = 0; i < 36; ++i) {
      const int s = i % 3, a = i / 3 % 2, to = next(s, a);
      learner->added(replay->add(
          {.state = seen(s), .next = seen(to), .action = a, .length = 1, .cost = static_cast<float>(cost(s, a))},
          policy, 1));
    }
    const RingPolicy ring(2, {});
    for (int i = 0; i < steps; ++i) learner->step(ring, 1);
  }
  /// Q of the policy (.25, .75), discounted; with the gain g subtracted from every cost.
  static Eigen::VectorXd solve(double discount, double g) {
    Eigen::MatrixXd m = Eigen::MatrixXd::Identity(6, 6);
    Eigen::VectorXd c(6);
    for (int s = 0; s < 3; ++s)
      for (int a = 0; a < 2; ++a) {
        c(2 * s + a) = cost(s, a) - g;
        m(2 * s + a, 2 * next(s, a)) -= discount * 0.25;
        m(2 * s + a, 2 * next(s, a) + 1) -= discount * 0.75;
      }
    return m.completeOrthogonalDecomposition().solve(c);
  }
  Eigen::VectorXd learned() const {
    Eigen::VectorXd q(6);
    for (int s = 0; s < 3; ++s) {
      const auto x = seen(s);
      const auto v = values(learner->network(), Floats(x.begin(), x.end()), 1);
      q(2 * s) = static_cast<double>(v[0]);
      q(2 * s + 1) = static_cast<double>(v[1]);
    }
    return q;
  }
  std::unique_ptr<Replay> replay;
  std::unique_ptr<NetworkLearner> learner;
};

TEST_F(ThreeStates, DiscountedValuesConvergeToTheExactOnes) {
  LearnerSettings settings;
  settings.discount = 0.8;
  learn(settings, 6000);
  EXPECT_LT((learned() - solve(0.8, 0)).cwiseAbs().maxCoeff(), 0.02);
}

TEST_F(ThreeStates, PrioritisedReplayFindsTheSameValues) {
  LearnerSettings settings;
  settings.discount = 0.8;
  settings.prioritised = true;
  learn(settings, 6000);
  EXPECT_LT((learned() - solve(0.8, 0)).cwiseAbs().maxCoeff(), 0.02);
}

TEST_F(ThreeStates, DifferentialValuesConvergeToGainAndBias) {
  // The chain is doubly stochastic: its stationary distribution is uniform, and the gain is .25 * 1 + .75 * 1/3.
  const double gain = 0.5;
  LearnerSettings settings;
  settings.mode = Mode::differential;
  settings.gain_rate = 0.01;
  learn(settings, 20000);
  EXPECT_NEAR(learner->gain(), gain, 0.01);
  Eigen::VectorXd difference = learned() - solve(1.0, gain);
  EXPECT_LT(difference.maxCoeff() - difference.minCoeff(), 0.05);
}

TEST_F(ThreeStates, CentredValuesAreThoseOfCostsLessTheGain) {
  LearnerSettings settings;
  settings.mode = Mode::centered;
  settings.discount = 0.8;
  settings.gain_rate = 0.01;
  learn(settings, 12000);
  EXPECT_GT(learner->gain(), 0.2);  // on its way to .5, the gain: it stops where the values fit
  EXPECT_LT(learner->gain(), 0.6);
  EXPECT_LT((learned() - solve(0.8, learner->gain())).cwiseAbs().maxCoeff(), 0.02);
}

// A restart from every state with probability .1, to a state whose value is the origin: the advantages are those of
// the discount .9. The origin is free, as without restarts.
TEST_F(ThreeStates, RestartsAreCountedInTheMean) {
  LearnerSettings settings;
  settings.mode = Mode::differential;
  settings.gain_rate = 0.01;
  settings.restart = 0.1;
  learn(settings, 20000);
  const Eigen::VectorXd difference = learned() - solve(0.9, learner->gain());
  EXPECT_LT(difference.cwiseAbs().maxCoeff(), 0.05);
  // The gain is that of the data: the mean of the values is 0, so that they do not move away.
  EXPECT_NEAR(learner->gain(), 0.5, 0.02);
}

// The target network is 400 steps old at times: what the values gained since must not hide the cost.
TEST(NetworkLearner, GainDoesNotWaitForTheTargetNetwork) {
  LearnerSettings settings = with_batch(4);
  settings.mode = Mode::differential;
  settings.gain_rate = 0.01;
  settings.target_copy = 400;
  Replay replay(4, {2}, 3);
  NetworkLearner learner(shape, settings, replay, 1);
  const std::vector<float> x = {0.5F, -0.5F};
  for (int i = 0; i < 4; ++i)  // one state for ever: the gain is its cost
    learner.added(replay.add({.state = x, .next = x, .action = 1, .next_action = 1, .length = 2, .cost = 1.4F},
                             std::vector<float>{0.0F, 1.0F, 0.0F}, 1));
  const RingPolicy policy(3, PolicySettings{});
  for (int k = 0; k < 1000; ++k) learner.step(policy, 1);
  EXPECT_NEAR(learner.gain(), 0.7, 0.01);
}

TEST(NetworkLearner, SamplesByPriorityWithImportanceWeights) {
  // One row of large error among rows of none: its priority rises, and it is met more often than one time in 64.
  LearnerSettings settings;
  settings.batch = 64;
  settings.prioritised = true;
  settings.adam.rate = 1e-9;
  Replay replay(64, {2}, 3);
  NetworkLearner learner(shape, settings, replay, 1);
  const std::vector<float> x = {0.1F, 0.2F};
  for (int i = 0; i < 64; ++i)
    learner.added(replay.add({.state = x, .next = x, .action = 0, .length = 1, .cost = i == 7 ? 1000.0F : 0.0F},
                             policy_at_next, 1));
  const RingPolicy policy(3, {});
  for (int i = 0; i < 60; ++i) learner.step(policy, 1);
  learner.take_means();
  for (int i = 0; i < 100; ++i) learner.step(policy, 1);
  const double share = learner.take_means().loss / 1e6;
  // p = 1000^.6 = 63.1 against 63 rows of about .02^.6 = .1: more than nine tenths of the draws (uniform: 1/64).
  EXPECT_GT(share, 0.7);
}

TEST(NetworkLearner, StopsWhenTheLossIsNotFinite) {
  Replay replay(16, {2}, 3);
  NetworkLearner learner(shape, with_batch(16), replay, 1);
  const std::vector<float> x = {1.0F, 1.0F};
  for (int i = 0; i < 16; ++i)
    learner.added(replay.add({.state = x, .next = x, .action = 0, .length = 1, .cost = 3e38F}, policy_at_next, 1));
  const RingPolicy policy(3, {});
  EXPECT_THROW(
      {
        for (int i = 0; i < 5000; ++i) learner.step(policy, 1);
      },
      Error);
}

TEST(NetworkLearner, RefusesSettings) {
  Replay replay(100, {2}, 3);
  EXPECT_THROW(NetworkLearner(shape, with_batch(128), replay, 1), ConfigError);
  EXPECT_THROW(NetworkLearner(shape, with_batch(0), replay, 1), ConfigError);
  LearnerSettings settings = with_batch(64);
  settings.discount = 1.0;
  EXPECT_THROW(NetworkLearner(shape, settings, replay, 1), ConfigError);
  settings = with_batch(64);
  settings.target_copy = 0;
  EXPECT_THROW(NetworkLearner(shape, settings, replay, 1), ConfigError);
}

// An independent step in Eigen products. The replay holds one window, so that both see the same batch.
TEST(NetworkLearner, StepsAsPlainProductsDo) {
  LearnerSettings settings = with_batch(1);
  settings.target = Target::max;
  settings.target_copy = 3;
  settings.adam.clip = 0.5;
  Replay replay(1, {2}, 3);
  NetworkLearner learner(shape, settings, replay, 7);
  fill(replay, learner, 1);
  PlainLearner plain(learner.network(), settings);
  Batch batch;
  batch.resize(1, 2, 3);
  batch.rows = {0};
  batch.weights = {1.0F};
  const RingPolicy policy(3, PolicySettings{});
  for (int k = 0; k < 10; ++k) {
    replay.gather(batch, 1);
    learner.step(policy, 1);
    plain.step(batch);
  }
  const std::vector<float> expected = plain.parameters();
  std::size_t at = 0;
  double moved = 0.0;
  DuelingNetwork initial(shape);
  Rng rng(7, Use::network);
  initial.randomise(rng);
  for (const Block& block : learner.network().blocks())
    for (int r = 0; r < block.used_rows; ++r)
      for (int c = 0; c < block.used_columns; ++c, ++at) {
        const auto i = static_cast<std::size_t>(block.offset + r * block.columns + c);
        EXPECT_NEAR(learner.network().parameters()[i], expected[at], 2e-6) << block.name;
        moved =
            std::max(moved, std::abs(static_cast<double>(expected[at]) - static_cast<double>(initial.parameters()[i])));
      }
  EXPECT_EQ(at, expected.size());
  EXPECT_GT(moved, 1e-3);  // ten steps of Adam: it was not the start that agreed
}

}  // namespace
}  // namespace politex::neural
