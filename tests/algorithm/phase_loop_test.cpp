#include "politex/algorithm/phase_loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "small_loops.hpp"

namespace politex {
namespace {

using test::make_loop;
using test::SmallRun;

TEST(PhaseLoop, TheStateContinuesAcrossRolloutsAndPhases) {
  SmallRun setup{.algorithm = "ee_every"};
  const auto loop = make_loop(setup);
  int state = 0;
  while (!loop->done()) {
    const std::int64_t before = loop->steps_done();
    const Phase phase = loop->advance();
    // No resets: the state continues across rollouts and phases.
    for (std::size_t t = 0; t < phase.pairs.size(); ++t) {
      ASSERT_EQ(phase.pairs[t] / 2, state);
      state = setup.model.next[static_cast<std::size_t>(phase.pairs[t])];
      const auto within = static_cast<std::int64_t>(t) % phase.lengths.rollout();
      if (within < phase.lengths.explore) {
        ASSERT_EQ(phase.pairs[t] % 2, 1);
      }
    }
    ASSERT_EQ(phase.last_state, state);
    ASSERT_EQ(loop->steps_done() - before, static_cast<std::int64_t>(phase.pairs.size()));
  }
  EXPECT_EQ(loop->steps_done(), setup.steps);
  EXPECT_EQ(loop->costs().all().steps, setup.steps);
}

TEST(PhaseLoop, TheCutLastPhaseIsPlayedNotLearnedFrom) {
  SmallRun setup{.algorithm = "ee_every", .steps = 68 + 30};
  const auto loop = make_loop(setup);
  loop->advance();
  const std::vector<double> weights(loop->learner().weights().begin(), loop->learner().weights().end());
  loop->advance();
  EXPECT_TRUE(loop->done());
  EXPECT_TRUE(std::ranges::equal(weights, loop->learner().weights()));
  EXPECT_EQ(loop->costs().all().steps, 98);
}

TEST(PhaseLoop, ARestoredRunContinuesWithTheSameBits) {
  for (const bool compiled : {true, false})
    for (const char* algorithm : test::every_algorithm) {
      const SmallRun setup{
          .model = test::some_models()[2], .algorithm = algorithm, .steps = 1500, .compiled = compiled};
      const auto whole = make_loop(setup);
      while (!whole->done()) whole->advance();
      auto part = make_loop(setup);
      for (int phase = 0; phase < 22; ++phase) {
        if (phase % 5 == 4) {
          ByteWriter to;
          part->save(to);
          part = make_loop(setup);
          ByteReader from{to.bytes()};
          part->restore(from);
          EXPECT_TRUE(from.empty());
        }
        part->advance();
      }
      while (!part->done()) part->advance();
      EXPECT_EQ(part->signature().text(), whole->signature().text()) << algorithm << compiled;
      EXPECT_EQ(part->costs().all().cost, whole->costs().all().cost);
    }
}

TEST(PhaseLoop, TheSignatureDiffersBySeedAndAlgorithm) {
  std::vector<std::string> seen;
  for (const char* algorithm : test::every_algorithm)
    for (std::uint64_t seed : {1, 2}) {
      const auto loop = make_loop({.algorithm = algorithm, .steps = 500, .seed = seed});
      while (!loop->done()) loop->advance();
      seen.push_back(loop->signature().text());
      const auto again = make_loop({.algorithm = algorithm, .steps = 500, .seed = seed});
      while (!again->done()) again->advance();
      EXPECT_EQ(again->signature().text(), seen.back());
    }
  std::ranges::sort(seen);
  EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
}

}  // namespace
}  // namespace politex
