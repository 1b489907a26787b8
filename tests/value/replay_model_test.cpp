// Against the counts that it is made from.
#include "politex/value/replay_model.hpp"

#include <gtest/gtest.h>

#include "politex/base/rng.hpp"

namespace politex {
namespace {

TEST(ReplayModel, EqualsTheCountsItIsMadeFrom) {
  constexpr int states = 9, actions = 3;
  TransitionCounts counts(states, actions);
  std::vector<double> costs(states * actions), scatter(states * actions), values(states);
  Rng rng(5, Use::environment);
  for (double& value : values) value = rng.normal();
  ReplayModel model;
  for (int t = 0; t < 300; ++t) {
    // State 4 is never seen.
    const auto draw = [&] { return static_cast<std::int32_t>((5 + rng.below(states - 1)) % states); };
    const auto pair = static_cast<std::int32_t>(draw() * actions + static_cast<std::int32_t>(rng.below(2)));
    counts.add(pair, draw());
    costs[static_cast<std::size_t>(pair)] += rng.normal();
    scatter[static_cast<std::size_t>(pair)] += rng.uniform();
    if (t % 50 != 3) continue;
    model.build(counts, costs, scatter);
    ASSERT_EQ(model.rows(), counts.seen().size());
    std::size_t successors = 0;
    for (std::size_t row = 0; row < model.rows(); ++row) {
      EXPECT_EQ(model.state(row), static_cast<std::size_t>(counts.seen()[row]));
      for (std::size_t a = 0; a < actions; ++a) {
        const std::size_t entry = row * actions + a, at = model.state(row) * actions + a;
        const auto listed = counts.successors(static_cast<std::int32_t>(at));
        const double n = counts.count(static_cast<std::int32_t>(at));
        EXPECT_EQ(model.count(entry), n);
        EXPECT_EQ(model.cost_scatter(entry), scatter[at]);
        EXPECT_EQ(model.is_sure(entry), listed.size() == 1);
        successors += listed.size();
        if (n == 0.0) continue;
        EXPECT_DOUBLE_EQ(model.cost(entry), costs[at] / n);
        EXPECT_EQ(model.inverse_count(entry), 1.0 / n);
        double mean = 0.0, square = 0.0;
        for (const auto& one : listed) {
          const double value = values[static_cast<std::size_t>(one.state)];
          mean += one.count / n * value;
          square += one.count / n * value * value;
        }
        EXPECT_NEAR(model.mean(entry, values), mean, 1e-12);
        EXPECT_NEAR(model.variance(entry, mean, values), square - mean * mean, 1e-12);
      }
    }
    EXPECT_EQ(model.successors(), successors);
  }
}

}  // namespace
}  // namespace politex
