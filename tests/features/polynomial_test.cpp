// Polynomials of queue lengths and positions, and feature maps of numbers on listed states with coordinates.
#include "politex/features/polynomial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"
#include "politex/env/access_control.hpp"
#include "politex/env/criss_cross.hpp"
#include "politex/env/garnet.hpp"
#include "politex/env/river_swim.hpp"
#include "politex/env/rooms.hpp"
#include "politex/features/features_entry.hpp"
#include "politex/features/on_axes.hpp"
#include "politex/features/tiles.hpp"

namespace politex {
namespace {

std::vector<double> dense_row(const FeatureMap& map, const std::vector<double>& observation) {
  SparseRows rows;
  rows.columns = map.columns();
  map.append(observation, rows);
  std::vector<double> all(static_cast<std::size_t>(map.columns()), 0.0);
  for (std::size_t k = 0; k < rows.indices(0).size(); ++k)
    all[static_cast<std::size_t>(rows.indices(0)[k])] = rows.values(0)[k];
  return all;
}

TEST(Polynomial, HasEveryProductOnce) {
  const std::vector<Range> ranges(3, Range{0.0, 1.0});
  for (const auto& [degree, count] : {std::pair<int, int>{0, 1}, {1, 4}, {2, 10}, {3, 20}}) {
    const Polynomial map(ranges, degree);
    ASSERT_EQ(map.columns(), count) << degree;
    // Logarithms of distinct primes: equal values are equal products.
    const std::vector<double> at{1.0 / 2.0, 1.0 / 3.0, 1.0 / 5.0};
    std::multiset<int> expected, found;
    for (int a = 0; a <= degree; ++a)
      for (int b = 0; a + b <= degree; ++b)
        for (int c = 0; a + b + c <= degree; ++c)
          expected.insert(static_cast<int>(std::lround(std::pow(2, a) * std::pow(3, b) * std::pow(5, c))));
    for (const double value : dense_row(map, at)) found.insert(static_cast<int>(std::lround(1.0 / value)));
    EXPECT_EQ(found, expected);
  }
}

TEST(Polynomial, SeesSharesOfTheRanges) {
  const Polynomial map({{-2.0, 2.0}, {0.0, 10.0}}, 2);
  EXPECT_EQ(dense_row(map, {0.0, 5.0}), (std::vector{1.0, 0.5, 0.5, 0.25, 0.25, 0.25}));
  EXPECT_EQ(dense_row(map, {-2.0, 20.0}), (std::vector{1.0, 0.0, 1.0, 0.0, 0.0, 1.0}));
}

TEST(Polynomial, RefusesMoreThanFiveThousandFeatures) {
  const std::vector<Range> ranges(8, Range{0.0, 1.0});
  EXPECT_EQ(Polynomial(ranges, 2).columns(), 45);  // de Farias and Van Roy's eight queues
  try {
    const Polynomial map(ranges, 9);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(std::string(error.what()), ::testing::HasSubstr("features.degree: 9 gives 24310 features"));
  }
}

std::unique_ptr<FeatureMap> made(const FeaturesEntry& entry, const FiniteModel& model) {
  const Values values;
  const Space space = finite_space(model.name, model.states, model.actions, model.size);
  EXPECT_TRUE(entry.fits(space, &model)) << model.name;
  return entry.make({.values = values, .space = space, .model = &model});
}

TEST(Polynomial, IsOfTheQueueLengthsOfANetwork) {
  const FiniteModel model = network_model(criss_cross_network({.buffer = 4}), "criss_cross");
  const auto map = made(polynomial_entry(), model);
  ASSERT_EQ(map->columns(), 10);
  for (const int state : {0, 1, 7, 124}) {
    const double a = state / 25 / 4.0, b = state / 5 % 5 / 4.0, c = state % 5 / 4.0;
    EXPECT_EQ(dense_row(*map, {static_cast<double>(state)}),
              (std::vector{1.0, a, b, c, a * a, a * b, a * c, b * b, b * c, c * c}));
  }
}

TEST(OnAxes, CoordinatesOfListedStates) {
  using Axes = std::vector<std::vector<int>>;
  EXPECT_EQ(state_axes(river_swim_model(4)), (Axes{{0, 1, 2, 3}}));
  const Axes jobs = state_axes(access_control_model({.servers = 2}));
  EXPECT_EQ(jobs, (Axes{{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}, {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}}));
  const Axes rooms = state_axes(rooms_model({.size = 5}));
  EXPECT_EQ(rooms[0][7], 1);
  EXPECT_EQ(rooms[1][7], 2);
  const FiniteModel garnet = garnet_model({.states = 5, .actions = 2, .branching = 2, .model_seed = 1});
  EXPECT_TRUE(state_axes(garnet).empty());
  EXPECT_FALSE(polynomial_entry().fits(finite_space("garnet", 5, 2, 5), &garnet));
  EXPECT_FALSE(tiles_entry().fits(finite_space("garnet", 5, 2, 5), &garnet));
}

TEST(OnAxes, TilesOfListedStatesAreTilesOfTheirCoordinates) {
  const FiniteModel model = access_control_model({});
  const auto map = made(tiles_entry(), model);
  const Tiles plain({{0.0, 10.0}, {0.0, 3.0}}, 8, 8);
  ASSERT_EQ(map->columns(), plain.columns());
  EXPECT_EQ(map->exclusive(), plain.exclusive());
  for (int x = 0; x < model.states; ++x)
    EXPECT_EQ(dense_row(*map, {static_cast<double>(x)}),
              dense_row(plain, {static_cast<double>(x / 4), static_cast<double>(x % 4)}));
}

}  // namespace
}  // namespace politex
