// Coverage of the intervals for one long correlated run. Oracles: an autoregressive process has mean 0, and a queue
// with load rho has rho / (1 - rho) customers on average. Every length is a test of its own, also those of which most
// runs are refused: what is accepted of them must cover too. Seeds are fixed. With fresh seeds (POLITEX_COVERAGE) a
// false alarm needs fewer than 94% by chance where the true coverage is 95.4% or more (measured), of 2,500 and more
// accepted intervals: below 1e-3 for each test.
#include "politex/evaluate/long_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "evaluate/coverage.hpp"
#include "politex/base/rng.hpp"

namespace politex {
namespace {

using ::testing::HasSubstr;

Batches autoregressive(std::uint64_t seed, double phi, std::int64_t steps, std::int64_t batch_steps) {
  Rng rng(seed);
  Batches out;
  double x = 0.0;
  const double scale = std::sqrt(1.0 - phi * phi);
  for (std::int64_t b = 0; b < steps / batch_steps; ++b) {
    Batch batch{0.0, batch_steps};
    // A sum of uniforms has the same autocorrelation as a normal and is drawn faster.
    for (std::int64_t t = 0; t < batch_steps; ++t) {
      x = phi * x + scale * std::sqrt(12.0) * (rng.uniform() - 0.5);
      batch.cost += x;
    }
    out.push_back(batch);
  }
  return out;
}

struct Queue {
  Batches batches, cycles;
};

Queue queue(std::uint64_t seed, double load, std::int64_t steps, std::int64_t batch_steps) {
  Rng rng(seed);
  Queue out;
  const double arrival = load / (1.0 + load);
  Batch batch, cycle;
  int length = 0;
  bool begun = false;
  for (std::int64_t t = 0; t < steps; ++t) {
    if (length == 0 && (!begun || cycle.steps >= batch_steps)) {
      if (begun) out.cycles.push_back(cycle);
      begun = true;
      cycle = {};
    }
    batch.cost += length;
    cycle.cost += length;
    ++batch.steps;
    ++cycle.steps;
    if (batch.steps == batch_steps) {
      out.batches.push_back(batch);
      batch = {};
    }
    if (rng.uniform() < arrival)
      ++length;
    else if (length > 0)
      --length;
  }
  return out;
}

/// The first batches of a series, as many as are within `steps`.
Batches cut(const Batches& series, std::int64_t steps) {
  Batches out;
  for (const Batch& each : series) {
    steps -= each.steps;
    if (steps < 0) break;
    out.push_back(each);
  }
  return out;
}

/// The intervals of one kind of run, cut at several lengths.
struct Lengths {
  std::vector<std::int64_t> steps;
  std::vector<Coverage> means{steps.size()}, cycles{steps.size()};

