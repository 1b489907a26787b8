#include "politex/tables/finite_mdp.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "politex/base/error.hpp"
#include "politex/env/conformance.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/garnet.hpp"
#include "politex/env/river_swim.hpp"

namespace politex {
namespace {

using ::testing::HasSubstr;

const std::string good = R"({"states": 2, "actions": 1, "start": 1, "axes": [[0, 1]],
  "transitions": [[0, 0, 0, 0.25], [0, 0, 1, 0.75], [1, 0, 0, 1.0]], "costs": [[1.5], [-2]]})";

TEST(FiniteMdp, ReadsAFile) {
  const FiniteModel model = parse_finite_mdp(good, "x.json");
  EXPECT_EQ(model.states, 2);
  EXPECT_EQ(model.start, 1);
  EXPECT_EQ(model.cost, (std::vector<double>{1.5, -2.0}));
  EXPECT_EQ(model.probability, (std::vector<double>{0.25, 0.75, 1.0}));
  EXPECT_EQ(model.axes, (std::vector<std::vector<int>>{{0, 1}}));
  EXPECT_EQ(conformance_problems(TableEnvironment(model)), no_problems);
}

TEST(FiniteMdp, WritesWhatItReadsBack) {
  for (FiniteModel model : {deep_sea_model(DeepSea(4)), garnet_model({.states = 7, .actions = 3}),
                            with_laziness(compile(RiverSwim(5), "", 5, 2), 0.1), parse_finite_mdp(good, "x.json")}) {
    for (const FiniteModel& again : {parse_finite_mdp(finite_mdp_text(model), "x.json"),
                                     parse_finite_mdp_arrays(finite_mdp_arrays(model), "x.npz")}) {
      EXPECT_EQ(again.start, model.start);
      EXPECT_EQ(again.first, model.first);
      EXPECT_EQ(again.next, model.next);
      EXPECT_EQ(again.probability, model.probability);
      EXPECT_EQ(again.cost, model.cost);
      EXPECT_EQ(again.axes, model.axes);
    }
    EXPECT_THROW(finite_mdp_text(with_teleport(model, 0.1)), ConfigError);
    EXPECT_THROW(finite_mdp_arrays(with_teleport(model, 0.1)), ConfigError);
  }
}

TEST(FiniteMdp, NamesTheEntryThatIsWrong) {
  const auto message = [](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    try {
      parse_finite_mdp(text, "x.json");
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_THAT(message("0.75", "0.65"), HasSubstr("state 0, action 0: the probabilities sum to 0.9"));
  EXPECT_THAT(message("[1, 0, 0, 1.0]", "[1, 0, 2, 1.0]"), HasSubstr("transitions[2] next state is 2"));
  EXPECT_THAT(message("[1, 0, 0, 1.0]", "[1, 0, 0]"), HasSubstr("transitions[2]"));
  EXPECT_THAT(message("-2", "1e999"), HasSubstr("x.json"));
  EXPECT_THAT(message("-2", "\"a\""), HasSubstr("costs[1][0]"));
  EXPECT_THAT(message("\"start\": 1", "\"start\": 7"), HasSubstr("\"start\" is 7"));
  EXPECT_THAT(message("\"states\": 2", "\"states\": 2.5"), HasSubstr("\"states\""));
  EXPECT_THAT(message("\"costs\"", "\"cost\""), HasSubstr("unknown key \"cost\""));
  EXPECT_THAT(message("\"states\": 2", "\"states\": 18446744073709551615"), HasSubstr("accepted: 1 to 1000000"));
  EXPECT_THAT(message("]]}", "]"), HasSubstr("no valid JSON"));
  EXPECT_THAT(message("0.25", "-0.25"), HasSubstr("probability is -0.25"));
}

}  // namespace
}  // namespace politex
