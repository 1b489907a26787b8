// The session of the live page against `politex run` with the same settings: the same signature and the same regret.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "politex/live/session.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/run.hpp"

namespace politex {
namespace {

SettingValues usual_settings() {
  SettingValues values{};
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = setting_ranges[k].usual;
  return values;
}

double& at(SettingValues& values, Setting which) { return values[static_cast<std::size_t>(which)]; }

/// The same settings as a configuration of the program.
Config config_of(SettingValues values) {
  const auto word = [&](Setting which, std::vector<std::string> words) {
    return words[static_cast<std::size_t>(at(values, which))];
  };
  const auto whole = [&](Setting which) { return static_cast<std::int64_t>(at(values, which)); };
  Config config = default_config("deep_sea");
  config.set("steps", whole(Setting::steps)).set("seed", whole(Setting::seed));
  config.set("algorithm.name", std::string("ee_politex")).set("features.name", std::string("additive"));
  config.set("environment.size", whole(Setting::size));
  config.set("environment.swap", word(Setting::swap, {"none", "all", "rows"}));
  config.set("explorer.name", word(Setting::explorer, {"none", "uniform", "always", "learned"}));
  if (whole(Setting::explorer) == 2) config.set("explorer.action", std::int64_t{1});
  const bool lspe = whole(Setting::estimator) == 3;
  config.set("algorithm.estimator", std::string(lspe ? "lspe" : "lsmc"));
  if (!lspe) config.set("algorithm.visits", word(Setting::estimator, {"every", "first", "one"}));
  if (whole(Setting::estimator) < 2) config.set("algorithm.horizon", std::to_string(whole(Setting::horizon)));
  config.set("algorithm.eta", at(values, Setting::eta)).set("algorithm.ridge", at(values, Setting::ridge));
  config.set("schedule.rollouts", whole(Setting::rollouts));
  config.set("schedule.explore", std::to_string(whole(Setting::explore)));
  config.set("schedule.follow", std::to_string(whole(Setting::follow)));
  return config;
}

struct Case {
  const char* name;
  std::vector<std::pair<Setting, double>> changes;
};

class SessionTest : public testing::TestWithParam<Case> {};

TEST_P(SessionTest, HasTheSignatureAndTheRegretOfARun) {
  SettingValues values = usual_settings();
  at(values, Setting::steps) = 20'000;
  for (const auto& [which, value] : GetParam().changes) at(values, which) = value;
  ASSERT_EQ(refused_setting(values), -1);
  Session session(values);
  while (!session.done()) session.advance(1'500);
  const auto run = make_run(config_of(values));
  while (!run->done()) run->advance();
  const Summary summary = run->summary();
  EXPECT_EQ(session.signature(), summary.signature);
  EXPECT_EQ(session.regret().regret(), summary.finite->regret);
  EXPECT_EQ(session.regret().terms().PR, summary.finite->terms.PR);
  EXPECT_EQ(session.steps(), summary.steps);
}

INSTANTIATE_TEST_SUITE_P(Settings, SessionTest,
                         testing::Values(Case{"usual", {}}, Case{"swapped", {{Setting::swap, 2}, {Setting::seed, 7}}},
                                         Case{"uniform", {{Setting::explorer, 1}, {Setting::size, 9}}},
                                         Case{"none", {{Setting::explorer, 0}, {Setting::horizon, 0}}},
                                         Case{"learned", {{Setting::explorer, 3}, {Setting::explore, 60}}},
                                         Case{"first", {{Setting::estimator, 1}, {Setting::rollouts, 5}}},
                                         Case{"one", {{Setting::estimator, 2}, {Setting::follow, 37}}},
                                         Case{"lspe", {{Setting::estimator, 3}, {Setting::size, 6}}},
                                         Case{"large", {{Setting::size, 40}, {Setting::explore, 39}}}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Settings, AreRefusedByNumber) {
  const SettingValues usual = usual_settings();
  EXPECT_EQ(refused_setting(usual), -1);
  for (std::size_t k = 0; k < usual.size(); ++k) {
    SettingValues values = usual;
    for (const double bad : {setting_ranges[k].low - 1.0, setting_ranges[k].high * 2.0 + 1.0,
                             std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      values[k] = bad;
      EXPECT_EQ(refused_setting(values), static_cast<int>(k)) << setting_ranges[k].name << " " << bad;
    }
    values[k] = setting_ranges[k].low + 0.5;
    if (setting_ranges[k].whole) {
      EXPECT_EQ(refused_setting(values), static_cast<int>(k)) << setting_ranges[k].name;
    }
  }
  SettingValues values = usual;
  at(values, Setting::follow) = 20;  // h = 80 costs do not fit
  EXPECT_EQ(refused_setting(values), static_cast<int>(Setting::horizon));
  at(values, Setting::estimator) = 3;  // LSPE has no horizon
  EXPECT_EQ(refused_setting(values), -1);
  at(values, Setting::explore) = 0;  // an explorer that never acts
  EXPECT_EQ(refused_setting(values), static_cast<int>(Setting::explore));
  at(values, Setting::explorer) = 0;
  EXPECT_EQ(refused_setting(values), -1);
}

TEST(Settings, AreRefusedWhereTheProgramRefusesThem) {
  SettingValues values = usual_settings();
  at(values, Setting::horizon) = 0;
  at(values, Setting::rollouts) = 13;
  at(values, Setting::explore) = 105;
  at(values, Setting::follow) = 27;
  at(values, Setting::steps) = 13.0 * (105 + 1 + 27) - 1;  // one step less than a phase
  for (const double explorer : {0.0, 1.0, 2.0, 3.0}) {
    at(values, Setting::explorer) = explorer;
    const bool learned = explorer == 3.0;  // may end a segment early
    EXPECT_EQ(refused_setting(values), learned ? -1 : static_cast<int>(Setting::explore));
    if (learned)
      EXPECT_NO_THROW(check(config_of(values)));
    else
      EXPECT_THROW(check(config_of(values)), ConfigError);
  }
  at(values, Setting::explorer) = 2;
  at(values, Setting::steps) += 1;
  EXPECT_EQ(refused_setting(values), -1);
}

TEST(Session, ShowsWhatItPlayed) {
  SettingValues values = usual_settings();
  at(values, Setting::steps) = 20'000;
  Session session(values);
  EXPECT_EQ(session.advance(1), 1000) << "a phase: m (s' + 1 + s)";
  EXPECT_EQ(session.pairs().size(), 1000U);
  double visits = 0.0;
  for (const double each : session.visits()) visits += each;
  EXPECT_EQ(visits, 1000.0);
  EXPECT_EQ(session.players()[18], static_cast<std::uint8_t>(By::explorer));
  EXPECT_EQ(session.players()[19], static_cast<std::uint8_t>(By::probe));
  EXPECT_EQ(session.players()[20], static_cast<std::uint8_t>(By::target));
  for (int state = 0; state < session.states(); ++state)
    EXPECT_NEAR(session.policy()[static_cast<std::size_t>(2 * state)] +
                    session.policy()[static_cast<std::size_t>(2 * state + 1)],
                1.0, 1e-12);
  EXPECT_NEAR(session.regret().optimal_gain(), -1.5, 1e-9);
}

}  // namespace
}  // namespace politex
