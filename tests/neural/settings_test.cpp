#include "politex/neural/settings.hpp"

#include <gtest/gtest.h>

#include "politex/base/error.hpp"

namespace politex::neural {
namespace {

TEST(Settings, TransformTakesTheRootOrTheSignOfAScore) {
  using Transform = Settings::Transform;
  EXPECT_EQ(transformed(Transform::none, -7.5), -7.5);
  EXPECT_DOUBLE_EQ(transformed(Transform::root, -10.0), -0.2);  // a dot of Ms. Pac-Man
  EXPECT_DOUBLE_EQ(transformed(Transform::root, 1000.0), 2.0);
  EXPECT_EQ(transformed(Transform::root, 0.0), 0.0);
  EXPECT_EQ(transformed(Transform::sign, -70.0), -1.0);
  EXPECT_EQ(transformed(Transform::sign, 0.5), 1.0);
  EXPECT_EQ(transformed(Transform::sign, 0.0), 0.0);
}

TEST(Settings, ConvolutionsNeedPictures) {
  Settings s;
  s.nature = true;
  try {
    Space ram;
    ram.actions = 9;
    ram.ranges.resize(128);
    ram.bytes = true;
    shape_of(s, ram);
    ADD_FAILURE();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.key(), "network.kind");
  }
}

TEST(Settings, TheCostScaleIsGivenOrFollowsFromTheDiscount) {
  Settings settings;
  settings.learner.discount = 0.9;
  EXPECT_NEAR(cost_scale(settings), 1.0, 1e-15);
  settings.learner.discount = 0.99;
  EXPECT_NEAR(cost_scale(settings), 0.1, 1e-15);
  settings.transform = Settings::Transform::sign;
  EXPECT_EQ(cost_scale(settings), 1.0);
  settings.cost_scale = 0.25;
  EXPECT_EQ(cost_scale(settings), 0.25);
}

TEST(Settings, RestartsFollowFromTheTimeLimit) {
  Settings settings;
  settings.learner.mode = LearnerSettings::Mode::differential;
  BlockMaker maker;
  EXPECT_EQ(value_factor(checked(settings, maker, nullptr).learner), 1.0);
  maker.space.time_limit = 1000;
  EXPECT_EQ(value_factor(checked(settings, maker, nullptr).learner), 1.0 - 1.0 / 1000.0);
  settings.learner.restarts = false;
  EXPECT_EQ(value_factor(checked(settings, maker, nullptr).learner), 1.0);
  settings.learner.mode = LearnerSettings::Mode::discounted;
  EXPECT_EQ(value_factor(checked(settings, maker, nullptr).learner), settings.learner.discount);
}

}  // namespace
}  // namespace politex::neural
