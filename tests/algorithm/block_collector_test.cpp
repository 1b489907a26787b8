#include "politex/algorithm/block_collector.hpp"

#include <gtest/gtest.h>

#include "politex/env/deep_sea.hpp"
#include "politex/env/mountain_car.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/policy/sticky.hpp"
#include "politex/policy/uniform.hpp"
#include "politex/value/fourier.hpp"
#include "politex/value/tabular.hpp"

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
