#include "politex/value/stored_walk.hpp"

#include <gtest/gtest.h>

namespace politex {
namespace {

/// State x has the row {x % 5: 1, 5: x}.
Features line_features(int states) {
  Features features;
  features.actions = 3;
  features.rows.columns = 6;
  for (int x = 0; x < states; ++x) {
    features.rows.append(x % 5, 1.0);
    features.rows.append(5, x);
    features.rows.end_row();
  }
  return features;
}

const FeatureStructure line_structure{.blocks = 3, .width = 6, .exclusive = 5};

double number_of(const StoredWalk& walk, int state) { return walk.features().rows.values(state)[1]; }

TEST(StoredWalk, KeepsTheNewestTransitionsInOrder) {
  const Features features = line_features(100);
  StoredWalk walk(line_structure, 3, 10);
  for (std::int32_t x = 0; x < 99; ++x) {
    const std::int32_t pair = 3 * x + x % 3;
    walk.add(features, {&pair, 1}, x + 1);
    EXPECT_GE(walk.transitions(), std::min(x + 1, 10));
    EXPECT_LT(walk.transitions(), 20);
    EXPECT_EQ(walk.states(), walk.transitions() + 1);
  }
  EXPECT_EQ(number_of(walk, walk.states() - 1), 99.0);
  for (int s = 0; s + 1 < walk.states(); ++s) {
    const auto x = static_cast<int>(number_of(walk, s));
    EXPECT_EQ(number_of(walk, s + 1), x + 1.0);
    EXPECT_EQ(walk.taken(s), x % 3);
    EXPECT_EQ(walk.features().rows.indices(s)[0], x % 5);
  }
}

TEST(StoredWalk, DoesNotDependOnHowTheStepsArePassed) {
  const Features features = line_features(100);
  std::vector<std::int32_t> pairs;
  for (std::int32_t x = 0; x < 99; ++x) pairs.push_back(3 * x + (x * x) % 3);
  StoredWalk whole(line_structure, 3, 10), parts(line_structure, 3, 10);
  whole.add(features, pairs, 99);
  for (std::size_t at = 0; at < pairs.size();) {
    const std::size_t count = std::min<std::size_t>(1 + at % 4, pairs.size() - at);
    parts.add(features, std::span(pairs).subspan(at, count), static_cast<std::int32_t>(at + count));
    at += count;
  }
  ByteWriter a, b;
  whole.save(a);
  parts.save(b);
  EXPECT_EQ(a.bytes(), b.bytes());
}

TEST(StoredWalk, AWalkThatIsBrokenOffHasNoTransitionAcrossTheGap) {
  const Features features = line_features(100);
  StoredWalk walk(line_structure, 3, 10);
  const std::int32_t first = 3 * 4 + 1, second = 3 * 20 + 2;
  walk.add(features, {&first, 1}, 5);
  walk.add(features, {&second, 1}, 21);
  ASSERT_EQ(walk.states(), 4);
  EXPECT_EQ(walk.taken(0), 1);
  EXPECT_EQ(walk.taken(1), -1);
  EXPECT_EQ(walk.taken(2), 2);
  EXPECT_EQ(walk.transitions(), 2);
}

TEST(StoredWalk, IsRestoredAndRefusesWhatDoesNotFit) {
  const Features features = line_features(100);
  StoredWalk walk(line_structure, 3, 10), other(line_structure, 3, 10);
  const std::vector<std::int32_t> pairs = {0, 4, 8};
  walk.add(features, pairs, 3);
  ByteWriter to;
  walk.save(to);
  ByteReader from(to.bytes());
  other.restore(from);
  ByteWriter again;
  other.save(again);
  EXPECT_EQ(to.bytes(), again.bytes());
  EXPECT_EQ(other.transitions(), 3);
  StoredWalk narrow({.blocks = 3, .width = 5, .exclusive = 0}, 3, 10);
  ByteReader wrong(to.bytes());
  EXPECT_THROW(narrow.restore(wrong), Error);
}

}  // namespace
}  // namespace politex
