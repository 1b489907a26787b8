#include "politex/bench/bench_neural.hpp"

#include <gtest/gtest.h>

#include <map>

#include "bench/small_effort.hpp"

namespace politex {
namespace {

TEST(NeuralBench, ItsRowsFollowFromMeasuredTimes) {
  const std::vector<NeuralBenchRow> rows = run_neural_bench(small_effort());
  std::map<std::string, double> values;
  for (const NeuralBenchRow& row : rows) {
    EXPECT_TRUE(values.emplace(row.name, row.value).second) << row.name;
    EXPECT_GT(row.value, 0.0) << row.name;
    EXPECT_NE(row.unit, "") << row.name;
    EXPECT_EQ(row.skipped, "") << row.name;
  }
  EXPECT_EQ(values.at("learner compared with plain products"),
            values.at("learner step, max with double Q") / values.at("the same in plain Eigen products"));
  for (const int hidden : {64, 128, 256, 512, 1024, 2048}) {
    const std::string size = std::to_string(hidden);
    EXPECT_EQ(values.at("  per hidden unit of " + size), 1e9 / values.at("learner step, " + size + " hidden") / hidden);
  }
}

}  // namespace
}  // namespace politex
