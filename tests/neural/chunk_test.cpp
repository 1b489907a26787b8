#include "politex/neural/chunk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace politex::neural {
namespace {

/// Writes a transition that depends on its round and environment only.
void fill(Chunk& chunk, std::int64_t round, int environment) {
  const std::size_t at = chunk.place(round, environment);
  const auto value = static_cast<float>(100 * round + environment);
  std::ranges::fill(chunk.state(at), value);
  std::ranges::fill(chunk.policy(at), value + 0.25F);
  std::ranges::fill(chunk.last(at), value + 0.5F);
  std::ranges::fill(chunk.last_policy(at), value + 0.75F);
  StepResult step;
  step.cost = static_cast<double>(value);
  step.score = -step.cost;
  step.truncated = environment == 1;
  step.lost_life = environment == 2;
  chunk.record(at, environment, environment == 0, step);
}

void fill_all(Chunk& chunk, EnvironmentRange range) {
  for (std::int64_t round = chunk.first_round(); round < chunk.end_round(); ++round) {
    const auto [begin, end] = chunk.inside(range, round);
    for (int e = begin; e < end; ++e) fill(chunk, round, e);
  }
}

void expect_filled(const Chunk& chunk, std::int64_t first, std::int64_t last, int environments) {
  for (std::int64_t number = first; number < last; ++number) {
    const Transition t = chunk.transition(number);
    const auto environment = static_cast<int>(number % environments);
    const auto value = static_cast<float>(100 * (number / environments) + environment);
    EXPECT_EQ(t.state[0], value);
    EXPECT_EQ(t.policy[0], value + 0.25F);
    EXPECT_EQ(t.cost, value);
    EXPECT_EQ(t.score, -value);
    EXPECT_EQ(t.action, environment);
    EXPECT_EQ(t.exploring, environment == 0);
    EXPECT_EQ(t.truncated, environment == 1);
    EXPECT_EQ(t.lost_life, environment == 2);
    EXPECT_FALSE(t.terminated || t.skipped);
    if (!t.truncated) continue;
    EXPECT_EQ(t.last[0], value + 0.5F);
    EXPECT_EQ(t.last_policy[0], value + 0.75F);
  }
}

TEST(Chunk, EveryTransitionHasItsPlaceAlsoInRoundsThatAreInsideInPart) {
  Chunk chunk(3, 2, 4);
  for (const auto& [first, last] : {std::pair<std::int64_t, std::int64_t>{0, 12}, {7, 20}, {20, 21}, {4, 5}}) {
    chunk.begin(first, last);
    EXPECT_EQ(chunk.first_round(), first / 3);
    EXPECT_EQ(chunk.end_round(), (last + 2) / 3);
    fill_all(chunk, {0, 3});
    expect_filled(chunk, first, last, 3);
  }
}

TEST(Chunk, TheSharesOfRanksAreUnpackedToTheWhole) {
  constexpr std::int64_t first = 5, last = 23;
  Chunk whole(4, 2, 3);
  whole.begin(first, last);
  for (const EnvironmentRange share : {EnvironmentRange{0, 1}, {1, 4}}) {
    Chunk part(4, 2, 3);
    part.begin(first, last);
    fill_all(part, share);
    ByteWriter packed;
    part.pack(share, part.first_round(), part.end_round(), packed);
    ByteReader from(packed.bytes());
    whole.unpack(share, whole.first_round(), whole.end_round(), from);
    EXPECT_TRUE(from.empty());
  }
  expect_filled(whole, first, last, 4);
}

}  // namespace
}  // namespace politex::neural
