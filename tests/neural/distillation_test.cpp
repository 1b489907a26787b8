#include "politex/neural/distillation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "politex/base/rng.hpp"

namespace politex::neural {
namespace {

constexpr int inputs = 3, outputs = 4, rows = 5;

const Shape& small_shape() {
  static const Shape shape{inputs, {16}, outputs};
  return shape;
}

Floats some_states(std::uint64_t seed) {
  Rng rng(seed);
  Floats states(inputs * rows);
  for (float& x : states) x = static_cast<float>(rng.normal());
  return states;
}

/// The network's outputs in plain loops and doubles, from the matrices by their names.
std::vector<double> plain_outputs(const DuelingNetwork& network, const float* x) {
  const auto find = [&](const std::string& name) { return *std::ranges::find(network.blocks(), name, &Block::name); };
  const auto at = [&](const Block& block, int row, int column) {
    return static_cast<double>(
        network.parameters()[static_cast<std::size_t>(block.offset + row * block.columns + column)]);
  };
  const Block weight = find("hidden.0.weight"), bias = find("hidden.0.bias");
  const Block head = find("head.weight"), head_bias = find("head.bias");
  std::vector<double> hidden(16);
  for (int h = 0; h < 16; ++h) {
    double sum = at(bias, 0, h);
    for (int i = 0; i < inputs; ++i) sum += static_cast<double>(x[i]) * at(weight, i, h);
    hidden[static_cast<std::size_t>(h)] = std::max(sum, 0.0);
  }
  std::vector<double> raw;
  for (int k = 0; k <= outputs; ++k) {
    double sum = at(head_bias, 0, k);
    for (int h = 0; h < 16; ++h) sum += at(head, k, h) * hidden[static_cast<std::size_t>(h)];
    raw.push_back(sum);
  }
  double mean = 0;
  for (int a = 1; a <= outputs; ++a) mean += raw[static_cast<std::size_t>(a)] / outputs;
  std::vector<double> result;
  for (int a = 1; a <= outputs; ++a) result.push_back(raw[0] + raw[static_cast<std::size_t>(a)] - mean);
  return result;
}

TEST(Distillation, TheBonusIsTheSquaredErrorOverItsMean) {
  Distillation distillation(small_shape(), {}, 3);
  double running = 0.0;
  for (const std::uint64_t batch : {1U, 2U, 3U}) {
    const Floats states = some_states(batch);
    std::vector<double> errors;
    double mean = 0.0;
    for (std::size_t r = 0; r < rows; ++r) {
      const auto wanted = plain_outputs(distillation.target(), &states[r * inputs]);
      const auto predicted = plain_outputs(distillation.predictor(), &states[r * inputs]);
      double error = 0.0;
      for (std::size_t k = 0; k < outputs; ++k) error += std::pow(predicted[k] - wanted[k], 2);
      errors.push_back(error);
      mean += error / rows;
    }
    running = batch == 1 ? mean : 0.99 * running + 0.01 * mean;
    const std::vector<float> bonuses = distillation.bonuses(states, rows);
    for (std::size_t r = 0; r < rows; ++r)
      EXPECT_NEAR(bonuses[r], std::min(5.0, errors[r] / running), 1e-4 * (1 + errors[r])) << batch << " " << r;
    EXPECT_NEAR(distillation.mean_error(), running, 1e-4 * running);
  }
}

TEST(Distillation, WhatIsSeenOftenLosesItsBonus) {
  Distillation distillation(small_shape(), {}, 3);
  const Floats often = some_states(1), never = some_states(2);
  for (int i = 0; i < 2000; ++i) distillation.bonuses(often, rows);
  Floats both = often;
  both.insert(both.end(), never.begin(), never.end());
  const std::vector<float> bonuses = distillation.bonuses(both, 2 * rows);
  EXPECT_LT(*std::max_element(bonuses.begin(), bonuses.begin() + rows),
            *std::min_element(bonuses.begin() + rows, bonuses.end()));
}

TEST(Distillation, IsRestoredToTheBit) {
  Distillation one(small_shape(), {}, 3), other(small_shape(), {}, 3);
  one.bonuses(some_states(1), rows);
  ByteWriter saved;
  one.save(saved);
  ByteReader from(saved.bytes());
  other.restore(from);
  EXPECT_TRUE(from.empty());
  EXPECT_EQ(one.bonuses(some_states(2), rows), other.bonuses(some_states(2), rows));
}

}  // namespace
}  // namespace politex::neural
