#include "politex/lab/pool.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "politex/base/error.hpp"
#include "politex/lab/progress_line.hpp"

namespace politex::lab {
namespace {

std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

TEST(Pool, EveryJobOnceWhateverTheNumberOfThreads) {
  for (const int jobs : {1, 2, 7, 64}) {
    std::vector<std::atomic<int>> calls(100);
    run_jobs(in_order(100), jobs, [&](std::size_t i) { ++calls[i]; });
    EXPECT_TRUE(std::ranges::all_of(calls, [](const auto& count) { return count == 1; })) << jobs;
  }
  run_jobs({}, 3, [](std::size_t) { FAIL(); });
}

TEST(Pool, OneThreadKeepsTheOrder) {
  const std::vector<std::size_t> order{3, 1, 2, 0};
  std::vector<std::size_t> seen;
  run_jobs(order, 1, [&](std::size_t i) { seen.push_back(i); });
  EXPECT_EQ(seen, order);
}

TEST(Pool, AFailureStopsTheRestAndIsThrown) {
  for (const int jobs : {1, 4}) {
    std::atomic<int> calls = 0;
    try {
      run_jobs(in_order(10'000), jobs, [&](std::size_t i) {
        ++calls;
        if (i == 5) throw std::runtime_error("five");
      });
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()), "five");
    }
    if (jobs == 1) {
      EXPECT_EQ(calls, 6);
    }
  }
}

TEST(Pool, JobsBelowZeroAreRefused) {
  EXPECT_THROW(resolve_jobs(-1), ConfigError);
  EXPECT_GE(resolve_jobs(0), 1);
  EXPECT_EQ(resolve_jobs(5), 5);
}

TEST(ProgressLine, EstimatesAndFitsTheTerminal) {
  EXPECT_EQ(progress_text("deep_sea", 25, 100, 0.25, 10.0, 80), "deep_sea  25/100 runs  25%  30 s left");
  EXPECT_EQ(progress_text("deep_sea", 100, 100, 1.0, 75.0, 80), "deep_sea  100/100 runs  100%  in 1:15 min");
  EXPECT_EQ(progress_text("deep_sea", 0, 100, 0.0, 10.0, 80), "deep_sea  0/100 runs  0%");
  for (int width = 0; width < 60; ++width) {
    EXPECT_LE(progress_text("deep_sea", 25, 100, 0.25, 10.0, width).size(), static_cast<std::size_t>(width));
  }
  EXPECT_EQ(duration_text(7300), "2:01 h");
}

}  // namespace
}  // namespace politex::lab