  void add(const Queue& run, double truth) {
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const Batches one = cut(run.batches, steps[k]), groups = cut(run.cycles, steps[k]);
      count(batch_means({&one, 1}), truth, means[k]);
      if (!groups.empty()) count(regenerative({&groups, 1}, {&one, 1}), truth, cycles[k]);
    }
  }
  static void count(const LongRun& run, double truth, Coverage& into) {
    if (!run.refused()) into.add(run.interval, truth);
  }
  void expect_enough() const {
    for (std::size_t k = 0; k < steps.size(); ++k) {
      EXPECT_TRUE(means[k].is_enough()) << steps[k] << ": " << means[k];
      EXPECT_TRUE(cycles[k].is_enough()) << steps[k] << ": " << cycles[k];
    }
  }
};

TEST(BatchMeans, CoverTheMeanOfAnAutoregressiveProcess) {
  Lengths found{.steps = {60'000, 120'000, 150'000, 200'000}};
  const Seeds seeds(250);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed)
    found.add({.batches = autoregressive(seed, 0.99, 200'000, 64), .cycles = {}}, 0.0);
  found.expect_enough();
  EXPECT_EQ(found.means[0].accepted, 0);
  EXPECT_GT(found.means[3].accepted, 0.88 * seeds.count());
}

// A quarter of these runs is long enough by chance.
TEST(BatchMeans, CoverWhatIsAcceptedOfRunsThatAreNearlyTooShort) {
  Lengths found{.steps = {10'000, 12'000, 15'000, 20'000}};
  const Seeds seeds(1500);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed)
    found.add({.batches = autoregressive(seed, 0.9, 20'000, 16), .cycles = {}}, 0.0);
  found.expect_enough();
  EXPECT_GT(found.means[0].accepted, 0.1 * seeds.count());
  EXPECT_LT(found.means[0].accepted, 0.4 * seeds.count());
}

TEST(BatchMeans, RefuseWhatIsTooShort) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Batches one = autoregressive(seed, 0.99, 50'000, 64);
    EXPECT_THAT(batch_means({&one, 1}).refusal, HasSubstr("too short"));
    EXPECT_TRUE(std::isnan(batch_means({&one, 1}).interval.low));
  }
}

TEST(BatchMeans, CoverOrRefuseAQueueNearItsCapacity) {
  Lengths found{.steps = {500'000, 1'500'000, 2'000'000, 2'500'000, 4'000'000}};
  const Seeds seeds(60);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) found.add(queue(seed, 0.95, 4'000'000, 512), 19.0);
  found.expect_enough();
  EXPECT_EQ(found.means[0].accepted, 0);
  EXPECT_GT(found.means.back().accepted, 0.7 * seeds.count());
  EXPECT_GT(found.cycles.back().accepted, 0.7 * seeds.count());
}

TEST(BatchMeans, CoverOrRefuseABusyQueue) {
  Lengths found{.steps = {350'000, 500'000, 700'000}};
  const Seeds seeds(150);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) found.add(queue(seed, 0.9, 700'000, 64), 9.0);
  found.expect_enough();
  EXPECT_LT(found.means[0].accepted, 0.3 * seeds.count());
  EXPECT_GT(found.cycles.back().accepted, 0.75 * seeds.count());
}

TEST(BatchMeans, CoverAtModerateLoadBothWays) {
  Lengths found{.steps = {20'000, 60'000}};
  const Seeds seeds(1000);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) found.add(queue(seed, 0.5, 60'000, 16), 1.0);
  found.expect_enough();
  EXPECT_GT(found.means[1].accepted, 0.94 * seeds.count());
  EXPECT_GT(found.cycles[1].accepted, 0.94 * seeds.count());
  EXPECT_LT(found.means[1].covered, 0.98 * found.means[1].accepted);  // intervals that always cover would be too wide
}

TEST(BatchMeans, RefuseRunsThatDisagreeADriftAndRareEvents) {
  std::vector<Batches> runs;
  for (std::uint64_t run = 0; run < 4; ++run) {
    runs.push_back(autoregressive(run + 1, 0.0, 64'000, 64));
    for (Batch& each : runs.back()) each.cost += run == 2 ? 1.5 : 0.0;
  }
  EXPECT_THAT(batch_means(runs).refusal, HasSubstr("several classes"));
  Batches drifting = autoregressive(1, 0.0, 64'000, 64);
  for (std::size_t i = 0; i < drifting.size(); ++i) drifting[i].cost += 0.005 * static_cast<double>(i);
  EXPECT_THAT(batch_means({&drifting, 1}).refusal, HasSubstr("drifts"));
  Batches rare(1000, Batch{0.0, 64});
  rare[500].cost = 1000.0;
  EXPECT_THAT(batch_means({&rare, 1}).refusal, HasSubstr("a few batches decide"));
  const Batches constant(1000, Batch{32.0, 64});
  EXPECT_EQ(batch_means({&constant, 1}).interval, (Interval{0.5, 0.5, 0.5}));
  const Batches few(100, Batch{32.0, 64});
  EXPECT_THAT(batch_means({&few, 1}).refusal, HasSubstr("at least 512"));
}

TEST(BatchMeans, AreStudentsIntervalOfIndependentBatches) {
  // Independent normal batches: the interval is Student's on 31 to 63 means, up to its corrections.
  const Batches one = autoregressive(3, 0.0, 64 * 1024, 64);
  const LongRun found = batch_means({&one, 1});
  ASSERT_FALSE(found.refused());
  EXPECT_GE(found.batches, 31);
  EXPECT_LT(found.batches, 64);
  EXPECT_NEAR(found.deviation, 1.0, 0.35);  // of a step: its standard deviation
  const double expected = 1.05 * student_quantile(0.975, found.batches - 1.0) * found.deviation /
                          std::sqrt(static_cast<double>(found.steps));
  EXPECT_NEAR(found.interval.half_width(), expected, 0.1 * expected);
}

}  // namespace
}  // namespace politex
