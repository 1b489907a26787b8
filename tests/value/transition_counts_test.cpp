// Against a plain map of the same transitions.
#include "politex/value/transition_counts.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "politex/base/rng.hpp"

namespace politex {
namespace {

struct PlainCounts {
  std::map<std::int32_t, std::map<std::int32_t, double>> successors;
  std::set<std::int32_t> seen;
};

/// States 0 to 8 of 12 are met, with three actions, of which the last is rare.
PlainCounts fill(TransitionCounts& counts, int transitions) {
  Rng rng(7, Use::environment);
  PlainCounts plain;
  for (int t = 0; t < transitions; ++t) {
    const auto state = static_cast<std::int32_t>(rng.below(8)), next = static_cast<std::int32_t>(rng.below(9));
    const std::int32_t pair = 3 * state + (rng.below(20) == 0 ? 2 : static_cast<std::int32_t>(rng.below(2)));
    const bool fresh = !plain.successors.contains(pair);
    EXPECT_EQ(counts.add(pair, next), fresh);
    plain.successors[pair][next] += 1.0;
    plain.seen.insert(state);
    plain.seen.insert(next);
  }
  return plain;
}

void expect_equal(const TransitionCounts& counts, const PlainCounts& plain) {
  EXPECT_TRUE(std::ranges::equal(counts.seen(), plain.seen));
  EXPECT_EQ(counts.known_pairs(), static_cast<std::int64_t>(3 * plain.seen.size()));
  EXPECT_EQ(counts.untried_pairs(), counts.known_pairs() - static_cast<std::int64_t>(plain.successors.size()));
  for (std::int32_t pair = 0; pair < 36; ++pair) {
    EXPECT_EQ(counts.was_seen(pair / 3), plain.seen.contains(pair / 3));
    std::map<std::int32_t, double> successors;
    double total = 0.0;
    for (const auto& one : counts.successors(pair)) {
      successors[one.state] = one.count;
      total += one.count;
    }
    EXPECT_EQ(counts.count(pair), total);
    const auto it = plain.successors.find(pair);
    EXPECT_EQ(successors, (it == plain.successors.end() ? std::map<std::int32_t, double>{} : it->second));
  }
}

TEST(TransitionCounts, EqualAPlainMap) {
  for (const int transitions : {0, 1, 10, 500}) {
    TransitionCounts counts(12, 3);
    const PlainCounts plain = fill(counts, transitions);
    expect_equal(counts, plain);
  }
}

TEST(TransitionCounts, AreRestored) {
  TransitionCounts counts(12, 3), other(12, 3);
  const PlainCounts plain = fill(counts, 200);
  ByteWriter to;
  counts.save(to);
  ByteReader from(to.bytes());
  other.add(4, 5);
  other.restore(from);
  EXPECT_TRUE(from.empty());
  expect_equal(other, plain);
  ByteWriter again;
  other.save(again);
  EXPECT_EQ(to.bytes(), again.bytes());
}

TEST(TransitionCounts, RefuseAnotherEnvironments) {
  TransitionCounts counts(12, 3);
  fill(counts, 50);
  ByteWriter to;
  counts.save(to);
  for (const auto& [states, actions] : {std::pair{11, 3}, std::pair{12, 2}}) {
    TransitionCounts other(states, actions);
    ByteReader from(to.bytes());
    EXPECT_THROW(other.restore(from), Error);
  }
  const auto short_bytes = std::span(to.bytes()).first(to.bytes().size() - 1);
  TransitionCounts cut(12, 3);
  ByteReader from(short_bytes);
  EXPECT_THROW(cut.restore(from), Error);
}

}  // namespace
}  // namespace politex
