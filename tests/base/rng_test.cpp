#include "politex/base/rng.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace politex {
namespace {

using Four = std::array<std::uint64_t, 4>;

// The known answers of Random123 (kat_vectors, philox 4x64 with 10 rounds).
TEST(Rng, MatchesRandom123KnownAnswers) {
  EXPECT_EQ(philox_block({0, 0, 0, 0}, {0, 0}),
            (Four{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}));
  const std::uint64_t ones = ~std::uint64_t{0};
  EXPECT_EQ(philox_block({ones, ones, ones, ones}, {ones, ones}),
            (Four{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}));
  EXPECT_EQ(philox_block({0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
                         {0x452821e638d01377, 0xbe5466cf34e90c6c}),
            (Four{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}));
}

TEST(Rng, StreamIsTheBlocksInOrder) {
  Rng rng{7, Use::action, 3, 5};
  for (std::uint64_t block = 0; block < 40; ++block) {
    const Four expected = philox_block({block, 3, 5, 0}, {7, static_cast<std::uint64_t>(Use::action)});
    for (const std::uint64_t draw : expected) EXPECT_EQ(rng.bits(), draw);
  }
}

TEST(Rng, DifferentNamesGiveDifferentStreams) {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed : {1, 2})
    for (const Use use : {Use::action, Use::environment})
      for (std::uint64_t index : {0, 1})
        for (std::uint64_t sub : {0, 1}) first.insert(Rng(seed, use, index, sub).bits());
  EXPECT_EQ(first.size(), 16u);
}

TEST(Rng, SeekContinuesAtAnyPosition) {
  Rng whole{11};
  std::vector<std::uint64_t> draws;
  for (int k = 0; k < 200; ++k) draws.push_back(whole.bits());
  for (std::uint64_t position : {0, 1, 31, 32, 33, 64, 100, 199}) {
    Rng rng{11};
    rng.seek(position);
    EXPECT_EQ(rng.position(), position);
    EXPECT_EQ(rng.bits(), draws[position]);
    EXPECT_EQ(rng.position(), position + 1);
  }
}

TEST(Rng, UniformAndBelowStayInRange) {
  Rng rng{13};
  for (int k = 0; k < 10000; ++k) {
    const double u = rng.uniform();
    EXPECT_GE(u, 0.0);
    EXPECT_LT(u, 1.0);
    EXPECT_LT(rng.below(7), 7u);
  }
  EXPECT_EQ(rng.below(1), 0u);
}

// 7 cells, 70,000 draws: chi-square with 6 degrees of freedom is above 27.86 with probability 1e-4.
TEST(Rng, BelowIsUniform) {
  Rng rng{17};
  std::array<double, 7> count{};
  for (int k = 0; k < 70000; ++k) count[rng.below(7)] += 1.0;
  double chi = 0.0;
  for (const double c : count) chi += (c - 10000.0) * (c - 10000.0) / 10000.0;
  EXPECT_LT(chi, 27.86);
}

// Each bound is four standard errors of the estimate: a false alarm in about 1 of 4,000 seeds in all.
TEST(Rng, NormalHasTheRightMoments) {
  Rng rng{19};
  const int n = 200000;
  double sum = 0.0, square = 0.0, fourth = 0.0;
  for (int k = 0; k < n; ++k) {
    const double z = rng.normal();
    sum += z;
    square += z * z;
    fourth += z * z * z * z;
  }
  EXPECT_NEAR(sum / n, 0.0, 4.0 / std::sqrt(n));
  EXPECT_NEAR(square / n, 1.0, 4.0 * std::sqrt(2.0 / n));
  EXPECT_NEAR(fourth / n, 3.0, 4.0 * std::sqrt(96.0 / n));
}

}  // namespace
}  // namespace politex
