#include "politex/report/exact_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "politex/env/deep_sea.hpp"
#include "politex/env/garnet.hpp"
#include "politex/features/additive.hpp"
#include "politex/features/tabular.hpp"

namespace politex {
namespace {

using ::testing::HasSubstr;

TEST(ExactReport, HasAllKeysAndNullForInfiniteNumbers) {
  const FiniteModel model = deep_sea_model(DeepSea{5});
  const auto json = nlohmann::json::parse(exact_json(exact_report(model, additive_features(model), "always:1")));
  for (const char* key : {"states",
                          "actions",
                          "gain",
                          "optimal_gain",
                          "gain_by_state",
                          "optimal_gain_by_state",
                          "optimal_policy",
                          "stationary",
                          "unichain",
                          "period",
                          "a1",
                          "kappa",
                          "kappa_policy",
                          "sigma",
                          "sigma_on_span",
                          "sigma_a3",
                          "bias",
                          "tau_states",
                          "s_delta",
                          "alpha",
                          "eps_0"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_NEAR(json["gain"].get<double>(), -1.2, 1e-12);
  EXPECT_NEAR(json["optimal_gain"].get<double>(), -1.6, 1e-12);
  EXPECT_EQ(json["a1"], "no");
  EXPECT_TRUE(json["kappa"].is_null());
  EXPECT_TRUE(json["kappa_policy"].is_null());
  EXPECT_EQ(json["sigma"], 0.0);
  EXPECT_EQ(json["gain_by_state"].size(), 25u);
}

TEST(ExactReport, StatesWhichAssumptionsHold) {
  const FiniteModel sea = deep_sea_model(DeepSea{5});
  const std::string fails = exact_text(exact_report(sea, additive_features(sea), "always:1"));
  EXPECT_THAT(fails, HasSubstr("no: a policy has two recurrent classes"));
  EXPECT_THAT(fails, HasSubstr("infinite: fails (tau 1, at states"));
  EXPECT_THAT(fails, HasSubstr("fails: never visited: feature 0"));
  const FiniteModel model = with_teleport(sea, 0.2);
  const std::string holds = exact_text(exact_report(model, tabular_features(model), "uniform"));
  EXPECT_THAT(holds, HasSubstr("yes: every policy reaches state"));
  EXPECT_THAT(holds, HasSubstr("4.48142 (tau 0.8"));  // -1 / log(.8)
  EXPECT_THAT(holds, HasSubstr("on the whole space             holds"));
}

FiniteModel two_random_halves(int states) {
  FiniteModel model = garnet_model({.states = states, .actions = 1, .branching = 3});
  for (std::size_t move = 0; move < model.next.size(); ++move) {
    const int from = static_cast<int>(move / 3), half = states / 2;
    model.next[move] = model.next[move] % half + (from < half ? 0 : half);
  }
  return model;
}

// Too wide for elimination: bounds, and null where nothing is known.
TEST(ExactReport, LargeModelsHaveBounds) {
  const FiniteModel model = garnet_model({.states = 3000, .actions = 2, .branching = 3});
  const ExactReport report = exact_report(model, tabular_features(model), "uniform");
  const auto json = nlohmann::json::parse(exact_json(report));
  EXPECT_EQ(json["method"], "iteration");
  for (const std::string key : {"gain", "optimal_gain"}) {
    const double low = json[key + "_low"], high = json[key + "_high"], middle = json[key];
    EXPECT_LE(low, middle) << key;
    EXPECT_GE(high, middle) << key;
    EXPECT_LE(high - low, 1e-8) << key;
  }
  EXPECT_TRUE(json["bias"][0].is_null());
  EXPECT_THAT(json["notes"].dump(), HasSubstr("memory: about"));
  EXPECT_THAT(exact_text(report), HasSubstr(", in ["));
}

TEST(ExactReport, BoundsThatDoNotMeetGiveNoNumber) {
  const FiniteModel model = two_random_halves(6000);
  const auto json = nlohmann::json::parse(exact_json(exact_report(model, tabular_features(model), "uniform")));
  EXPECT_EQ(json["method"], "iteration");
  EXPECT_TRUE(json["gain"].is_null());
  EXPECT_TRUE(json["gain_by_state"].is_null());
  EXPECT_LT(json["gain_low"].get<double>(), json["gain_high"].get<double>());
  EXPECT_EQ(json["unichain"], false);
  EXPECT_THAT(json["notes"].dump(), HasSubstr("the bounds did not meet"));
}

}  // namespace
}  // namespace politex
