#include "politex/exact/recurrence.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "exact/random_models.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/river_swim.hpp"
#include "politex/exact/chain.hpp"

namespace politex::exact {
namespace {

using testing::random_model;

void for_every_policy(const FiniteModel& model, const std::function<void(const std::vector<int>&)>& visit) {
  std::vector<int> actions(model.states, 0);
  for (int x = 0; x < model.states;) {
    visit(actions);
    for (x = 0; x < model.states && ++actions[x] == model.actions; ++x) actions[x] = 0;
  }
}

Classes classes_of(const FiniteModel& model, const std::vector<int>& actions) {
  return recurrent_classes(chain_of(model, deterministic_policy(model, actions)));
}

TEST(SingleClass, AgreesWithTryingEveryPolicy) {
  int certified = 0, refuted = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const FiniteModel model = random_model(seed, 2 + static_cast<int>(seed % 7), 2, 1 + static_cast<int>(seed % 4));
    bool single = true;
    std::vector<char> common(model.states, 1);
    for_every_policy(model, [&](const std::vector<int>& actions) {
      const Classes classes = classes_of(model, actions);
      single &= classes.count == 1;
      for (int x = 0; x < model.states; ++x) common[x] &= classes.of[x] >= 0 ? 1 : 0;
    });
    const SingleClass found = single_class(model);
    EXPECT_EQ(found.answer, single ? Answer::yes : Answer::no) << "seed " << seed;
    if (found.answer == Answer::yes && found.certificate >= 0) {
      EXPECT_EQ(common[found.certificate], 1) << "seed " << seed;
      ++certified;
    }
    if (found.answer == Answer::no) {
      const Classes classes = classes_of(model, found.witness);
      EXPECT_GE(classes.count, 2) << "seed " << seed;
      EXPECT_GE(classes.of[found.first_home], 0);
      EXPECT_GE(classes.of[found.second_home], 0);
      EXPECT_NE(classes.of[found.first_home], classes.of[found.second_home]);
      ++refuted;
    }
  }
  EXPECT_GT(certified, 20);
  EXPECT_GT(refuted, 20);
}

TEST(SingleClass, EndComponentsAreTheStatesThatSomePolicyMakesRecurrent) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const FiniteModel model =
        random_model(seed + 300, 2 + static_cast<int>(seed % 6), 2, 1 + static_cast<int>(seed % 3));
    std::vector<char> recurrent(model.states, 0);
    for_every_policy(model, [&](const std::vector<int>& actions) {
      const Classes classes = classes_of(model, actions);
      for (int x = 0; x < model.states; ++x) recurrent[x] |= classes.of[x] >= 0 ? 1 : 0;
    });
    const EndComponents components = end_components(model);
    for (int x = 0; x < model.states; ++x) {
      EXPECT_EQ(components.of[x] >= 0, recurrent[x] == 1) << "seed " << seed << " state " << x;
    }
  }
}

TEST(SingleClass, DeepSeaHasAWitnessUnlessItTeleports) {
  for (const int n : {2, 3, 10, 40}) {
    const FiniteModel model = deep_sea_model(DeepSea{n});
    const SingleClass found = single_class(model);
    ASSERT_EQ(found.answer, Answer::no) << n;
    EXPECT_GE(classes_of(model, found.witness).count, 2) << n;
    EXPECT_EQ(single_class(with_teleport(model, 0.1)).answer, Answer::yes);
  }
}

// Three states, each choosing which of the other two comes next; every two cycles meet, yet every state can be avoided.
TEST(SingleClass, YesWithoutACertificateOnSmallModels) {
  FiniteModel model = random_model(1, 3, 2, 1);
  model.next = {1, 2, 0, 2, 0, 1};
  const SingleClass found = single_class(model);
  EXPECT_EQ(found.answer, Answer::yes);
  EXPECT_EQ(found.certificate, -1);
}

// The same three states with a long detour between them: too many policies to try, no certificate, no witness.
TEST(SingleClass, UnknownWhereNothingDecides) {
  const int corridor = 20;
  FiniteModel model;
  model.states = 3 + corridor;
  model.actions = 2;
  model.first = {0};
  const auto link = [&](int a, int b) {
    for (const int y : {a, b}) {
      model.next.push_back(y);
      model.probability.push_back(1.0);
      model.cost.push_back(0.0);
      model.first.push_back(static_cast<std::int64_t>(model.next.size()));
    }
  };
  link(1, 2);
  link(3, 2);  // 1 -> corridor -> 0
  link(0, 1);
  for (int k = 0; k < corridor; ++k) link(k + 1 < corridor ? 4 + k : 0, k + 1 < corridor ? 4 + k : 0);
  EXPECT_EQ(single_class(model).answer, Answer::unknown);
}

}  // namespace
}  // namespace politex::exact
