// Coverage of the intervals for one long correlated run. Oracles: an autoregressive process has mean 0, and a queue
// with load .95 has .95 / .05 = 19 customers on average. A false alarm needs a coverage below 94% by chance: with n
// accepted intervals that truly cover 95.5% (measured with 1,000 seeds), fewer than the limits below happen with
// probability below 1e-4 (binomial).
#include "politex/evaluate/long_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

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

/// Seeds of a coverage test: with POLITEX_COVERAGE=N (.ci/run nightly) N times as many, which were never looked at.
struct Seeds {
  explicit Seeds(std::uint64_t fast) {
    const char* const times = std::getenv("POLITEX_COVERAGE");
    if (times != nullptr) first = 1'000'001;
    last = first - 1 + fast * (times != nullptr ? std::strtoull(times, nullptr, 10) : 1);
  }
  std::uint64_t first = 1, last = 0;
};

struct Coverage {
  int accepted = 0, covered = 0;
  void add(const LongRun& run, double truth) {
    if (run.refused()) return;
    ++accepted;
    covered += run.interval.low <= truth && truth <= run.interval.high ? 1 : 0;
  }
  /// At least 94%, less what happens by chance with probability 1e-4 at a true coverage of 94%.
  bool is_enough() const {
    const double n = accepted;
    return covered >= 0.94 * n - 3.72 * std::sqrt(0.94 * 0.06 * n);
  }
};

TEST(BatchMeans, CoverTheMeanOfAnAutoregressiveProcess) {
  Coverage found;
  const Seeds seeds(250);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    const Batches one = autoregressive(seed, 0.99, 200'000, 64);
    found.add(batch_means({&one, 1}), 0.0);
  }
  EXPECT_GT(found.accepted, 220);
  EXPECT_TRUE(found.is_enough()) << found.covered << " of " << found.accepted;
}

TEST(BatchMeans, RefuseWhatIsTooShort) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Batches one = autoregressive(seed, 0.99, 50'000, 64);
    EXPECT_THAT(batch_means({&one, 1}).refusal, HasSubstr("too short"));
    EXPECT_TRUE(std::isnan(batch_means({&one, 1}).interval.low));
  }
}

TEST(BatchMeans, CoverOrRefuseAQueueNearItsCapacity) {
  Coverage means, cycles, short_means;
  const Seeds seeds(40);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    const Queue one = queue(seed, 0.95, 6'000'000, 512);
    means.add(batch_means({&one.batches, 1}), 19.0);
    cycles.add(regenerative({&one.cycles, 1}, {&one.batches, 1}), 19.0);
    const Batches start(one.batches.begin(), one.batches.begin() + 1000);
    short_means.add(batch_means({&start, 1}), 19.0);
  }
  EXPECT_EQ(short_means.accepted, 0);
  EXPECT_GT(means.accepted, 20);
  EXPECT_GT(cycles.accepted, 20);
  EXPECT_TRUE(means.is_enough()) << means.covered << " of " << means.accepted;
  EXPECT_TRUE(cycles.is_enough()) << cycles.covered << " of " << cycles.accepted;
}

TEST(BatchMeans, CoverAtModerateLoadBothWays) {
  Coverage means, cycles;
  const Seeds seeds(400);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    const Queue one = queue(seed, 0.5, 60'000, 64);
    means.add(batch_means({&one.batches, 1}), 1.0);
    cycles.add(regenerative({&one.cycles, 1}, {&one.batches, 1}), 1.0);
  }
  EXPECT_GT(means.accepted, 380);
  EXPECT_GT(cycles.accepted, 380);
  EXPECT_TRUE(means.is_enough()) << means.covered << " of " << means.accepted;
  EXPECT_TRUE(cycles.is_enough()) << cycles.covered << " of " << cycles.accepted;
  EXPECT_LT(means.covered, means.accepted);  // intervals that always cover would be too wide
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
