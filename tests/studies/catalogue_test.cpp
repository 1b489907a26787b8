#include "politex/studies/catalogue.hpp"

#include <gtest/gtest.h>

#include <string>

#include "politex/base/error.hpp"

namespace politex {
namespace {

TEST(Reproduce, UnknownFiguresAreNamedWithTheKnownOnes) {
  EXPECT_EQ(find_figure("deep_sea").name, "deep_sea");
  try {
    find_figure("deap_sea");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("accepted: deep_sea"), std::string::npos);
  }
}

}  // namespace
}  // namespace politex
