#include "politex/process/handshake.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "politex/base/error.hpp"

namespace politex {
namespace {

TEST(Handshake, GreetsWithASeedForEachEnvironment) {
  const std::vector<std::uint32_t> seeds = {7, 2147483647};
  EXPECT_EQ(greeting(seeds), "politex 1\nenvironments 2\nseed 7\nseed 2147483647\n");
}

TEST(Handshake, ReadsTheDescriptionOfAServer) {
  const auto box = parse_hello(
      "politex 1\nname Cart Pole\nactions 2\nobservation float32 4\nlow -4.8 -inf -0.42 -3\nhigh 5\nepisode 500\n"
      "colour blue\nsave 1\n");
  EXPECT_EQ(box.space.name, "Cart Pole");
  EXPECT_EQ(box.space.actions, 2);
  EXPECT_EQ(box.space.states, 0);
  EXPECT_EQ(box.space.time_limit, 500);
  EXPECT_TRUE(box.can_save);
  EXPECT_FALSE(box.space.bytes);
  ASSERT_EQ(box.space.ranges.size(), 4U);
  EXPECT_TRUE(std::isinf(box.space.ranges[1].low));
  EXPECT_EQ(box.space.ranges[2].low, -0.42);
  EXPECT_EQ(box.space.ranges[3].high, 5.0);

  const auto states = parse_hello("politex 1\nactions 4\nobservation int64 1\nstates 16\n");
  EXPECT_EQ(states.space.states, 16);
  EXPECT_EQ(states.space.ranges[0].high, 15.0);
  EXPECT_FALSE(states.can_save);

  const auto pictures = parse_hello("politex 1\nactions 9\nobservation uint8 4 84 63\nlow 0\nhigh 255\n");
  EXPECT_EQ(pictures.numbers, 4U * 84 * 63);
  EXPECT_TRUE(pictures.space.bytes);
  EXPECT_EQ(pictures.space.channels, 4);
  EXPECT_EQ(pictures.space.height, 84);
  EXPECT_EQ(pictures.space.width, 63);
}

TEST(Handshake, RejectsInvalidDescriptions) {
  const std::string whole = "politex 1\nactions 2\nobservation float32 2\n";
  EXPECT_NO_THROW(parse_hello(whole));
  for (const std::string& text :
       {std::string(), std::string("hello"), std::string("politex\nactions 2"), std::string("politex 2\nactions 2"),
        std::string("politex 1\nobservation float32 2\n"), std::string("politex 1\nactions 2\n"),
        std::string("politex 1\nactions 2\nobservation complex64 2\n"), whole + "actions two\n", whole + "actions 0\n",
        whole + "low 1\nhigh 0\n", whole + "low nan\n", whole + "low 0 0 0\n", whole + "states 5\n",
        whole + "episode -1\n", whole + "observation float32 0\n", whole + "observation uint8 4000000 4000000\n"})
    EXPECT_THROW(parse_hello(text), Error) << text;
}

TEST(Handshake, PlacesEveryPartOnSeparateCacheLines) {
  const auto hello = parse_hello("politex 1\nactions 2\nobservation float32 5\n");
  const MemoryLayout layout(hello, 3);
  EXPECT_EQ(layout.text(), "memory 384\nactions 0\nrewards 64\nscores 128\nflags 192\nobservations 256\nlast 320\n");
}

}  // namespace
}  // namespace politex
