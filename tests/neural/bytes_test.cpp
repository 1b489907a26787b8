// Observations that are bytes: the frozen first layer in integers, and how the replay keeps bytes and pictures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/neural/agent.hpp"
#include "politex/neural/byte_layer.hpp"
#include "politex/neural/replay.hpp"
#include "politex/neural/ring_policy.hpp"

namespace politex::neural {
namespace {

/// Bytes of which a few change at a time.
class Memory {
 public:
  Memory(int size, std::uint64_t seed) : seen_(static_cast<std::size_t>(size)), rng_(seed) { move(size); }
  const std::vector<float>& move(int count) {
    for (int k = 0; k < count; ++k) seen_[rng_.below(seen_.size())] = static_cast<float>(rng_.below(256)) / 255.0F;
    return seen_;
  }

 private:
  std::vector<float> seen_;
  Rng rng_;
};

TEST(ByteLayer, IsTheFloatProductToTheRoundingOfItsWeights) {
  for (const auto& [inputs, units] : {std::pair{128, 512}, {7, 16}, {300, 80}, {2048, 16}}) {
    const auto i = static_cast<std::size_t>(inputs), u = static_cast<std::size_t>(units);
    Rng rng(71);
    std::vector<float> weights(i * u), bias(u);
    for (float& w : weights) w = static_cast<float>(rng.normal());
    for (float& b : bias) b = static_cast<float>(rng.normal());
    const ByteLayer layer(weights.data(), bias.data(), inputs, units);
    Memory memory(inputs, 72);
    BytePairs pairs;
    std::vector<ByteChange> changes;
    std::vector<std::int32_t> sums(u);
    std::vector<float> made(u);
    for (int step = 0; step < 50; ++step) {
      const auto& x = memory.move(9);
      pairs.read(x, changes);
      layer.add(changes, sums.data());
      layer.activate(sums.data(), made.data());
      BytePairs all;
      std::vector<std::int32_t> fresh(u);
      all.read(x, changes);
      layer.add(changes, fresh.data());
      ASSERT_EQ(fresh, sums) << step;  // bit for bit the whole product, however many updates
      for (std::size_t k = 0; k < u; ++k) {
        double exact = static_cast<double>(bias[k]), bound = 0, largest = 0;
        for (std::size_t j = 0; j < i; ++j) {
          exact += static_cast<double>(x[j]) * static_cast<double>(weights[j * u + k]);
          bound += static_cast<double>(x[j]);
          largest = std::max(largest, std::abs(static_cast<double>(weights[j * u + k])));
        }
        const double most = std::min(32767, 0x7fff'ffff / (255 * inputs));
        bound *= 0.5 * largest / most;  // half a unit of every weight
        ASSERT_NEAR(static_cast<double>(made[k]), std::max(0.0, exact), bound + 1e-5);
      }
    }
  }
}

RingPolicy byte_ring(int inputs, int networks, const std::vector<int>& hidden) {
  RingPolicy policy(3, {});
  for (int k = 0; k < networks; ++k) {
    DuelingNetwork network({inputs, hidden, 3, true});
    Rng rng(static_cast<std::uint64_t>(k), Use::network);
    network.randomise(rng);
    policy.push(std::make_shared<FrozenNetwork>(network), 10.0 + k);
  }
  return policy;
}

TEST(RingPolicy, RecallChangesNoBit) {
  for (const auto& hidden : {std::vector{32}, std::vector{24, 40}}) {
    RingPolicy policy = byte_ring(20, 4, hidden);
    std::vector<Recall> recalls(2);
    std::vector<Memory> memories = {Memory(20, 1), Memory(20, 2)};
    RingPolicy::Workspace room;
    for (int step = 0; step < 60; ++step) {
      std::vector<float> x;
      for (Memory& memory : memories) {
        const auto& seen = memory.move(3);
        x.insert(x.end(), seen.begin(), seen.end());
      }
      std::vector<float> with(6), without(6);
      policy.evaluate(x.data(), 2, with.data(), room,
                      [&](int r) -> Recall& { return recalls[static_cast<std::size_t>(r)]; });
      policy.evaluate(x.data(), 2, without.data(), room);
      ASSERT_EQ(with, without) << step;
      if (step == 30) policy = byte_ring(20, 5, hidden);  // another ring: what was summed is of no use
    }
  }
}

TEST(FrozenNetwork, OfBytesAnswersAsItsNetworkDoes) {
  DuelingNetwork network({128, {64, 32}, 9, true});
  Rng rng(5, Use::network);
  network.randomise(rng);
  const FrozenNetwork frozen(network);
  FrozenNetwork::Workspace room;
  Memory memory(128, 3);
  std::vector<float> frozen_values(9), values(9);
  Tape tape;
  for (int step = 0; step < 20; ++step) {
    const auto& x = memory.move(20);
    frozen.evaluate(x.data(), 1, frozen_values.data(), room);
    network.forward(x.data(), 1, values.data(), tape);
    for (std::size_t a = 0; a < 9; ++a) EXPECT_NEAR(frozen_values[a], values[a], 2e-4F);
  }
}

/// Stacks of `channels` frames of 3 x 5 from a film that cuts now and then.
struct Film {
  Picture picture{4, 3, 5};
  std::vector<std::vector<float>> frames;
  Rng rng{9};
  std::vector<float> shoot() {
    const bool cut = frames.empty() || rng.below(10) == 0;
    std::vector<float> frame(15);
    for (float& x : frame) x = static_cast<float>(rng.below(256)) / 255.0F;
    for (int k = 0; k < (cut ? 4 : 1); ++k) frames.push_back(frame);
    std::vector<float> stack;
    for (std::size_t k = frames.size() - 4; k < frames.size(); ++k)
      stack.insert(stack.end(), frames[k].begin(), frames[k].end());
    return stack;
  }
};

TEST(ObservationStore, KeepsEveryFrameOnceAndForgetsUnusedOnes) {
  Film film;
  constexpr std::size_t kept = 40;
  Replay replay(kept, {60, true, film.picture}, 2);
  std::vector<std::pair<std::vector<float>, std::vector<float>>> windows;
  const std::vector<float> policy = {0.5F, 0.5F};
  std::vector<float> before = film.shoot();
  const auto check = [&](const Replay& from) {
    Batch batch;
    batch.resize(static_cast<int>(kept), 60, 2);
    for (std::uint32_t r = 0; r < kept; ++r) batch.rows[r] = r;
    from.gather(batch, 1);
    for (std::size_t k = windows.size() - kept; k < windows.size(); ++k) {
      const std::size_t r = k % kept;
      ASSERT_TRUE(std::ranges::equal(std::span(batch.states).subspan(r * 60, 60), windows[k].first));
      ASSERT_TRUE(std::ranges::equal(std::span(batch.nexts).subspan(r * 60, 60), windows[k].second));
    }
  };
  for (int t = 0; t < 300; ++t) {
    std::vector<float> next = film.shoot();
    replay.add({.state = before, .next = next}, policy, 1);
    windows.emplace_back(before, next);
    before = next;
    // One new frame a window, and three more at either end.
    EXPECT_LE(replay.frames(), static_cast<std::int64_t>(kept) + 4);
    if (t > 50 && t % 50 == 0) check(replay);
  }
  ByteWriter bytes;
  replay.save(bytes);
  Replay other(kept, {60, true, film.picture}, 2);
  ByteReader reader(bytes.bytes());
  other.restore(reader);
  EXPECT_TRUE(reader.empty());
  EXPECT_EQ(other.frames(), replay.frames());
  for (int t = 0; t < 100; ++t) {  // goes on, and frees what is no longer shown
    std::vector<float> next = film.shoot();
    other.add({.state = before, .next = next}, policy, 1);
    windows.emplace_back(before, next);
    before = next;
  }
  check(other);
  EXPECT_LE(other.frames(), static_cast<std::int64_t>(kept) + 4);
  EXPECT_THROW(ObservationStore({28'224, true, {4, 84, 84}}, 4'000'000'000), ConfigError);
}

TEST(Replay, KeepsBytesAsBytes) {
  Replay replay(3, {5, true}, 2);
  const std::vector<float> policy = {0.5F, 0.5F};
  std::vector<float> state, next;
  for (const int b : {0, 1, 127, 254, 255}) {
    state.push_back(static_cast<float>(b) / 255.0F);
    next.push_back(static_cast<float>(255 - b) / 255.0F);
  }
  replay.add({.state = state, .next = next}, policy, 1);
  Batch batch;
  batch.resize(1, 5, 2);
  replay.gather(batch, 1);
  EXPECT_TRUE(std::ranges::equal(batch.states, state));
  EXPECT_TRUE(std::ranges::equal(batch.nexts, next));
}

/// A walker on a ring of 40 places, told by 30 bytes of which few change; one place pays.
class ByteWalks final : public OutsideBlock {
 public:
  explicit ByteWalks(int count) : places_(static_cast<std::size_t>(count)) {
    space_.name = "walks";
    space_.actions = 3;
    space_.ranges.assign(30, {0, 255});
    space_.bytes = true;
  }
  const OutsideSpace& space() const override { return space_; }
  int count() const override { return static_cast<int>(places_.size()); }
  void step(std::span<const Action> actions, std::span<OutsideStep> into) override {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      places_[i] = (places_[i] + actions[i] + 39) % 40;
      const double cost = places_[i] == 20 ? -1.0 : 0.0;
      into[i] = {.cost = cost, .score = -cost, .lost_life = places_[i] == 21};
    }
  }
  void observe(int which, std::span<float> into) const override {
    const int place = places_[static_cast<std::size_t>(which)];
    for (int k = 0; k < 30; ++k) into[static_cast<std::size_t>(k)] = k == place % 30 ? 255.0F : static_cast<float>(k);
    into[0] = static_cast<float>(place);
  }
  void observe(int, std::span<double>) const override {}
  void last(int, std::span<double>) const override {}
  void last(int, std::span<float>) const override {}
  bool can_save() const override { return true; }
  void save(ByteWriter& to) const override { to.put(places_); }
  void restore(ByteReader& from) override { from.get(places_); }

 private:
  OutsideSpace space_;
  std::vector<int> places_;
};

TEST(Agent, OnBytesGivesTheSameBitsOnThreadsAndAfterAResume) {
  Settings s;
  s.steps = 6'000;
  s.hidden = {32};
  s.replay = 2'000;
  s.phase_scale = 8;
  s.learner.batch = 16;
  s.policy.ring = 3;
  s.actors.environments = 4;
  const auto made = [&] { return std::make_unique<Agent>(s, outside_blocks(std::make_shared<ByteWalks>(4)), nullptr); };
  const auto run = [](Agent& agent) {
    while (!agent.done()) agent.advance();
    return agent.signature();
  };
  const std::string expected = run(*made());
  s.actors.threads = 2;
  EXPECT_EQ(run(*made()), expected);
  const auto first = made();
  first->advance();
  first->advance();
  ASSERT_FALSE(first->done());
  ByteWriter bytes;
  first->save(bytes);
  const auto second = made();
  ByteReader reader(bytes.bytes());
  second->restore(reader);
  EXPECT_EQ(run(*second), expected);
  EXPECT_EQ(run(*first), expected);  // it went on beside its memory of earlier networks
}

}  // namespace
}  // namespace politex::neural
