#include "politex/algorithm/collect_data.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace politex {
namespace {

std::vector<By> actors_of(const Part& part) {
  std::vector<By> steps;
  for_each_segment(part,
                   [&](std::int64_t count, By by) { steps.insert(steps.end(), static_cast<std::size_t>(count), by); });
  return steps;
}

TEST(CollectData, EachRolloutIsExplorerProbeTarget) {
  using enum By;
  const Part part{.lengths = {.rollouts = 2, .explore = 2, .probe = 1, .follow = 3}, .steps = 12};
  EXPECT_EQ(actors_of(part), (std::vector{explorer, explorer, probe, target, target, target,  //
                                          explorer, explorer, probe, target, target, target}));
}

TEST(CollectData, SegmentsOfNoStepsAreLeftOut) {
  int calls = 0;
  for_each_segment(Part{.lengths = {.rollouts = 3, .explore = 0, .probe = 0, .follow = 4}, .steps = 12},
                   [&](std::int64_t count, By by) {
                     EXPECT_EQ(count, 4);
                     EXPECT_EQ(by, By::target);
                     ++calls;
                   });
  EXPECT_EQ(calls, 3);
}

TEST(CollectData, TwoPartsOfAPhaseAreThePhase) {
  const Lengths lengths{.rollouts = 3, .explore = 2, .probe = 1, .follow = 4};
  const std::vector<By> whole = actors_of({.lengths = lengths, .steps = lengths.total()});
  ASSERT_EQ(static_cast<std::int64_t>(whole.size()), lengths.total());
  for (std::int64_t cut = 0; cut <= lengths.total(); ++cut) {
    std::vector<By> both = actors_of({.lengths = lengths, .steps = cut});
    const std::vector<By> rest = actors_of({.lengths = lengths, .steps = lengths.total(), .played = cut});
    both.insert(both.end(), rest.begin(), rest.end());
    EXPECT_EQ(both, whole) << "cut at " << cut;
  }
}

TEST(CollectData, APhaseIsWholeWhenAllItsStepsWerePlayed) {
  const std::vector<double> costs = {1, 2, 3, 6};
  Phase phase;
  phase.lengths = {.rollouts = 1, .explore = 1, .probe = 1, .follow = 2};
  phase.costs = costs;
  EXPECT_TRUE(is_whole(phase));
  EXPECT_EQ(mean_cost(phase), 3.0);
  phase.lengths.follow = 3;
  EXPECT_FALSE(is_whole(phase));
}

}  // namespace
}  // namespace politex
