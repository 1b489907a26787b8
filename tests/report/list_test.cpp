#include "politex/report/list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "politex/base/error.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/shipped.hpp"

namespace politex {
namespace {

using ::testing::HasSubstr;

TEST(List, MentionsEveryKeyEveryChoiceAndItsMeaning) {
  const std::string text = list_text("");
  const std::string json = list_json("");
  for (const KnownKey& known : known_keys()) {
    EXPECT_THAT(text, HasSubstr(std::string(known.name)));
    EXPECT_THAT(json, HasSubstr("\"" + std::string(known.name) + "\""));
    for (const KeyOwner& owner : known.owners) {
      EXPECT_THAT(text, HasSubstr(std::string(owner.key->help)));
      for (const Choice& choice : owner.key->accepts.choices) EXPECT_THAT(text, HasSubstr(std::string(choice.help)));
    }
  }
  EXPECT_THROW(list_text("algoritms"), ConfigError);
}

TEST(List, ShowsTheExperimentsThatAreBuiltIn) {
  const std::string text = list_text("experiments"), json = list_json("experiments");
  for (const Experiment& one : experiments()) {
    EXPECT_THAT(text, HasSubstr("  " + std::string(one.name)));
    EXPECT_THAT(json, HasSubstr("\"" + std::string(one.name) + "\""));
  }
}

}  // namespace
}  // namespace politex
