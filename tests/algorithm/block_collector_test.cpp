#include "politex/algorithm/block_collector.hpp"

#include <gtest/gtest.h>

#include "politex/env/deep_sea.hpp"
#include "politex/env/mountain_car.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/features/fourier.hpp"
#include "politex/features/tabular.hpp"
#include "politex/policy/sticky.hpp"
#include "politex/policy/uniform.hpp"

namespace politex {
namespace {

std::unique_ptr<BlockCollector> car_collector() {
  const MountainCar car(30);
  return std::make_unique<BlockCollector>(std::make_unique<BlockOf<MountainCar>>(car, 5),
                                          std::make_unique<Fourier>(car.space().ranges, 4),
                                          std::make_shared<StickyExplorer>(3, 0.3), 5);
}

TEST(BlockCollector, AppliesTheMapToWhatIsObserved) {
  const auto collector = car_collector();
  EXPECT_EQ(collector->map().columns(), 25);
  EXPECT_TRUE(collector->map().replicated());
  for (int t = 0; t < 50; ++t) {
    const Phase phase = collector->collect({.lengths = {1, 0, 0, 1}, .steps = 1});
    SparseRows row;
    collector->describe(collector->observation(), row);
    const auto met = phase.features->rows.values(phase.features->rows.rows() - 1);
    EXPECT_TRUE(std::equal(met.begin(), met.end(), row.value.begin(), row.value.end()));
    EXPECT_EQ(collector->present().rows.value, row.value);
  }
}

TEST(BlockCollector, ARestoredOneContinuesWithItsExplorersMemory) {
  const Lengths lengths{3, 7, 1, 5};
  const auto whole = car_collector(), first = car_collector(), second = car_collector();
  whole->collect({.lengths = lengths, .steps = 39});
  first->collect({.lengths = lengths, .steps = 39});
  ByteWriter saved;
  first->save(saved);
  ByteReader from(saved.bytes());
  second->restore(from);
  EXPECT_TRUE(from.empty());
  for (int k = 0; k < 5; ++k) {
    const Phase a = whole->collect({.lengths = lengths, .steps = 39}),
                b = second->collect({.lengths = lengths, .steps = 39});
    EXPECT_TRUE(std::ranges::equal(a.pairs, b.pairs));
    EXPECT_TRUE(std::ranges::equal(a.costs, b.costs));
  }
}

/// A target policy without any preference holds its actions; with one it does not. The observations are those that the
/// features are of.
TEST(BlockCollector, HoldsActionsBeforeAnythingIsLearned) {
  const MountainCar car(200);
  BlockCollector collector(std::make_unique<BlockOf<MountainCar>>(car, 5),
                           std::make_unique<Fourier>(car.space().ranges, 4), std::make_shared<UniformExplorer>(3), 5,
                           {.observations = true, .hold = true});
  std::vector<double> weights(75, 0.0);
  const auto changes = [&] {
    collector.follow(Rule::boltzmann(0.0), weights);
    const Phase phase = collector.collect({.lengths = {1, 0, 0, 3000}, .steps = 3000});
    EXPECT_EQ(phase.observations.size(), 2u * 3001u);
    const Fourier map(car.space().ranges, 4);
    SparseRows row;
    map.append(phase.observations.subspan(2 * 1234, 2), row);
    const auto met = phase.features->rows.values(1234);
    EXPECT_TRUE(std::equal(met.begin(), met.end(), row.value.begin(), row.value.end()));
    int count = 0;
    for (std::size_t t = 1; t < phase.pairs.size(); ++t) count += phase.pairs[t] % 3 != phase.pairs[t - 1] % 3 ? 1 : 0;
    return count;
  };
  // 3000 steps, each with another action with probability .05 * 2/3: 100, standard deviation 10; without holding 2000,
  // standard deviation 26. Beyond 5 standard deviations with probability below 1e-6; the seed is fixed.
  EXPECT_NEAR(changes(), 100, 50);
  weights[0] = 1.0;  // a preference; the step size is 0, so the policy is uniform nevertheless
  EXPECT_NEAR(changes(), 2000, 130);
}

TEST(BlockCollector, RefusesAnObservationThatIsNotAState) {
  const TableEnvironment sea(deep_sea_model(DeepSea(4)));
  const BlockCollector collector(std::make_unique<BlockOf<TableEnvironment>>(sea, 1),
                                 std::make_unique<TabularFeatures>(16), std::make_shared<UniformExplorer>(2), 1,
                                 {.states = true});
  SparseRows row;
  EXPECT_THROW(collector.describe(std::vector<double>{16.0}, row), Error);
  EXPECT_THROW(collector.describe(std::vector<double>{-1.0}, row), Error);
  EXPECT_NO_THROW(collector.describe(std::vector<double>{15.0}, row));
}

}  // namespace
}  // namespace politex
