// Runs whose end is moved: a phase that was cut off is carried on, to the bits of a run without the break.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "small_loops.hpp"

namespace politex {
namespace {

using test::SmallRun;

std::unique_ptr<Loop> open_ended(SmallRun setup, std::int64_t steps) {
  setup.steps = steps;
  auto loop = test::make_loop(setup);
  loop->make_extendable();
  return loop;
}

void play(Loop& loop) {
  while (!loop.done()) loop.advance();
}

void expect_equal(const Loop& one, const Loop& other) {
  EXPECT_EQ(one.steps_done(), other.steps_done());
  EXPECT_EQ(one.phases(), other.phases());
  EXPECT_EQ(one.signature().text(), other.signature().text());
  EXPECT_TRUE(std::ranges::equal(one.learner().weights(), other.learner().weights()));
  EXPECT_EQ(one.costs().all().cost, other.costs().all().cost);
  for (const By by : {By::explorer, By::probe, By::target}) {
    EXPECT_EQ(one.costs().part(by).cost, other.costs().part(by).cost);
    EXPECT_EQ(one.costs().part(by).steps, other.costs().part(by).steps);
  }
  EXPECT_EQ(one.costs().last_tenth().cost, other.costs().last_tenth().cost);
  EXPECT_EQ(one.costs().phase_average(), other.costs().phase_average());
}

TEST(OpenPhase, EveryCutIsCarriedOnToTheSameBits) {
  constexpr std::int64_t total = 300;  // phases of 68 steps: four whole ones, and 28 steps of the fifth
  for (const char* algorithm : test::every_algorithm)
    for (const bool compiled : {true, false}) {
      SmallRun setup{.algorithm = algorithm, .steps = total, .compiled = compiled};
      const auto whole = test::make_loop(setup);
      play(*whole);
      for (std::int64_t cut = 1; cut < total; cut += 7) {
        SCOPED_TRACE(testing::Message() << algorithm << (compiled ? " compiled" : " generic") << ", cut at " << cut);
        const auto parts = open_ended(setup, cut);
        play(*parts);
        EXPECT_EQ(parts->open(), cut % 68 != 0);
        parts->extend(std::min(total, cut + 20));
        play(*parts);
        ByteWriter saved;
        parts->save(saved);
        const auto again = open_ended(setup, cut);
        ByteReader from(saved.bytes());
        again->restore(from);
        EXPECT_TRUE(from.empty());
        expect_equal(*again, *parts);
        for (Loop* loop : {parts.get(), again.get()}) {
          loop->extend(total);
          play(*loop);
          expect_equal(*loop, *whole);
        }
      }
    }
}

TEST(OpenPhase, DoublingRestartsWhereItWould) {
  constexpr std::int64_t first = std::int64_t{1} << 19;
  const auto make = [](std::int64_t steps) {
    const FiniteModel model = deep_sea_model(DeepSea(3));
    const Features features = test::features_of(model);
    auto learner = std::make_unique<PolitexLearner>(Lsmc({}, features.structure()), features.structure(),
                                                    PolitexLearner::StepSize{.eta = 0.1, .q_max = 0.0}, 2, 1.0);
    auto loop = std::make_unique<Loop>(
        std::make_unique<FiniteCollector>(FiniteWorld(model), features, PolicyTable(9, 2), 1), std::move(learner),
        Schedule({.kind = ScheduleOptions::Kind::doubling, .steps = steps, .explores = true, .fixed = {}}), steps);
    loop->make_extendable();
    return loop;
  };
  const auto whole = make(first + 5000);
  play(*whole);
  for (const std::int64_t cut : {first - 10, first, first + 10}) {
    const auto parts = make(cut);
    play(*parts);
    parts->extend(first + 5000);
    play(*parts);
    expect_equal(*parts, *whole);
  }
}

TEST(OpenPhase, LengthsThatCountOnTKeepTheFirst) {
  Schedule schedule({.kind = ScheduleOptions::Kind::theory_text, .steps = 10'000, .explores = true, .fixed = {}});
  const Lengths before = schedule.next(0).lengths;
  const double phases = schedule.phases(0);
  schedule.extend(1'000'000);
  EXPECT_EQ(schedule.next(0).lengths, before);
  EXPECT_EQ(schedule.next(999'999).steps, 1);
  EXPECT_EQ(schedule.phases(999'999), phases);
}

TEST(OpenPhase, ARunNotMadeForItSaysSo) {
  const auto loop = test::make_loop({});
  EXPECT_THROW(loop->extend(10'000), Error);
  const auto open = open_ended({}, 50);
  play(*open);
  EXPECT_THROW(open->extend(49), Error);
}

}  // namespace
}  // namespace politex
