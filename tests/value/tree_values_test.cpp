// Against a computation from the list of transitions that looks each of them up from the root.
#include "politex/value/tree_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "politex/base/rng.hpp"
#include "politex/value/tree_growth.hpp"

namespace politex {
namespace {

/// A walk in the unit square: action 1 moves up and right, action 0 down and left; near the upper corner costs are low,
/// and a step begins again elsewhere.
struct Walk {
  Features features;
  std::vector<std::int32_t> pairs;
  std::vector<double> costs, observations;
  std::vector<std::uint8_t> truncated;
  Rng rng{3};
  double x = 0.5, y = 0.5;

  Phase play(int steps) {
    features.actions = 2;
    pairs.clear();
    costs.clear();
    observations.clear();
    truncated.assign(static_cast<std::size_t>(steps), 0);
    for (int t = 0; t < steps; ++t) {
      observations.insert(observations.end(), {x, y});
      const auto action = static_cast<std::int32_t>(rng.below(2));
      pairs.push_back(t * 2 + action);
      const double move = (action == 1 ? 0.1 : -0.1) * rng.uniform();
      x = std::clamp(x + move, 0.0, 1.0);
      y = std::clamp(y + move + 0.05 * (rng.uniform() - 0.5), 0.0, 1.0);
      costs.push_back(x + y > 1.7 ? 0.0 : 1.0 + 0.1 * rng.uniform());
      if (t % 50 == 49) {
        truncated[static_cast<std::size_t>(t)] = 1;
        x = rng.uniform();
        y = rng.uniform();
      }
    }
    observations.insert(observations.end(), {x, y});
    return {.lengths = {},
            .pairs = pairs,
            .costs = costs,
            .last_slot = steps,
            .features = &features,
            .policy = {},
            .slots_are_states = false,
            .model_pairs = {},
            .last_state = 0,
            .segments = {},
            .complete = true,
            .truncated = truncated,
            .observations = observations};
  }
};

struct Estimate {
  double count = 0.0, sum = 0.0;
};

TEST(TreeValues, AreTheFixedPointOfTheirFormula) {
  auto tree = std::make_shared<CellTree>(std::vector<Range>{{0, 1}, {0, 1}}, 400);
  TreeValues values(tree, 2);
  Walk walk;
  for (int phase = 0; phase < 12; ++phase) values.learn(walk.play(400));
  ASSERT_GT(tree->cells(), 20);
  ASSERT_LT(values.evaluate(200'000, 1e-13), 200'000);

  // Every transition adds to each node on its way, by action.
  const double g = values.discount();
  std::map<std::pair<int, int>, Estimate> nodes;
  double total = 0.0, transitions = 0.0;
  const StoredPoints& points = values.points();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points.taken(i) < 0) continue;
    const double next = values.values()[static_cast<std::size_t>(tree->cell(points.point(i + 1)))];
    for (int node = 0;;) {
      Estimate& estimate = nodes[{node, points.taken(i)}];
      estimate.count += 1.0;
      estimate.sum += points.cost(i) + g * next;
      const CellTree::Node& here = tree->nodes()[static_cast<std::size_t>(node)];
      if (here.coordinate < 0) break;
      const bool below = points.point(i)[static_cast<std::size_t>(here.coordinate)] < here.threshold;
      node = here.below + (below ? 0 : 1);
    }
    total += values.values()[static_cast<std::size_t>(tree->cell(points.point(i)))];
    transitions += 1.0;
  }
  EXPECT_NEAR(transitions, 12 * (400 - 8), 0.5);
  const auto mean_of_values = total / transitions;
  for (int action = 0; action < 2; ++action) {
    std::vector<double> means(tree->nodes().size());
    const Estimate root = nodes[{0, action}];
    means[0] = root.count > 0.0 ? root.sum / root.count : mean_of_values;
    for (std::size_t k = 0; k < means.size(); ++k) {
      const CellTree::Node& node = tree->nodes()[k];
      if (node.coordinate < 0) {
        EXPECT_NEAR(values.q()[static_cast<std::size_t>(node.cell * 2 + action)], means[k], 1e-8);
        continue;
      }
      for (int child : {node.below, node.below + 1}) {
        const Estimate here = nodes[{child, action}];
        means[static_cast<std::size_t>(child)] = (here.sum + means[k]) / (here.count + 1.0);
      }
    }
  }
  for (std::size_t x = 0; x < values.values().size(); ++x)
    EXPECT_NEAR(values.values()[x],
                values.policy()[2 * x] * values.q()[2 * x] + values.policy()[2 * x + 1] * values.q()[2 * x + 1], 1e-9);
  // Up and right is better nearly everywhere.
  double better = 0.0;
  for (std::size_t x = 0; x < values.values().size(); ++x) better += values.q()[2 * x + 1] < values.q()[2 * x] ? 1 : 0;
  EXPECT_GT(better, 0.7 * static_cast<double>(values.values().size()));
}

TEST(TreeValues, CellsAreSmallAndHaveFewTransitions) {
  auto tree = std::make_shared<CellTree>(std::vector<Range>{{0, 1}, {0, 1}}, 4000);
  TreeValues values(tree, 2);
  Walk walk;
  values.learn(walk.play(20'000));
  std::vector<int> transitions(static_cast<std::size_t>(tree->cells()), 0);
  std::vector<std::array<float, 4>> box(transitions.size(), {2.0F, -1.0F, 2.0F, -1.0F});
  const StoredPoints& points = values.points();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points.taken(i) < 0) continue;
    const auto point = points.point(i);
    const auto cell = static_cast<std::size_t>(tree->cell(point));
    ++transitions[cell];
    for (std::size_t k = 0; k < 2; ++k) {
      box[cell][2 * k] = std::min(box[cell][2 * k], point[k]);
      box[cell][2 * k + 1] = std::max(box[cell][2 * k + 1], point[k]);
    }
  }
  EXPECT_EQ(widest_share(2), 16);
  EXPECT_EQ(widest_share(6), 2);
  for (std::size_t cell = 0; cell < box.size(); ++cell) {
    if (transitions[cell] == 0) continue;
    EXPECT_LE(box[cell][1] - box[cell][0], 1.0F / 16.0F);
    EXPECT_LE(box[cell][3] - box[cell][2], 1.0F / 16.0F);
    const bool narrow = box[cell][1] - box[cell][0] < 1.0F / 256.0F && box[cell][3] - box[cell][2] < 1.0F / 256.0F;
    EXPECT_TRUE(transitions[cell] <= 120 || narrow) << cell;
  }
}

TEST(TreeValues, LearnNothingWhileAllCostsAreTheSame) {
  auto tree = std::make_shared<CellTree>(std::vector<Range>{{0, 1}, {0, 1}}, 400);
  TreeValues values(tree, 2);
  Walk walk;
  Phase phase = walk.play(500);
  std::ranges::fill(walk.costs, 1.0);
  values.learn(phase);
  EXPECT_FALSE(values.learned());
  EXPECT_EQ(tree->cells(), 1);
  EXPECT_EQ(values.policy()[0], 0.5);
  values.learn(walk.play(500));
  EXPECT_TRUE(values.learned());
  EXPECT_EQ(values.steps(), 1000);
  EXPECT_GT(tree->cells(), 10);
}

TEST(TreeValues, AreTheSameAfterSavingAndRestoring) {
  auto tree = std::make_shared<CellTree>(std::vector<Range>{{0, 1}, {0, 1}}, 400);
  TreeValues values(tree, 2);
  Walk walk;
  for (int phase = 0; phase < 5; ++phase) values.learn(walk.play(300));
  ByteWriter saved;
  values.save(saved);
  auto second_tree = std::make_shared<CellTree>(std::vector<Range>{{0, 1}, {0, 1}}, 400);
  TreeValues second(second_tree, 2);
  ByteReader from(saved.bytes());
  second.restore(from);
  for (int phase = 0; phase < 5; ++phase) {
    const Phase next = walk.play(300);
    values.learn(next);
    second.learn(next);
  }
  EXPECT_TRUE(std::ranges::equal(values.q(), second.q()));
  EXPECT_TRUE(std::ranges::equal(values.policy(), second.policy()));
  EXPECT_EQ(tree->cells(), second_tree->cells());
  ByteReader short_one(std::span(saved.bytes()).first(saved.bytes().size() / 2));
  EXPECT_THROW(second.restore(short_one), Error);
}

}  // namespace
}  // namespace politex
