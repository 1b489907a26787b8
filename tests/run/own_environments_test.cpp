// What bring_environments() refuses. That brought environments work is shown by house.installed_library, which builds
// examples/own_environment: within this program the catalogue has been read.
#include "politex/run/own_environments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "politex/base/error.hpp"
#include "politex/run/catalogue.hpp"

namespace politex {
namespace {

struct Unused {
  int size = 1;
};

EnvironmentEntry shop() {
  return {.name = "shop",
          .help = "a shop",
          .space = [](const Values&) { return finite_space("shop", 1, 1, 1); },
          .model = [](const Values&) { return FiniteModel{}; }};
}

std::string objection_to(const EnvironmentEntry& entry) {
  const std::vector<const EnvironmentEntry*> one = {&entry};
  try {
    check_own_environments(one);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(OwnEnvironments, AreCheckedBeforeAnythingRuns) {
  EXPECT_EQ(objection_to(shop()), "");
  EnvironmentEntry entry = shop();
  entry.name = "deep_sea";
  EXPECT_THAT(objection_to(entry), testing::HasSubstr("environment \"deep_sea\": there is one of this name already"));
  for (const std::string_view name : {"", "My shop", "a.b", "shop\n"}) {
    entry = shop();
    entry.name = name;
    EXPECT_THAT(objection_to(entry), testing::HasSubstr("small letters")) << name;
  }
  entry = shop();
  entry.help = "";
  EXPECT_THAT(objection_to(entry), testing::HasSubstr("help"));
  entry = shop();
  entry.model = nullptr;
  EXPECT_THAT(objection_to(entry), testing::HasSubstr("`block`"));
  entry = shop();
  entry.space = nullptr;
  EXPECT_THAT(objection_to(entry), testing::HasSubstr("`space` is missing"));
  entry = shop();
  entry.keys = Keys{key<&Unused::size>("schedule.size", "of something else", whole(1, 2))};
  EXPECT_THAT(objection_to(entry), testing::HasSubstr("schedule.size"));
  const EnvironmentEntry one = shop(), other = shop();
  const std::vector<const EnvironmentEntry*> twice = {&one, &other};
  EXPECT_THROW(check_own_environments(twice), ConfigError);
}

TEST(OwnEnvironments, ComeBeforeTheCatalogueIsRead) {
  const EnvironmentEntry entry = shop();
  const std::vector<const EnvironmentEntry*> one = {&entry};
  EXPECT_EQ(environments().size(), shipped_environments().size());
  EXPECT_THROW(bring_environments(one), Error);
}

}  // namespace
}  // namespace politex
