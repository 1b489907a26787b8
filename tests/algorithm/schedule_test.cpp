#include "politex/algorithm/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "politex/base/error.hpp"

namespace politex {
namespace {

using Kind = ScheduleOptions::Kind;

Schedule make(Kind kind, std::int64_t steps, bool explores = true, Lengths fixed = {5, 10, 1, 20}) {
  return Schedule({.kind = kind, .steps = steps, .explores = explores, .fixed = fixed});
}

TEST(Schedule, FixedRunsExactlyAllSteps) {
  const Schedule schedule = make(Kind::fixed, 1000);
  std::int64_t done = 0, phases = 0;
  while (done < 1000) {
    const Schedule::Next next = schedule.next(done);
    EXPECT_EQ(next.lengths, (Lengths{5, 10, 1, 20}));
    EXPECT_EQ(next.steps, std::min<std::int64_t>(155, 1000 - done));
    EXPECT_FALSE(next.restart);
    done += next.steps;
    ++phases;
  }
  EXPECT_EQ(phases, 7);
  EXPECT_EQ(schedule.phases(0), 7.0);
}

TEST(Schedule, TheoryIsTheAlgorithmRoundedToNearest) {
  const double T = 1e8;
  const Lengths lengths = make(Kind::theory, 100'000'000).next(0).lengths;
  EXPECT_EQ(lengths.rollouts, std::llround(std::pow(T, 0.4)));
  EXPECT_EQ(lengths.explore, std::llround(std::log(T)));
  EXPECT_EQ(lengths.probe, 1);
  EXPECT_EQ(lengths.follow, std::llround(std::pow(T, 0.2) - std::log(T)));
  EXPECT_EQ(make(Kind::theory_text, 100'000'000).next(0).lengths.follow, std::llround(std::pow(T, 0.2)));
  EXPECT_EQ(make(Kind::theory, 100'000'000).phases(0), static_cast<double>(std::llround(std::pow(T, 0.4))));
}

TEST(Schedule, TheoryIsRefusedWhereItHasNoSteps) {
  for (const std::int64_t steps : {1000, 100'000, 330'000}) {
    try {
      make(Kind::theory, steps);
      ADD_FAILURE() << steps;
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.key(), "steps");
      EXPECT_NE(std::string(error.what()).find("T^(1/5) - log T"), std::string::npos);
    }
  }
  EXPECT_NO_THROW(make(Kind::theory, 1'000'000));
  EXPECT_NO_THROW(make(Kind::theory_text, 1000));
}

TEST(Schedule, PolitexHasSquareRootPhasesWithoutExploration) {
  const Schedule schedule = make(Kind::politex, 1'000'000, false, {5, 0, 0, 100});
  EXPECT_EQ(schedule.next(0).lengths, (Lengths{10, 0, 0, 100}));
  EXPECT_EQ(schedule.phases(0), 1000.0);
}

TEST(Schedule, DoublingRestartsAtPowersOfTwo) {
  const std::int64_t first = 1 << 19, steps = 5 * first;
  const Schedule schedule = make(Kind::doubling, steps);
  std::int64_t done = 0;
  std::vector<std::int64_t> restarts;
  while (done < steps) {
    const Schedule::Next next = schedule.next(done);
    ASSERT_GT(next.steps, 0);
    if (next.restart) restarts.push_back(done);
    done += next.steps;
  }
  EXPECT_EQ(done, steps);
  EXPECT_EQ(restarts, (std::vector<std::int64_t>{first, 3 * first}));
  EXPECT_EQ(schedule.next(first).lengths, make(Kind::theory, 2 * first).next(0).lengths);
}

TEST(Schedule, RefusesLengths) {
  EXPECT_THROW(make(Kind::fixed, 0), ConfigError);
  EXPECT_THROW(make(Kind::fixed, 10, true, {0, 1, 1, 1}), ConfigError);
  EXPECT_THROW(make(Kind::fixed, 10, true, {1, 1, 1, 0}), ConfigError);
  EXPECT_THROW(make(Kind::fixed, 10, true, {1, -1, 1, 1}), ConfigError);
  EXPECT_THROW(make(Kind::fixed, 10, true, {1'000'000, 1'000'000, 1, 1}), ConfigError);
}

TEST(Schedule, CoprimeLengthensFollow) {
  for (int n = 2; n <= 50; ++n) {
    const Lengths lengths{5, n / 2, 1, n};
    const Lengths made = made_coprime(lengths, n);
    EXPECT_FALSE(some_rows_never_start(made, n));
    for (std::int64_t follow = lengths.follow; follow < made.follow; ++follow)
      EXPECT_GT(std::gcd(lengths.explore + 1 + follow, std::int64_t{n}), 1);
  }
  // gcd(s + s' + 1, N) of the FIGURE preset, facts.md: 2, 1, 2, 1, 2, 2.
  for (const auto& [n, trapped] : {std::pair{2, true}, {5, false}, {10, true}, {20, false}, {30, true}, {50, true}})
    EXPECT_EQ(some_rows_never_start({5, n / 2, 1, n}, n), trapped) << n;
}

}  // namespace
}  // namespace politex
