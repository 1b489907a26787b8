#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <vector>

#include "politex/base/rng.hpp"

namespace politex {
namespace {

// The same names give the same draws on any thread and in any order.
TEST(RngThreads, StreamsAreIndependentOfThreads) {
  constexpr std::uint64_t streams = 4;
  const auto draw = [](std::uint64_t index) {
    Rng rng(7, Use::test, index);
    std::uint64_t sum = 0;
    for (int i = 0; i < 10'000; ++i) sum += rng.bits() ^ rng.below(3);
    return sum;
  };
  std::vector<std::uint64_t> together(streams);
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t i = 0; i < streams; ++i) threads.emplace_back([&, i] { together[i] = draw(i); });
  }
  for (std::uint64_t i = 0; i < streams; ++i) EXPECT_EQ(together[i], draw(i)) << i;
}

}  // namespace
}  // namespace politex
