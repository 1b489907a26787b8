#include "politex/features/feature_map.hpp"

#include <gtest/gtest.h>

#include "politex/env/acrobot.hpp"
#include "politex/env/cartpole.hpp"
#include "politex/env/cartpole_balance.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/garnet.hpp"
#include "politex/env/mountain_car.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/features/additive.hpp"
#include "politex/features/auto_features.hpp"
#include "politex/features/features_file.hpp"
#include "politex/features/fourier.hpp"
#include "politex/features/identity.hpp"
#include "politex/features/tabular.hpp"

namespace politex {
namespace {

TEST(FeatureMap, CompilesToOneRowPerState) {
  const FiniteModel sea = deep_sea_model(DeepSea(4));
  const Features features = features_of_states(AdditiveFeatures(sea), sea.states, sea.actions);
  EXPECT_EQ(features.slots(), 16);
  EXPECT_EQ(features.exclusive, 4);
  EXPECT_TRUE(features.two_indicators);
  const FeatureTable table(features);
  for (int x = 0; x < sea.states; ++x) {
    const double index = x;
    const Features direct = features_at(AdditiveFeatures(sea), {&index, 1}, sea.actions);
    const Features looked_up = features_at(table, {&index, 1}, sea.actions);
    EXPECT_EQ(direct.rows.index, looked_up.rows.index);
    EXPECT_EQ(direct.rows.value, looked_up.rows.value);
    EXPECT_TRUE(looked_up.two_indicators);
  }
}

TEST(FeatureMap, OneRowPerActionWhereAFileSaysSo) {
  const FiniteModel model = garnet_model({.states = 2, .actions = 2, .branching = 1});
  const FeatureTable table(parse_features(R"({"features": [[1, 2], [3, 4], [5, 6], [7, 8]]})", "f.json", model));
  EXPECT_FALSE(table.replicated());
  const double state = 1;
  const Features features = features_at(table, {&state, 1}, 2);
  EXPECT_EQ(features.rows.value, (std::vector<double>{5, 6, 7, 8}));
}

TEST(IdentityFeatures, AreTheObservation) {
  SparseRows row;
  IdentityFeatures(3).append(std::vector<double>{1.5, 0.0, -2.0}, row);
  EXPECT_EQ(row.value, (std::vector<double>{1.5, 0.0, -2.0}));
  EXPECT_EQ(row.index, (std::vector<std::int32_t>{0, 1, 2}));
}

TEST(AutoFeatures, MeanOneThingEverywhere) {
  const FiniteModel sea = deep_sea_model(DeepSea(4));
  const FiniteModel garnet = garnet_model({.states = 7, .actions = 2, .branching = 2});
  const auto columns = [](const Space& space, const FiniteModel* model) {
    return make_auto_features(space, model)->columns();
  };
  EXPECT_EQ(columns(TableEnvironment(sea).space(), &sea), 8);        // row and column
  EXPECT_EQ(columns(TableEnvironment(garnet).space(), &garnet), 7);  // tabular
  EXPECT_EQ(columns(TableEnvironment(sea).space(), nullptr), 16);    // an external one: no axes are known
  EXPECT_EQ(columns(MountainCar().space(), nullptr), 64);            // all products
  EXPECT_EQ(columns(CartpoleBalance().space(), nullptr), 33);        // pairs
  EXPECT_EQ(columns(Cartpole().space(), nullptr), 51);
  EXPECT_EQ(columns(Acrobot().space(), nullptr), 73);
  Space wide;
  wide.ranges.resize(30);
  EXPECT_EQ(columns(wide, nullptr), 61);
  wide.ranges.resize(128);
  EXPECT_EQ(columns(wide, nullptr), 129);
}

}  // namespace
}  // namespace politex
