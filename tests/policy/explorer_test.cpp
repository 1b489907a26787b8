// Explorers that are fixed policies over listed states compile to tables.
#include "politex/policy/explorer.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "politex/base/error.hpp"
#include "politex/policy/always.hpp"
#include "politex/policy/table_explorer.hpp"
#include "politex/policy/uniform.hpp"

namespace politex {
namespace {

Space three_actions() {
  Space space;
  space.name = "three";
  space.actions = 3;
  space.states = 2;
  space.ranges = {{0, 1}};
  return space;
}

TEST(AlwaysExplorer, TakesOneActionEverywhere) {
  const AlwaysExplorer always(2, three_actions());
  ExplorerMemory memory;
  Rng rng(1);
  EXPECT_EQ(always.act(std::vector<double>{1.0}, memory, rng), 2);
  EXPECT_EQ(always.act(std::vector<float>{1.0F}, memory, rng), 2);
  EXPECT_EQ(rng.position(), 0u);
  PolicyTable table(2, 3);
  ASSERT_TRUE(always.compile(table));
  EXPECT_EQ(table.probabilities(1)[2], 1.0);
}

TEST(AlwaysExplorer, RefusesAnActionThatIsNone) {
  for (const int action : {-1, 3}) {
    try {
      AlwaysExplorer(action, three_actions());
      ADD_FAILURE() << action;
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.key(), "explorer.action");
      EXPECT_NE(std::string(error.what()).find("0 to 2"), std::string::npos);
    }
  }
}

TEST(UniformExplorer, IsUniformAndCompiles) {
  const UniformExplorer uniform(3);
  ExplorerMemory memory;
  Rng rng(1);
  std::array<int, 3> counts{};
  for (int t = 0; t < 30'000; ++t) ++counts[static_cast<std::size_t>(uniform.act(std::vector<double>{0}, memory, rng))];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 450);  // 5.5 standard deviations
  PolicyTable table(2, 3);
  table.set_always(1);
  ASSERT_TRUE(uniform.compile(table));
  for (const double p : table.probabilities()) EXPECT_DOUBLE_EQ(p, 1.0 / 3.0);
}

TEST(TableExplorer, SamplesItsTable) {
  PolicyTable table(2, 3), compiled(2, 3);
  table.set(std::vector<double>{0.0, 1.0, 0.0, 0.25, 0.25, 0.5});
  const TableExplorer explorer(table);
  ExplorerMemory memory;
  Rng rng(4), same(4);
  for (int t = 0; t < 100; ++t) EXPECT_EQ(explorer.act(std::vector<float>{1.0F}, memory, rng), table.sample(1, same));
  ASSERT_TRUE(explorer.compile(compiled));
  EXPECT_TRUE(std::ranges::equal(compiled.probabilities(), table.probabilities()));
}

}  // namespace
}  // namespace politex
