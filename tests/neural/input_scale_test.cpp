#include "politex/neural/input_scale.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "politex/base/error.hpp"

namespace politex::neural {
namespace {

TEST(InputScale, TheRangeSoFarBecomesMinusTwoToTwo) {
  InputRanges ranges(3);
  for (const std::array<float, 3>& x : {std::array{1.0F, 5.0F, -1e30F}, {-3.0F, 5.0F, 3e38F}, {0.0F, 5.0F, -3e38F}})
    ranges.add(x);
  std::array rows{-3.0F, 5.0F, -3e38F, 1.0F, 5.0F, 3e38F, -1.0F, 7.0F, 0.0F, 3.0F, 5.0F, 0.0F};
  ranges.scale().apply(rows);
  const std::array expected{-2.0F, 0.0F, -2.0F, 2.0F, 0.0F, 2.0F, 0.0F, 0.0F, 0.0F, 4.0F, 0.0F, 0.0F};
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_FLOAT_EQ(rows[i], expected[i]) << i;
}

TEST(InputScale, ChangesNothingBeforeAnythingWasSeen) {
  std::array row{3.0F, -4.0F};
  InputScale(2).apply(row);
  EXPECT_EQ(row, (std::array{3.0F, -4.0F}));
}

TEST(InputScale, IsRestoredToTheBit) {
  InputRanges ranges(2), again(2);
  ranges.add(std::array{0.1F, 0.7F});
  ranges.add(std::array{0.3F, -0.2F});
  ByteWriter saved, twice;
  ranges.save(saved);
  ByteReader from(saved.bytes());
  again.restore(from);
  again.save(twice);
  EXPECT_EQ(saved.bytes(), twice.bytes());
  InputRanges other(3);
  ByteReader wrong(saved.bytes());
  EXPECT_THROW(other.restore(wrong), Error);
}

}  // namespace
}  // namespace politex::neural
