#include "politex/base/pool.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/no_threads.hpp"
#include "politex/base/error.hpp"
#include "politex/record/live_line.hpp"

namespace politex {
namespace {

std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

TEST(Pool, EveryJobRunsOnceForAnyNumberOfThreads) {
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

TEST(Pool, RunsAllJobsWhereNoThreadCanBeStarted) {
  const auto outcome = without_threads([] {
    std::vector<int> calls(100);
    run_jobs(in_order(100), 4, [&](std::size_t i) { ++calls[i]; });
    return std::ranges::count(calls, 1) == 100 ? 0 : 1;
  });
  if (!outcome) GTEST_SKIP() << "this process may not become another user";
  EXPECT_EQ(*outcome, 0);
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

TEST(Pool, ANegativeNumberOfJobsIsRejected) {
  EXPECT_THROW(resolve_jobs(-1), ConfigError);
  EXPECT_GE(resolve_jobs(0), 1);
  EXPECT_EQ(resolve_jobs(5), 5);
}

TEST(JobsLine, CountsTheJobsOfManyThreadsAndEndsWithTheTime) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  {
    JobsLine line("deep_sea", 64, 640.0, file);
    run_jobs(in_order(64), 4, [&](std::size_t) { line.done(10.0); });
  }
  std::string text(200, '\0');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  EXPECT_TRUE(text.starts_with("0/64 runs  0%  deep_sea\n")) << text;
  const std::size_t last = text.rfind("64/64 runs  100%  in ");  // the duration varies
  ASSERT_NE(last, std::string::npos) << text;
  EXPECT_EQ(text.find('\n', last), text.size() - 1);
  EXPECT_TRUE(text.ends_with("  deep_sea\n")) << text;
}

}  // namespace
}  // namespace politex
