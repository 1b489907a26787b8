#include "politex/network/network.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "politex/base/error.hpp"
#include "politex/network/adam.hpp"

namespace politex {
namespace {

std::vector<float> draw(Rng& rng, std::size_t count, double scale = 1.0) {
  std::vector<float> values(count);
  for (float& v : values) v = static_cast<float>(scale * rng.normal());
  return values;
}

/// Q in double precision, layer by layer, straight from the definition.
std::vector<double> textbook(const DuelingNetwork& network, std::span<const float> x,
                             std::span<const double> parameters) {
  std::vector<double> from(x.begin(), x.end());
  const auto& blocks = network.blocks();
  const auto p = [&](const Block& b, int r, int c) {
    return parameters[static_cast<std::size_t>(b.offset + r * b.columns + c)];
  };
  std::size_t b = 0;
  for (; b + 2 < blocks.size(); b += 2) {
    std::vector<double> to;
    for (int u = 0; u < blocks[b].used_columns; ++u) {
      double sum = p(blocks[b + 1], 0, u);
      for (int i = 0; i < blocks[b].used_rows; ++i) sum += from[static_cast<std::size_t>(i)] * p(blocks[b], i, u);
      to.push_back(std::max(0.0, sum));
    }
    from = to;
  }
  std::vector<double> head;
  for (int o = 0; o < blocks[b].used_rows; ++o) {
    double sum = p(blocks[b + 1], 0, o);
    for (int u = 0; u < blocks[b].used_columns; ++u) sum += from[static_cast<std::size_t>(u)] * p(blocks[b], o, u);
    head.push_back(sum);
  }
  double mean = 0;
  for (std::size_t a = 1; a < head.size(); ++a) mean += head[a] / static_cast<double>(head.size() - 1);
  std::vector<double> q;
  for (std::size_t a = 1; a < head.size(); ++a) q.push_back(head[0] + head[a] - mean);
  return q;
}

/// Biases too, which randomise() leaves at 0.
void scatter(DuelingNetwork& network, Rng& rng) {
  network.randomise(rng);
  for (const Block& block : network.blocks())
    for (int c = 0; block.rows == 1 && c < block.used_columns; ++c)
      network.parameters()[static_cast<std::size_t>(block.offset + c)] += static_cast<float>(0.3 * rng.normal());
}

struct Case {
  Shape shape;
  int rows;
};

class Networks : public testing::TestWithParam<Case> {};

TEST_P(Networks, ForwardIsTheTextbook) {
  const auto& [shape, rows] = GetParam();
  Rng rng(11);
  DuelingNetwork network(shape);
  scatter(network, rng);
  const auto x = draw(rng, static_cast<std::size_t>(rows * shape.inputs));
  std::vector<float> q(static_cast<std::size_t>(rows * shape.actions)), frozen(q.size());
  Tape tape;
  network.forward(x.data(), rows, q.data(), tape);
  FrozenNetwork::Workspace workspace;
  FrozenNetwork(network).evaluate(x.data(), rows, frozen.data(), workspace);
  const std::vector<double> parameters(network.parameters().begin(), network.parameters().end());
  for (int r = 0; r < rows; ++r) {
    const auto expected = textbook(
        network,
        std::span(x).subspan(static_cast<std::size_t>(r * shape.inputs), static_cast<std::size_t>(shape.inputs)),
        parameters);
    for (int a = 0; a < shape.actions; ++a) {
      const auto i = static_cast<std::size_t>(r * shape.actions + a);
      EXPECT_NEAR(static_cast<double>(q[i]), expected[static_cast<std::size_t>(a)], 3e-6);
      EXPECT_NEAR(static_cast<double>(frozen[i]), expected[static_cast<std::size_t>(a)], 3e-6);
    }
  }
}

TEST_P(Networks, ARowDoesNotDependOnItsNeighbours) {
  const auto& [shape, rows] = GetParam();
  Rng rng(12);
  DuelingNetwork network(shape);
  scatter(network, rng);
  const FrozenNetwork frozen(network);
  const auto x = draw(rng, static_cast<std::size_t>(rows * shape.inputs));
  std::vector<float> all(static_cast<std::size_t>(rows * shape.actions)), one(static_cast<std::size_t>(shape.actions));
  FrozenNetwork::Workspace workspace;
  frozen.evaluate(x.data(), rows, all.data(), workspace);
  for (int r = 0; r < rows; ++r) {
    frozen.evaluate(x.data() + r * shape.inputs, 1, one.data(), workspace);
    for (int a = 0; a < shape.actions; ++a)
      EXPECT_EQ(one[static_cast<std::size_t>(a)], all[static_cast<std::size_t>(r * shape.actions + a)]);
  }
}

TEST_P(Networks, GradientIsTheFiniteDifference) {
  const auto& [shape, rows] = GetParam();
  Rng rng(13);
  DuelingNetwork network(shape);
  scatter(network, rng);
  const auto x = draw(rng, static_cast<std::size_t>(rows * shape.inputs));
  const auto slope = draw(rng, static_cast<std::size_t>(rows * shape.actions));
  std::vector<float> q(slope.size());
  Tape tape;
  network.forward(x.data(), rows, q.data(), tape);
  Floats gradient(network.parameters().size(), 0.0F);
  network.backward(x.data(), rows, slope.data(), tape, gradient);

  std::vector<double> parameters(network.parameters().begin(), network.parameters().end());
  const auto objective = [&] {
    double sum = 0;
    for (int r = 0; r < rows; ++r) {
      const auto out = textbook(
          network,
          std::span(x).subspan(static_cast<std::size_t>(r * shape.inputs), static_cast<std::size_t>(shape.inputs)),
          parameters);
      for (int a = 0; a < shape.actions; ++a)
        sum += static_cast<double>(slope[static_cast<std::size_t>(r * shape.actions + a)]) *
               out[static_cast<std::size_t>(a)];
    }
    return sum;
  };
  int checked = 0;
  for (const Block& block : network.blocks())
    for (int r = 0; r < block.rows; ++r)
      for (int c = 0; c < block.columns; ++c) {
        const auto i = static_cast<std::size_t>(block.offset + r * block.columns + c);
        if (r >= block.used_rows || c >= block.used_columns) {
          EXPECT_EQ(gradient[i], 0.0F) << block.name << " padding";
          continue;
        }
        if (rng.uniform() > 120.0 / block.rows / block.columns) continue;
        const double kept = parameters[i], h = 1e-6;
        parameters[i] = kept + h;
        const double up = objective();
        parameters[i] = kept - h;
        const double down = objective();
        parameters[i] = kept;
        EXPECT_NEAR(static_cast<double>(gradient[i]), (up - down) / (2 * h),
                    2e-4 * (1 + std::abs((up - down) / (2 * h))))
            << block.name << ' ' << r << ' ' << c;
        ++checked;
      }
  EXPECT_GE(checked, 18);  // all of the smallest shape
}

INSTANTIATE_TEST_SUITE_P(Shapes, Networks,
                         testing::Values(Case{{5, {512}, 3}, 7}, Case{{5, {32}, 3}, 128}, Case{{1, {3}, 2}, 1},
                                         Case{{13, {40}, 9}, 6}, Case{{4, {24, 17, 33}, 5}, 9}, Case{{7, {16}, 1}, 3}));

TEST(DuelingNetwork, ByHand) {
  // One unit with weight 2 and bias 1 on one input: x = 1.5 gives h = 4, x = -1 gives h = 0.
  DuelingNetwork network(Shape{1, {1}, 2});
  const auto set = [&](std::size_t block, int row, int column, float value) {
    const Block& b = network.blocks()[block];
    network.parameters()[static_cast<std::size_t>(b.offset + row * b.columns + column)] = value;
  };
  set(0, 0, 0, 2.0F);   // weight
  set(1, 0, 0, 1.0F);   // bias
  set(2, 0, 0, 0.5F);   // V
  set(2, 1, 0, 1.0F);   // A of action 0
  set(2, 2, 0, -3.0F);  // A of action 1
  set(3, 0, 0, 10.0F);
  set(3, 0, 1, 1.0F);
  const std::vector<float> x = {1.5F, -1.0F};
  std::vector<float> q(4);
  Tape tape;
  network.forward(x.data(), 2, q.data(), tape);
  // h = 4: V = 12, A = (5, -12), mean -3.5. h = 0: V = 10, A = (1, 0), mean .5.
  EXPECT_EQ(q, (std::vector<float>{20.5F, 3.5F, 10.5F, 9.5F}));
  Floats gradient(network.parameters().size(), 0.0F);
  const std::vector<float> slope = {1.0F, 0.0F, 0.0F, 0.0F};  // dQ(x0, 0)
  network.backward(x.data(), 2, slope.data(), tape, gradient);
  const auto get = [&](std::size_t block, int row, int column) {
    const Block& b = network.blocks()[block];
    return gradient[static_cast<std::size_t>(b.offset + row * b.columns + column)];
  };
  EXPECT_EQ(get(2, 0, 0), 4.0F);
  EXPECT_EQ(get(2, 1, 0), 2.0F);
  EXPECT_EQ(get(2, 2, 0), -2.0F);
  EXPECT_EQ(get(1, 0, 0), 0.5F + 0.5F * 1.0F - 0.5F * -3.0F);
  EXPECT_EQ(get(0, 0, 0), 1.5F * 2.5F);
}

TEST(DuelingNetwork, RefusesSizes) {
  EXPECT_THROW(DuelingNetwork(Shape{5, {}, 3}), ConfigError);
  EXPECT_THROW(DuelingNetwork(Shape{5, {0}, 3}), ConfigError);
  EXPECT_THROW(DuelingNetwork(Shape{0, {8}, 3}), ConfigError);
  EXPECT_THROW(DuelingNetwork(Shape{5, {8}, 0}), ConfigError);
}

TEST(Adam, IsTheTextbookWithABoundOnTheNorm) {
  const Adam::Settings settings{.rate = 0.01, .epsilon = 1e-3, .clip = 2.0};
  Adam adam(16, settings);
  Rng rng(5);
  Floats parameters(16), gradient(16);
  std::vector<double> p(16), m(16), v(16);
  for (std::size_t i = 0; i < 16; ++i) p[i] = static_cast<double>(parameters[i] = static_cast<float>(rng.normal()));
  for (int t = 1; t <= 50; ++t) {
    double norm = 0;
    std::vector<double> g(16);
    for (std::size_t i = 0; i < 16; ++i) {
      g[i] = static_cast<double>(gradient[i] = static_cast<float>(0.5 * rng.normal()));
      norm += g[i] * g[i];
    }
    norm = std::sqrt(norm);
    EXPECT_NEAR(adam.step(parameters, gradient), norm, 1e-5);
    for (std::size_t i = 0; i < 16; ++i) {
      g[i] *= norm > 2.0 ? 2.0 / norm : 1.0;
      m[i] = 0.9 * m[i] + 0.1 * g[i];
      v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i];
      p[i] -= 0.01 * (m[i] / (1 - std::pow(0.9, t))) / (std::sqrt(v[i] / (1 - std::pow(0.999, t))) + 1e-3);
      EXPECT_NEAR(static_cast<double>(parameters[i]), p[i], 2e-5);
      EXPECT_EQ(gradient[i], 0.0F);
    }
  }
}

TEST(Adam, ContinuesAfterSaveAndRestore) {
  Adam one(16, {}), other(16, {});
  Floats p(16, 1.0F), q(16, 1.0F), g(16);
  const auto fill = [&](int t) {
    for (std::size_t i = 0; i < 16; ++i) g[i] = static_cast<float>(static_cast<int>(i) - t);
  };
  for (int t = 0; t < 3; ++t) {
    fill(t);
    one.step(p, g);
  }
  ByteWriter bytes;
  one.save(bytes);
  ByteReader reader(bytes.bytes());
  other.restore(reader);
  q = p;
  fill(9);
  one.step(p, g);
  fill(9);
  other.step(q, g);
  EXPECT_EQ(p, q);
}

}  // namespace
}  // namespace politex
