#include "politex/settings/nearest.hpp"

#include <gtest/gtest.h>

#include <array>

namespace politex {
namespace {

TEST(Nearest, EditDistance) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("eta", ""), 3);
  EXPECT_EQ(edit_distance("eta", "etta"), 1);
  EXPECT_EQ(edit_distance("eta", "tea"), 1);  // neighbours swapped
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(Nearest, TheFirstOfSeveralAtTheSameDistance) {
  constexpr std::array<std::string_view, 3> known = {"eta", "beta", "theta"};
  EXPECT_EQ(nearest("etta", known), "eta");
  EXPECT_EQ(nearest("zeta", known), "eta");  // one edit from eta and from beta
  EXPECT_EQ(nearest("x", std::array<std::string_view, 0>{}), "");
}

}  // namespace
}  // namespace politex
