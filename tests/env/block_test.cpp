// Every environment of this program as a block: it walks through the states that the environment itself would.
#include "politex/env/block.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "politex/env/acrobot.hpp"
#include "politex/env/cartpole.hpp"
#include "politex/env/cartpole_balance.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/garnet.hpp"
#include "politex/env/mountain_car.hpp"
#include "politex/env/river_swim.hpp"
#include "politex/env/table_environment.hpp"

namespace politex {
namespace {

template <Environment E>
std::vector<double> shown(const E& environment, const typename E::State& state) {
  std::vector<double> seen(1);
  if constexpr (FiniteEnvironment<E>) {
    seen[0] = environment.index(state);
  } else {
    seen.resize(static_cast<std::size_t>(environment.observation_size()));
    environment.observe(state, seen);
  }
  return seen;
}

std::vector<double> observation(const EnvironmentBlock& block, int which) {
  std::vector<double> seen(block.space().numbers());
  block.observe(which, seen);
  return seen;
}

void expect_sound(const Space& space, int actions) {
  EXPECT_EQ(space.actions, actions);
  EXPECT_GE(space.numbers(), 1u);
  EXPECT_GE(space.size(), 1);
  for (const Range& range : space.ranges) {
    EXPECT_TRUE(std::isfinite(range.low) && std::isfinite(range.high));
    EXPECT_LE(range.low, range.high);
  }
}

/// Environments 2, 3 and 4 of a run, next to the environment itself with the streams of their numbers.
template <Environment E>
void expect_conforms(const E& environment) {
  constexpr int first = 2, count = 3, steps = 1200;
  BlockOf<E> block(environment, 7, {first, first + count});
  expect_sound(block.space(), environment.actions());
  ASSERT_EQ(block.count(), count);
  EXPECT_FALSE(block.together());
  std::vector<Rng> streams;
  std::vector<typename E::State> states;
  for (int e = first; e < first + count; ++e) {
    streams.emplace_back(7, Use::environment, static_cast<std::uint64_t>(e));
    states.push_back(environment.start(streams.back()));
  }
  Rng choose(3);
  ByteWriter middle;
  for (int t = 0; t < steps; ++t) {
    if (t == steps / 2) save_all(block, middle);
    // A part of the block on its own, then the rest.
    for (const auto& [from, number] : {std::pair{0, 1}, {1, count - 1}}) {
      std::vector<Action> actions;
      for (int i = 0; i < number; ++i)
        actions.push_back(static_cast<Action>(choose.below(static_cast<std::uint64_t>(environment.actions()))));
      std::vector<StepResult> results(actions.size());
      block.step(from, actions, results);
      for (int i = 0; i < number; ++i) {
        const auto k = static_cast<std::size_t>(from + i), j = static_cast<std::size_t>(i);
        const Step step = environment.step(states[k], actions[j], streams[k]);
        ASSERT_EQ(results[j].cost, step.cost);
        ASSERT_EQ(results[j].score, -step.cost);
        ASSERT_EQ(results[j].terminated || results[j].truncated, step.restarted);
        ASSERT_FALSE(results[j].skipped);
        ASSERT_EQ(observation(block, from + i), shown(environment, states[k])) << t;
      }
    }
  }
  std::vector<float> narrow(block.space().numbers());
  block.observe(1, narrow);
  for (std::size_t i = 0; i < narrow.size(); ++i) EXPECT_EQ(narrow[i], static_cast<float>(observation(block, 1)[i]));

  BlockOf<E> again(environment, 7, {first, first + count}), third(environment, 7, {first, first + count});
  ByteReader from(middle.bytes());
  restore_all(again, from);
  EXPECT_TRUE(from.empty());
  ByteReader same(middle.bytes());
  restore_all(third, same);
  const std::vector<Action> zeros(count, 0);
  std::vector<StepResult> one(count), other(count);
  for (int t = 0; t < 50; ++t) {
    again.step(0, zeros, one);
    third.step(0, zeros, other);
    for (int e = 0; e < count; ++e) ASSERT_EQ(observation(again, e), observation(third, e));
  }
}

TEST(BlockOf, ConformsForEveryEnvironment) {
  expect_conforms(Cartpole({.episode = 100}));
  expect_conforms(CartpoleBalance(100));
  expect_conforms(MountainCar(100));
  expect_conforms(Acrobot(100));
  expect_conforms(RiverSwim(6));
  expect_conforms(TableEnvironment(deep_sea_model(DeepSea(5))));
  expect_conforms(TableEnvironment(compile(RiverSwim(6), "river_swim", 6, 0)));
  expect_conforms(TableEnvironment(with_teleport(garnet_model({.states = 9, .actions = 3, .branching = 2}), 0.1)));
}

TEST(BlockOf, ShowsHowATruncatedEpisodeEnded) {
  const MountainCar car(3);
  BlockOf<MountainCar> block(car, 1);
  Rng rng(1, Use::environment);
  auto state = car.start(rng);
  const Action right = 2;
  StepResult result;
  for (int t = 0; t < 3; ++t) {
    block.step(0, {&right, 1}, {&result, 1});
    car.move(state, right, rng);
  }
  EXPECT_TRUE(result.truncated);
  std::vector<double> last(2);
  block.last(0, last);
  EXPECT_EQ(last, shown(car, state));
  EXPECT_NE(observation(block, 0), last);
}

TEST(Space, SizeIsTheOwnSizeElseStatesElseTheTimeLimit) {
  EXPECT_EQ(TableEnvironment(deep_sea_model(DeepSea(5))).space().size(), 5);
  EXPECT_EQ(space_of(RiverSwim(6)).size(), 6);
  EXPECT_EQ(Cartpole().space().size(), 1000);
  EXPECT_EQ(CartpoleBalance().space().size(), 500);
  EXPECT_EQ(MountainCar().space().size(), 200);
  EXPECT_EQ(Acrobot().space().size(), 500);
  EXPECT_EQ(MountainCar(70).space().size(), 70);
  EXPECT_EQ(Space{}.size(), 100);
}

// With a seed the stream of environment 0 of that seed, whatever the number; without one the stream continues.
TEST(BlockOf, ResetsOneEnvironment) {
  const CartpoleBalance pole(50);
  BlockOf<CartpoleBalance> block(pole, 1, {0, 2});
  const std::vector<double> neighbour = observation(block, 0);
  block.reset(1, 9);
  Rng rng(9, Use::environment);
  EXPECT_EQ(observation(block, 1), shown(pole, pole.start(rng)));
  block.reset(1, std::nullopt);
  EXPECT_EQ(observation(block, 1), shown(pole, pole.start(rng)));
  EXPECT_EQ(observation(block, 0), neighbour);
}

/// A saved state of acrobot with one number changed.
std::vector<std::byte> damaged_acrobot(double Acrobot::State::*member, double value, std::int64_t clock = 0) {
  Acrobot::State state;
  state.*member = value;
  state.clock = clock;
  ByteWriter to;
  to.put(state);
  to.put(std::uint64_t{0});
  return to.bytes();
}

TEST(BlockOf, RefusesStatesThatAnEnvironmentIsNeverIn) {
  BlockOf<Acrobot> block(Acrobot(500), 1);
  const auto restored = [&](const std::vector<std::byte>& bytes) {
    ByteReader from(bytes);
    block.restore(0, from);
  };
  EXPECT_NO_THROW(restored(damaged_acrobot(&Acrobot::State::angle, 3.0, 499)));
  EXPECT_THROW(restored(damaged_acrobot(&Acrobot::State::angle, 1e300)), Error);
  EXPECT_THROW(restored(damaged_acrobot(&Acrobot::State::elbow_rate, std::nan(""))), Error);
  EXPECT_THROW(restored(damaged_acrobot(&Acrobot::State::angle, 0.0, -1)), Error);
  EXPECT_THROW(restored(damaged_acrobot(&Acrobot::State::angle, 0.0, 501)), Error);
}

TEST(BlockOf, RefusesASavedStateThatIsNone) {
  BlockOf<TableEnvironment> block(TableEnvironment(deep_sea_model(DeepSea(5))), 1);
  ByteWriter bad;
  bad.put(25);
  bad.put(std::uint64_t{0});
  ByteReader from(bad.bytes());
  EXPECT_THROW(block.restore(0, from), Error);
}

}  // namespace
}  // namespace politex
