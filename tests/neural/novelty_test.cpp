// The explorer that learns: what it is given, what it learns, and what it never sees.
#include "politex/neural/novelty.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "politex/base/error.hpp"
#include "politex/env/cartpole.hpp"
#include "politex/neural/neural_politex.hpp"

namespace politex::neural {
namespace {

Settings novel_settings(std::int64_t steps) {
  Settings s;
  s.steps = steps;
  s.seed = 4;
  s.hidden = {16};
  s.replay = 2'000;
  s.phase_steps = 1'000'000;  // one phase: the policy stays uniform, so that costs cannot change the trajectories
  s.learner.batch = 16;
  s.n_step = 3;
  s.actors.environments = 4;
  s.actors.explore = 30;
  return s;
}

std::shared_ptr<const Explorer> small_explorer(std::int64_t renew = 160) {
  return std::make_shared<NoveltyExplorer>(NoveltyOptions{.hidden = 16, .renew = renew}, Cartpole().space());
}

/// The saved explorer and everything it learns from.
std::vector<std::byte> explorer_bits(const NeuralPolitex& agent) {
  ByteWriter bits;
  agent.novelty()->save(bits);
  return bits.bytes();
}

TEST(Novelty, ChangedCostsChangeNoBitOfTheExplorer) {
  const auto end_of = [](const Cartpole::Rules& rules) {
    auto agent =
        std::make_unique<NeuralPolitex>(novel_settings(6'000), blocks_of(Cartpole(rules), 4), small_explorer());
    while (!agent->done()) agent->advance();
    return agent;
  };
  const auto usual = end_of({.episode = 40});
  const auto other = end_of({.height = -1, .centre = 10, .spin = 100, .move_cost = -3, .episode = 40});
  EXPECT_NE(usual->costs().all, other->costs().all);
  EXPECT_NE(usual->signature(), other->signature());  // the costs are part of it
  EXPECT_GT(usual->novelty()->updates(), 300);
  EXPECT_EQ(explorer_bits(*usual), explorer_bits(*other));
}

TEST(Novelty, ItsBatchesHoldNoCosts) {
  // Two replays that differ in all costs give the same moves.
  const Observation five{5, false, {}};
  const std::array<float, 5> state{1, 2, 3, 4, 5}, next{6, 7, 8, 9, 10};
  const std::array<float, 3> policy{};
  std::array<MoveBatch, 2> batches;
  for (const std::size_t which : {0U, 1U}) {
    Replay replay(10, five, 3);
    replay.add({.state = state, .next = next, .action = 2, .length = 7, .cost = which == 0 ? 1.0F : -50.0F}, policy, 1);
    replay.add({.state = next, .next = state, .action = 1, .length = 1, .terminal = true, .cost = 3.0F}, policy, 1);
    batches[which].resize(3, 5);
    batches[which].rows = {1, 0, 0};
    replay.gather(batches[which]);
  }
  for (const MoveBatch& moves : batches) {
    EXPECT_EQ(moves.actions, (std::vector{1, 2, 2}));
    EXPECT_EQ(moves.lengths, (std::vector{1, 7, 7}));
    EXPECT_EQ(moves.terminal, (std::vector<std::uint8_t>{1, 0, 0}));
    EXPECT_TRUE(std::equal(next.begin(), next.end(), moves.states.begin()));
    EXPECT_TRUE(std::equal(state.begin(), state.end(), moves.states.begin() + 5));
    EXPECT_TRUE(std::equal(next.begin(), next.end(), moves.nexts.begin() + 10));
  }
}

TEST(Novelty, HoldsRandomActionsUntilItHasLearned) {
  NoveltyExplorer explorer({}, Cartpole().space());
  ExplorerMemory memory;
  Rng rng(1, Use::explorer), same(1, Use::explorer);
  const std::array<float, 5> seen{};
  for (int i = 0; i < 50; ++i) {
    const auto action = static_cast<Action>(same.below(3));
    const auto steps = static_cast<int>(std::min(100.0, 1.0 / (1.0 - same.uniform())));
    for (int k = 0; k < steps; ++k) EXPECT_EQ(explorer.act(seen, memory, rng), action) << i << " " << k;
  }
}

TEST(Novelty, TakesTheBestActionOfTheNetworkShown) {
  const Space space = Cartpole().space();
  NoveltyExplorer explorer({.hidden = 16, .epsilon = 0.0}, space), other({.hidden = 16, .epsilon = 0.0}, space);
  const Shape shape = novelty_shapes({5, {512}, 3}, explorer.options()).values;
  EXPECT_EQ(shape.hidden, std::vector{16});
  DuelingNetwork network(shape);
  Rng initial(9), rng(1), again(1);
  network.randomise(initial);
  explorer.show(network);
  ByteWriter saved;
  explorer.save(saved);
  ByteReader from(saved.bytes());
  other.restore(from, shape);
  ExplorerMemory memory;
  std::array<int, 3> taken{};
  for (int i = 0; i < 200; ++i) {
    std::array<float, 5> seen{};
    for (float& x : seen) x = static_cast<float>(initial.normal());
    std::array<float, 3> values{};
    Tape tape;
    network.forward(seen.data(), 1, values.data(), tape);
    const auto best = static_cast<Action>(std::ranges::max_element(values) - values.begin());
    ++taken[static_cast<std::size_t>(best)];
    EXPECT_EQ(explorer.act(seen, memory, rng), best);
    EXPECT_EQ(other.act(seen, memory, again), best);
  }
  EXPECT_GT(std::ranges::count_if(taken, [](int n) { return n > 0; }), 1);
}

TEST(Novelty, EveryBreakComesToTheSameBits) {
  const auto make = [](std::int64_t steps) {
    Settings s = novel_settings(steps);
    s.phase_steps = 60;
    s.actors.environments = 5;
    return std::make_unique<NeuralPolitex>(s, blocks_of(Cartpole({.episode = 40}), 4), small_explorer());
  };
  const auto whole = make(3'000);
  while (!whole->done()) whole->advance();
  for (const std::int64_t cut : {1, 16, 17, 170, 333, 960, 2'999}) {
    const auto parts = make(cut);
    while (!parts->done()) parts->advance();
    ByteWriter saved;
    parts->save(saved);
    const auto again = make(cut);
    ByteReader from(saved.bytes());
    again->restore(from);
    EXPECT_TRUE(from.empty());
    for (NeuralPolitex* agent : {parts.get(), again.get()}) {
      agent->extend(3'000);
      while (!agent->done()) agent->advance();
      EXPECT_EQ(agent->signature(), whole->signature()) << cut;
      EXPECT_EQ(explorer_bits(*agent), explorer_bits(*whole)) << cut;
    }
  }
}

/// 60 cells in a row; every 150 steps back to the left end. Counts the arrivals at the other one.
struct Corridor {
  struct State {
    int at = 0, clock = 0;
  };
  int actions() const { return 2; }
  State start(Rng&) const { return {}; }
  Step step(State& state, Action action, Rng&) const {
    const int before = state.at;
    state.at = std::clamp(state.at + (action == 1 ? 1 : -1), 0, 59);
    if (before == 58 && state.at == 59) ++*arrived;
    const bool over = ++state.clock == 150;
    if (over) state = {};
    return {.cost = 0.0, .restarted = over};
  }
  int observation_size() const { return 1; }
  void observe(const State& state, std::span<double> into) const { into[0] = state.at / 30.0 - 1; }
  int* arrived;
};

int arrivals(double epsilon, std::uint64_t seed) {
  int arrived = 0;
  const Corridor corridor{&arrived};
  Settings s = novel_settings(24'000);
  s.seed = seed;
  s.actors.explore = 1'000'000;
  s.actors.environments = 1;
  NeuralPolitex agent(s, blocks_of(corridor, seed),
                      std::make_shared<NoveltyExplorer>(NoveltyOptions{.hidden = 32, .epsilon = epsilon, .renew = 320},
                                                        space_of(corridor)));
  while (!agent.done()) agent.advance();
  return arrived;
}

TEST(Novelty, ReachesTheEndOfACorridorMoreOftenThanHeldRandomActions) {
  int learned = 0, random = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    learned += arrivals(0.01, seed);
    random += arrivals(1.0, seed);
  }
  EXPECT_GT(learned, 2 * random) << random;
}

TEST(Novelty, RefusesOptionsOutOfRange) {
  const Space space = Cartpole().space();
  for (const NoveltyOptions& wrong :
       {NoveltyOptions{.hidden = 0}, {.discount = 1.0}, {.epsilon = 1.5}, {.rate = 0.0}, {.renew = 0}})
    EXPECT_THROW(NoveltyExplorer(wrong, space), ConfigError);
}

}  // namespace
}  // namespace politex::neural
