// The field table, overrides, TOML in and out, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "politex/base/error.hpp"
#include "politex/run/config_io.hpp"

namespace politex {
namespace {

using ::testing::HasSubstr;

ReadConfig read(std::string_view text, const std::vector<std::string>& overrides = {}) {
  std::vector<Assignment> assignments = parse_toml(text, "test.toml");
  for (const std::string& one : overrides) assignments.push_back(parse_override(one));
  return build_config(assignments);
}

std::string refusal(std::string_view text, const std::vector<std::string>& overrides = {}) {
  try {
    read(text, overrides);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Keys, AreUniqueAndConditionsNameChoices) {
  std::set<std::string_view> seen;
  for (const KnownKey& known : known_keys()) {
    EXPECT_TRUE(seen.insert(known.name).second) << known.name;
    for (const KeyOwner& owner : known.owners) {
      EXPECT_FALSE(owner.key->help.empty()) << known.name;
      EXPECT_EQ(owner.key->accepts.kind, known.key().accepts.kind) << known.name << " in " << owner.name;
      for (const When& when : owner.key->when) {
        const KnownKey* other = find_key(when.key);
        ASSERT_NE(other, nullptr) << when.key;
        for (const std::string_view value : when.values)
          EXPECT_TRUE(std::ranges::any_of(other->key().accepts.choices, [&](const Choice& c) {
            return c.name == value;
          })) << value;
      }
    }
  }
}

TEST(Keys, DefaultsAreAcceptedAndRoundTrip) {
  for (const KnownKey& known : known_keys()) {
    for (const KeyOwner& owner : known.owners) {
      const Key& key = *owner.key;
      const std::string text = plain_text(key, key.fallback);
      Value again;
      EXPECT_NO_THROW(again = checked(key, value_from_text(key, text))) << known.name;
      EXPECT_EQ(plain_text(key, again), text) << known.name;
    }
  }
}

TEST(Config, TheContractsExampleIsRead) {
  const ReadConfig got = read(R"(
steps = 1_000_000
seed = 1
[environment]
name = "deep_sea"
size = 20
teleport = 0.0
swap = "none"
lazy = 0.0
[algorithm]
name = "ee_politex"
estimator = "lsmc"
visits = "every"
average = "phase"
horizon = "4N"
eta = 0.1
q_max = 0.0
ridge = 0.01
epsilon = 0.05
prior = 1.0
noise = 1.0
buffer = 100_000
[schedule]
kind = "fixed"
rollouts = 5
explore = "3N/4"
follow = "8N"
[explorer]
name = "always"
action = 1
[features]
name = "additive"
[exact]
every = 0
)");
  EXPECT_EQ(got.config.steps, 1'000'000);
  EXPECT_EQ(got.config.length("algorithm.horizon").resolve(20), 80);
  EXPECT_EQ(got.config.length("schedule.explore").resolve(20), 15);
  EXPECT_EQ(got.config.text("features.name"), "additive");
  // The example also shows keys of the other learners: a warning, not an error.
  EXPECT_EQ(got.warnings.size(), 4u);
  EXPECT_THAT(got.warnings[0], HasSubstr("algorithm.buffer: has no effect with algorithm.combine = sum"));
}

TEST(Config, DefaultSizeDependsOnTheEnvironment) {
  EXPECT_EQ(read("").config.whole("environment.size"), 20);
  EXPECT_EQ(read("environment.name = \"river_swim\"").config.whole("environment.size"), 6);
  EXPECT_EQ(read("environment.size = 9", {"environment=river_swim"}).config.whole("environment.size"), 9);
}

TEST(Config, OverridesTakeFullAndShortKeys) {
  const Config config = read("", {"eta=0.25", "algorithm.ridge=1e-3", "steps=1e5", "seed=1_000", "explore=3N/4",
                                  "follow=\"8N\"", "coprime=true", "algorithm=ee_politex", "average=rollout"})
                            .config;
  EXPECT_EQ(config.text("algorithm.eta"), "0.25");
  EXPECT_EQ(config.number("algorithm.ridge"), 1e-3);
  EXPECT_EQ(config.steps, 100'000);
  EXPECT_EQ(config.seed, 1000u);
  EXPECT_EQ(config.text("schedule.explore"), "3N/4");
  EXPECT_EQ(config.text("schedule.follow"), "8N");
  EXPECT_TRUE(config.flag("schedule.coprime"));
  EXPECT_EQ(config.text("algorithm.average"), "rollout");
  EXPECT_EQ(read("", {"eta=theory", "q_max=40"}).config.text("algorithm.eta"), "theory");
}

TEST(Config, RoundTripThroughToml) {
  const std::vector<std::vector<std::string>> cases = {
      {},
      {"environment.name=river_swim", "algorithm.name=politex", "estimator=lspe", "lspe=iterated",
       "eta=0.30000000000000004"},
      {"environment.name=garnet", "states=7", "algorithm.name=rlsvi", "prior=1e-7", "seed=9007199254740991"},
      {"environment.name=finite_mdp", "environment.file=/tmp/a \"b\"\\c\t.json", "algorithm.name=lspi", "epsilon=0"},
      {"algorithm.eta=theory", "q_max=40", "schedule.kind=theory", "steps=1000000000000000", "explorer=uniform"},
      {"horizon=4N", "explore=3N/4", "follow=160", "coprime=true", "teleport=0.01", "lazy=1e-300", "swap=rows"}};
  for (const auto& overrides : cases) {
    const Config first = read("", overrides).config;
    const std::string text = to_toml(first);
    const ReadConfig second = read(text);
    EXPECT_EQ(to_toml(second.config), text);
    EXPECT_TRUE(second.warnings.empty()) << second.warnings.front();
    Config expected = first;
    expected.set("algorithm.path", "compiled");
    EXPECT_TRUE(differences(second.config, expected).empty()) << differences(second.config, expected).front();
  }
}

TEST(Config, DifferencesNameTheKeys) {
  const Config a = read("").config;
  const Config b = read("", {"eta=0.2", "steps=5"}).config;
  const auto differ = differences(a, b);
  ASSERT_EQ(differ.size(), 2u);
  EXPECT_EQ(differ[0], "steps: 1000000, 5");
  EXPECT_EQ(differ[1], "algorithm.eta: 0.1, 0.2");
}

TEST(Config, RefusalsNameKeyValueAcceptedAndNearest) {
  EXPECT_THAT(refusal("algorithm.etta = 1.0"), HasSubstr("test.toml:1:18: unknown key; did you mean algorithm.eta?"));
  EXPECT_THAT(refusal("[enviroment]\nsize = 3"), HasSubstr("enviroment"));
  EXPECT_THAT(refusal("[enviroment]\nsize = 3"), HasSubstr("did you mean environment.name?"));
  EXPECT_THAT(refusal("eta = 0.1"), HasSubstr("did you mean algorithm.eta?"));
  EXPECT_THAT(refusal("", {"stepps=3"}), HasSubstr("stepps: unknown key; did you mean steps?"));
  EXPECT_THAT(
      refusal("", {"algorithm.name=ee_politx"}),
      HasSubstr(
          "algorithm.name: \"ee_politx\" is not accepted (command line); did you mean \"ee_politex\"? accepted: one "
          "of ee_politex, politex, rlsvi, lspi"));
  EXPECT_THAT(refusal("steps = -5"),
              HasSubstr("steps: -5 is not accepted (test.toml:1:9); accepted: a whole number from 1"));
  EXPECT_THAT(refusal("algorithm.eta = nan"), HasSubstr("algorithm.eta: nan is not accepted"));
  EXPECT_THAT(refusal("", {"eta=nan"}), HasSubstr("accepted: a number above 0, or \"theory\""));
  EXPECT_THAT(refusal("", {"eta=inf"}), HasSubstr("algorithm.eta: inf is not accepted"));
  EXPECT_THAT(refusal("", {"eta=0"}), HasSubstr("algorithm.eta: 0 is not accepted"));
  EXPECT_THAT(refusal("", {"eta=theory"}), HasSubstr("algorithm.q_max: 0 is not accepted with eta = \"theory\""));
  EXPECT_THAT(refusal("environment.size = 1"), HasSubstr("environment.size: 1 is not accepted"));
  EXPECT_THAT(refusal("environment.size = 20.5"), HasSubstr("not a whole number"));
  EXPECT_THAT(refusal("environment.size = \"20\""), HasSubstr("environment.size: \"20\" is not accepted"));
  EXPECT_THAT(refusal("", {"size=1001"}), HasSubstr("from 2 to 1000"));
  EXPECT_THAT(refusal("", {"name=lspi"}), HasSubstr("could mean environment.name, algorithm.name"));
  EXPECT_THAT(refusal("", {"eta"}), HasSubstr("accepted: key=value"));
  EXPECT_THAT(refusal("", {"explore=8M"}), HasSubstr("schedule.explore: \"8M\" is not a length"));
  EXPECT_THAT(refusal("", {"steps=1e99"}), HasSubstr("steps: 1e+99 is not accepted"));
  EXPECT_THAT(refusal("", {"action=2"}),
              HasSubstr("explorer.action: 2 is not an action of deep_sea; accepted: 0 to 1"));
  EXPECT_THAT(refusal("steps = [1]"), HasSubstr("test.toml:1:9: lists"));
  EXPECT_THAT(refusal("environment = 3"),
              HasSubstr("environment: test.toml:1:15: unknown key; did you mean environment.name?"));
}

TEST(Config, AKeyWithoutEffectIsRefusedOnTheCommandLine) {
  EXPECT_THAT(
      refusal("", {"epsilon=0.1"}),
      HasSubstr(
          "algorithm.epsilon: has no effect with algorithm.name = ee_politex; it applies where algorithm.name = lspi"));
  EXPECT_EQ(refusal("", {"epsilon=0.1", "algorithm.name=lspi"}), "accepted");
  EXPECT_THAT(refusal("", {"states=10"}), HasSubstr("it applies where environment.name = garnet"));
}

TEST(Config, ExplorationLongerThanTheRunIsRefused) {
  EXPECT_THAT(refusal("steps = 1000\n[schedule]\nexplore = 2000"),
              HasSubstr("schedule.explore: 2000 exploration steps"));
  EXPECT_EQ(refusal("steps = 10"), "accepted");  // short, but not by fault of the explorer
}

TEST(Toml, SyntaxErrorsShowFileLineAndColumn) {
  EXPECT_THAT(refusal("steps = 10\nseed = = 3"), HasSubstr("test.toml:2:8: is not valid TOML"));
  EXPECT_THAT(refusal("[environment]\nname = \"deep_s"), HasSubstr("is not valid TOML"));
  EXPECT_THAT(refusal("steps = 1\nsteps = 2"), HasSubstr("is not valid TOML"));
}

TEST(Toml, BytesThatAreNoTextAreScreened) {
  EXPECT_THAT(refusal("a\n\xEF\xBB\xBD"), HasSubstr("test.toml:2:1: the bytes EF BB"));
  EXPECT_THAT(refusal("\xEF\xBB\xBD"), HasSubstr("test.toml:1:1:"));
  EXPECT_THAT(refusal(std::string_view("steps\0= 1", 9)), HasSubstr("control character 0x00"));
  EXPECT_THAT(refusal("a = \"\xFF\""), HasSubstr("byte 0xff is not valid UTF-8"));
  EXPECT_THAT(refusal("a = \"\xED\xA0\x80\""), HasSubstr("not valid UTF-8"));  // a surrogate
  EXPECT_EQ(refusal("\xEF\xBB\xBFsteps = 5 # \xC3\xA9 \xE2\x82\xAC"), "accepted");
}

TEST(Toml, RandomAndMutatedBytesNeverDoMoreThanThrow) {
  std::mt19937_64 draw(7);
  const std::string good = to_toml(Config{});
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = good;
    const std::size_t changes = 1 + draw() % 4;
    for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
      const std::size_t at = draw() % text.size();
      switch (draw() % 4) {
        case 0:
          text[at] = static_cast<char>(draw());
          break;
        case 1:
          text.erase(at, 1 + draw() % 20);
          break;
        case 2:
          text.insert(at, good.substr(draw() % good.size(), draw() % 30));
          break;
        default:
          text.resize(at + 1);
          break;
      }
    }
    refused += refusal(text) != "accepted" ? 1 : 0;
  }
  EXPECT_GT(refused, 1000);
  std::string noise(1 << 20, ' ');
  for (char& c : noise) c = static_cast<char>(draw());
  EXPECT_NE(refusal(noise), "accepted");
}

}  // namespace
}  // namespace politex
