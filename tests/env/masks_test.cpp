#include "politex/env/masks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "politex/base/error.hpp"
#include "politex/env/block.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/tables/finite_mdp.hpp"

namespace politex {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Two states, three actions: 0 stays, 1 moves, 2 stays for free but is masked in state 1.
const char* const masked_text = R"({"states": 2, "actions": 3,
 "transitions": [[0, 0, 0, 1], [0, 1, 1, 1], [0, 2, 0, 1], [1, 0, 1, 1], [1, 1, 0, 1]],
 "costs": [[3, 4, 5], [2, 7, 0]],
 "masked": [[1, 2]]})";

std::string refusal(const std::string& text) {
  try {
    parse_finite_mdp(text, "m.json");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Masks, AMaskedPairIsAnotherNameOfTheFirstPossibleOne) {
  const FiniteModel model = parse_finite_mdp(masked_text, "m.json");
  EXPECT_THAT(model.possible, ElementsAre(1, 1, 1, 1, 1, 0));
  EXPECT_THAT(model.cost, ElementsAre(3, 4, 5, 2, 7, 2));
  EXPECT_EQ(model.next[5], 1);
  EXPECT_EQ(possible_action(model, 1, 2), 0);
  EXPECT_EQ(possible_action(model, 0, 2), 2);
  const FiniteModel again = parse_finite_mdp(finite_mdp_text(model), "again.json");
  EXPECT_EQ(again.possible, model.possible);
  EXPECT_EQ(again.cost, model.cost);
  EXPECT_EQ(again.next, model.next);
}

TEST(Masks, TheExactSolverNeverNamesAMaskedAction) {
  const FiniteModel model = parse_finite_mdp(masked_text, "m.json");
  const exact::Optimum best = exact::optimum(model);
  EXPECT_DOUBLE_EQ(best.gain[0], 2.0);  // go to state 1 and stay; the masked action would cost 0
  EXPECT_EQ(best.action[1], 0);
  EXPECT_EQ(best.tied[5], 0);
  EXPECT_THAT(exact::uniform_policy(model), ElementsAre(1.0 / 3, 1.0 / 3, 1.0 / 3, 0.5, 0.5, 0.0));
}

// Every pair of Garnet-like random models: with masks the optimum is the best over all deterministic possible policies.
TEST(Masks, TheOptimumIsTheBestPossiblePolicyByEnumeration) {
  Rng rng(5);
  for (int trial = 0; trial < 20; ++trial) {
    FiniteModel model;
    model.name = "random";
    model.states = 4;
    model.actions = 3;
    model.first = {0};
    std::vector<std::uint8_t> possible;
    for (int pair = 0; pair < 12; ++pair) {
      const double p = rng.uniform();
      model.next.insert(model.next.end(),
                        {static_cast<std::int32_t>(rng.below(4)), static_cast<std::int32_t>(rng.below(4))});
      model.probability.insert(model.probability.end(), {p, 1.0 - p});
      model.first.push_back(static_cast<std::int64_t>(model.next.size()));
      model.cost.push_back(rng.uniform());
      possible.push_back(pair % 3 == 0 || rng.uniform() < 0.5 ? 1 : 0);
    }
    model = with_teleport(model, 0.05);  // every policy has one class
    const FiniteModel masked = with_masks(model, possible);
    double best = 1e9;
    for (int code = 0; code < 81; ++code) {
      const std::vector<int> actions = {code % 3, code / 3 % 3, code / 9 % 3, code / 27};
      bool fits = true;
      for (int x = 0; x < 4; ++x)
        fits = fits && possible[static_cast<std::size_t>(3 * x + actions[static_cast<std::size_t>(x)])] != 0;
      if (fits) best = std::min(best, exact::evaluate(model, exact::deterministic_policy(model, actions)).gain[0]);
    }
    EXPECT_NEAR(exact::optimal_gain(masked), best, 1e-9);
  }
}

TEST(Masks, BlocksSayWhatIsPossible) {
  const BlockOf<TableEnvironment> block(TableEnvironment(parse_finite_mdp(masked_text, "m.json")), 1);
  ASSERT_TRUE(block.masks());
  std::vector<std::uint8_t> flags(3);
  block.possible(0, flags);
  EXPECT_THAT(flags, ElementsAre(1, 1, 1));
}

TEST(Masks, PoliciesThatTakeMaskedActionsAreRefusedByName) {
  const FiniteModel model = parse_finite_mdp(masked_text, "m.json");
  try {
    check_takes_possible(model, std::vector<double>{0, 0, 1, 0, 0, 1}, "explorer.name", "always:2");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.key(), "explorer.name");
    EXPECT_THAT(error.what(), HasSubstr("\"always:2\" takes action 2 in state 1"));
    EXPECT_THAT(error.what(), HasSubstr("accepted: 0, 1"));
  }
  std::vector<double> moved = {0, 0, 1, 0.25, 0, 0.75};
  move_to_possible(model, moved);
  EXPECT_THAT(moved, ElementsAre(0, 0, 1, 1, 0, 0));
}

TEST(Masks, BadMasksAreRefused) {
  const std::string head =
      R"({"states": 1, "actions": 2, "transitions": [[0, 0, 0, 1], [0, 1, 0, 1]], "costs": [[1, 2]],)";
  EXPECT_THAT(refusal(head + R"("masked": [[0, 0], [0, 1]]})"), HasSubstr("no action is possible in state 0"));
  EXPECT_THAT(refusal(head + R"("masked": [[0, 2]]})"), HasSubstr("masked[0] action is 2; accepted: 0 to 1"));
  EXPECT_THAT(refusal(head + R"("masked": [[0]]})"), HasSubstr("accepted: [state, action]"));
  EXPECT_THAT(refusal(head + R"("masked": 3})"), HasSubstr("accepted: a list"));
  EXPECT_EQ(refusal(head + R"("masked": []})"), "accepted");
}

}  // namespace
}  // namespace politex
