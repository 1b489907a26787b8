// The network for pictures, against plain loops and against their finite differences.
#include "politex/network/convolutions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/network/plain_convolutions.hpp"
#include "politex/network/safetensors.hpp"
#include "politex/neural/network_explorer.hpp"

namespace politex {
namespace {

std::size_t offset_at(int row, int width, int column) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column);
}

/// One convolution with relu, by its definition.
std::vector<double> convolve(const Convolution& layer, const std::vector<double>& from, const double* weight,
                             const double* bias) {
  std::vector<double> to;
  const auto at = [&](int c, int y, int x) { return from[offset_at(c * layer.height + y, layer.width, x)]; };
  for (int o = 0; o < layer.to; ++o)
    for (int y = 0; y < layer.out_height; ++y)
      for (int x = 0; x < layer.out_width; ++x) {
        double sum = bias[o];
        for (int c = 0; c < layer.from; ++c)
          for (int j = 0; j < layer.kernel; ++j)
            for (int i = 0; i < layer.kernel; ++i)
              sum += weight[offset_at((o * layer.from + c) * layer.kernel + j, layer.kernel, i)] *
                     at(c, y * layer.stride + j, x * layer.stride + i);
        to.push_back(std::max(0.0, sum));
      }
  return to;
}

/// The whole network in doubles, from parameters laid out as DuelingNetwork's.
std::vector<double> plain_values(const DuelingNetwork& network, const std::vector<double>& parameters,
                                 std::vector<double> x) {
  const auto block = [&](const std::string& name) -> std::pair<const Block*, const double*> {
    for (const Block& b : network.blocks())
      if (b.name == name) return {&b, &parameters[static_cast<std::size_t>(b.offset)]};
    return {nullptr, nullptr};
  };
  const auto layers = nature_convolutions(network.shape().picture);
  for (std::size_t k = 0; k < layers.size(); ++k) {
    const std::string name = "conv." + std::to_string(k);
    x = convolve(layers[k], x, block(name + ".weight").second, block(name + ".bias").second);
  }
  const auto [hidden, weight] = block("hidden.0.weight");
  const double* bias = block("hidden.0.bias").second;
  std::vector<double> units;
  for (int u = 0; u < hidden->used_columns; ++u) {
    double sum = bias[u];
    for (int i = 0; i < hidden->rows; ++i)
      sum += x[static_cast<std::size_t>(i)] * weight[offset_at(i, hidden->columns, u)];
    units.push_back(std::max(0.0, sum));
  }
  const auto [head, head_weight] = block("head.weight");
  const double* head_bias = block("head.bias").second;
  std::vector<double> out;
  for (int o = 0; o < head->used_rows; ++o) {
    double sum = head_bias[o];
    for (int u = 0; u < head->used_columns; ++u)
      sum += units[static_cast<std::size_t>(u)] * head_weight[offset_at(o, head->columns, u)];
    out.push_back(sum);
  }
  double mean = 0;
  for (std::size_t a = 1; a < out.size(); ++a) mean += out[a] / static_cast<double>(out.size() - 1);
  std::vector<double> values;
  for (std::size_t a = 1; a < out.size(); ++a) values.push_back(out[0] + out[a] - mean);
  return values;
}

struct PictureTrial {
  DuelingNetwork network;
  std::vector<float> pictures;
  std::vector<double> one(int row) const {
    const auto size = static_cast<std::size_t>(network.shape().inputs);
    const auto* from = &pictures[static_cast<std::size_t>(row) * size];
    return {from, from + size};
  }
  std::vector<double> parameters() const {
    const auto p = network.parameters();
    return {p.begin(), p.end()};
  }
};

PictureTrial picture_trial(const FrameStack& picture, int rows) {
  PictureTrial made{DuelingNetwork({picture.numbers(), {8}, 3, true, picture}), {}};
  Rng rng(81, Use::network), draw(82);
  made.network.randomise(rng);
  for (int i = 0; i < rows * picture.numbers(); ++i)
    made.pictures.push_back(static_cast<float>(draw.below(256)) / 255.0F);
  return made;
}

TEST(Pictures, ForwardIsTheDefinition) {
  for (const FrameStack& picture : {FrameStack{2, 36, 36}, FrameStack{4, 44, 52}, FrameStack{1, 84, 84}}) {
    const PictureTrial t = picture_trial(picture, 3);
    std::vector<float> values(9), frozen(9), single(3);
    Tape tape;
    t.network.forward(t.pictures.data(), 3, values.data(), tape);
    const FrozenNetwork still(t.network);
    FrozenNetwork::Workspace room;
    still.evaluate(t.pictures.data(), 3, frozen.data(), room);
    for (int r = 0; r < 3; ++r) {
      const auto expected = plain_values(t.network, t.parameters(), t.one(r));
      still.evaluate(&t.pictures[offset_at(r, picture.numbers(), 0)], 1, single.data(), room);
      for (std::size_t a = 0; a < 3; ++a) {
        const std::size_t at = 3 * static_cast<std::size_t>(r) + a;
        EXPECT_NEAR(static_cast<double>(values[at]), expected[a], 1e-5);
        EXPECT_NEAR(static_cast<double>(frozen[at]), expected[a], 1e-5);
        EXPECT_EQ(single[a], frozen[at]);  // the same in any batch
      }
    }
  }
}

TEST(Pictures, KernelsAreThoseOfTheProgramsOwnInstructionSet) {
  // tests/pypi/atari_test.py compares the bits of a run where oneDNN was asked for other kernels.
  if (convolution_instructions() == "own kernels") return;  // built without oneDNN
#if defined(__AVX2__)
  EXPECT_EQ(convolution_instructions(), "avx2");
#elif defined(__x86_64__)
  EXPECT_EQ(convolution_instructions(), "sse41");
#endif
}

TEST(Pictures, OneWeightByHand) {
  // A picture of ones through a network of which every convolution only passes on: channel 0, one corner, weight 1.
  const FrameStack picture{1, 36, 36};
  DuelingNetwork network({picture.numbers(), {1}, 1, true, picture});
  for (const Block& b : network.blocks()) {
    const auto set = [&](float value) { network.parameters()[static_cast<std::size_t>(b.offset)] = value; };
    if (b.name.ends_with("weight")) set(b.name == "conv.1.weight" ? 3.0F : b.name == "head.weight" ? 1.0F : 2.0F);
    if (b.name == "conv.0.bias") set(0.5F);
  }
  const std::vector<float> ones(static_cast<std::size_t>(picture.numbers()), 1.0F);
  float value = 0;
  Tape tape;
  network.forward(ones.data(), 1, &value, tape);
  EXPECT_EQ(value, (2.0F + 0.5F) * 3.0F * 2.0F * 2.0F);
}

TEST(Pictures, GradientIsTheFiniteDifference) {
  const PictureTrial t = picture_trial({2, 36, 36}, 2);
  const std::vector<float> slope = {0.3F, -1.0F, 0.5F, 0.7F, 0.2F, -0.4F};
  std::vector<float> values(6);
  Tape tape;
  t.network.forward(t.pictures.data(), 2, values.data(), tape);
  std::vector<float> gradient(t.network.parameters().size(), 0.0F);
  t.network.backward(t.pictures.data(), 2, slope.data(), tape, gradient);
  std::vector<double> parameters = t.parameters();
  const auto loss = [&] {
    double sum = 0;
    for (int r = 0; r < 2; ++r) {
      const auto q = plain_values(t.network, parameters, t.one(r));
      for (std::size_t a = 0; a < 3; ++a) sum += static_cast<double>(slope[3 * static_cast<std::size_t>(r) + a]) * q[a];
    }
    return sum;
  };
  Rng rng(83);
  for (const Block& b : t.network.blocks())
    for (int k = 0; k < 8; ++k) {
      const auto row = static_cast<int>(rng.below(static_cast<std::uint64_t>(b.used_rows)));
      const auto column = static_cast<int>(rng.below(static_cast<std::uint64_t>(b.used_columns)));
      const std::size_t at = static_cast<std::size_t>(b.offset) + offset_at(row, b.columns, column);
      constexpr double step = 1e-6;
      const double before = parameters[at];
      parameters[at] = before + step;
      const double up = loss();
      parameters[at] = before - step;
      const double down = loss();
      parameters[at] = before;
      EXPECT_NEAR(static_cast<double>(gradient[at]), (up - down) / (2 * step), 2e-5) << b.name;
    }
}

TEST(Pictures, ANetworkComesBackFromItsFile) {
  const PictureTrial t = picture_trial({2, 37, 40}, 1);
  const std::string bytes = to_safetensors(t.network, {{"environment", "bars"}});
  EXPECT_NE(bytes.find(R"("conv.1.weight":{"dtype":"F32","shape":[64,32,4,4])"), std::string::npos);
  const NetworkFile file = from_safetensors("explorer.file", "a.safetensors", bytes);
  EXPECT_EQ(file.network.shape(), t.network.shape());
  EXPECT_TRUE(std::ranges::equal(file.network.parameters(), t.network.parameters()));
  EXPECT_EQ(file.metadata.at("environment"), "bars");
  // An explorer takes it, after one of another size has used the thread's workspace.
  const PictureTrial larger = picture_trial({2, 44, 44}, 1);
  for (const PictureTrial* trial : {&larger, &t}) {
    const auto values = plain_values(trial->network, trial->parameters(), trial->one(0));
    ExplorerMemory memory;
    Rng rng(1);
    EXPECT_EQ(neural::NetworkExplorer(trial->network, 0.0, Space{}).act(trial->pictures, memory, rng),
              std::ranges::min_element(values) - values.begin());
  }
  for (const auto& [word, other] : {std::pair{"2 37 40", "2 37  0"}, {"2 37 40", "2 36 47"}, {"picture", "sculpt "}}) {
    std::string changed = bytes;
    changed.replace(changed.find(word), 7, other);
    EXPECT_THROW(from_safetensors("explorer.file", "a.safetensors", changed), ConfigError) << other;
  }
}

/// Weights, pictures and slopes of the three convolutions, drawn at random.
struct ConvolutionTrial {
  std::vector<Convolution> layers;
  int rows;
  std::vector<std::vector<float>> weights, biases;
  std::vector<float> pictures, slope;

  ConvolutionTrial(const FrameStack& picture, int row_count) : layers(nature_convolutions(picture)), rows(row_count) {
    Rng draw(84);
    const auto numbers = [&](int count, double scale) {
      std::vector<float> made;
      for (int i = 0; i < count; ++i) made.push_back(static_cast<float>(scale * draw.normal()));
      return made;
    };
    for (const Convolution& layer : layers) {
      weights.push_back(numbers(layer.to * layer.fan_in(), 1.0 / std::sqrt(layer.fan_in())));
      biases.push_back(numbers(layer.to, 0.1));
    }
    pictures = numbers(rows * picture.numbers(), 1.0);
    slope = numbers(rows * layers.back().outputs(), 1.0);
  }
  std::vector<ConvolutionWeights> given() const {
    std::vector<ConvolutionWeights> made;
    for (std::size_t k = 0; k < layers.size(); ++k) made.push_back({weights[k].data(), biases[k].data()});
    return made;
  }
  std::vector<float> features() const {
    return std::vector<float>(static_cast<std::size_t>(rows * layers.back().outputs()));
  }
  /// The gradient of every weight and bias, by whichever implementation; 1 is added to, as backward() promises.
  template <class Work>
  std::vector<float> gradient(Work& work) const {
    std::vector<std::vector<float>> parts;
    std::vector<ConvolutionGradient> into;
    for (std::size_t k = 0; k < layers.size(); ++k) {
      parts.emplace_back(weights[k].size(), 1.0F);
      parts.emplace_back(biases[k].size(), 1.0F);
    }
    for (std::size_t k = 0; k < layers.size(); ++k) into.push_back({parts[2 * k].data(), parts[2 * k + 1].data()});
    work.backward(slope.data(), into);
    std::vector<float> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  }
};

void expect_near(const std::vector<float>& one, const std::vector<float>& other, double tolerance) {
  ASSERT_EQ(one.size(), other.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < one.size(); ++i)
    worst = std::max(worst, std::abs(static_cast<double>(one[i]) - static_cast<double>(other[i])));
  EXPECT_LT(worst, tolerance);
}

// The wheel has no oneDNN. The definition judges the way forward; ConvolutionWork, which the finite differences above
// judge, judges the way back.
TEST(PlainConvolutions, AreTheDefinitionAndThoseOfOneDnn) {
  for (const FrameStack& picture : {FrameStack{2, 36, 36}, FrameStack{3, 44, 53}}) {
    const ConvolutionTrial t(picture, 3);
    PlainConvolutions plain(t.layers, t.rows, true), acting(t.layers, 1, false);
    std::vector<float> features = t.features(), alone(features.size() / 3);
    plain.forward(t.pictures.data(), t.given(), features.data(), false);
    for (int row = 0; row < t.rows; ++row) {
      const float* shown = &t.pictures[offset_at(row, picture.numbers(), 0)];
      std::vector<double> x(shown, shown + picture.numbers());
      for (std::size_t k = 0; k < t.layers.size(); ++k) {
        const std::vector<double> weight(t.weights[k].begin(), t.weights[k].end());
        const std::vector<double> bias(t.biases[k].begin(), t.biases[k].end());
        x = convolve(t.layers[k], x, weight.data(), bias.data());
      }
      const auto begin = features.begin() + static_cast<std::ptrdiff_t>(x.size()) * row;
      const std::vector<float> own(begin, begin + static_cast<std::ptrdiff_t>(x.size()));
      expect_near(own, std::vector<float>(x.begin(), x.end()), 1e-5);
      acting.forward(shown, t.given(), alone.data(), row > 0);
      EXPECT_EQ(alone, own) << "a picture alone gives the same bits as in a batch";
    }
    ConvolutionWork judge(t.layers, t.rows, true);
    std::vector<float> same = t.features();
    judge.forward(t.pictures.data(), t.given(), same.data());
    expect_near(features, same, 1e-5);
    const auto gradient = t.gradient(plain);
    expect_near(gradient, t.gradient(judge), 1e-3);
    EXPECT_EQ(t.gradient(plain), gradient) << "nothing is left from the last call";
  }
}

TEST(NatureConvolutions, RefuseWhatIsNotAPicture) {
  EXPECT_THROW(nature_convolutions({}), ConfigError);
  EXPECT_THROW(nature_convolutions({4, 35, 84}), ConfigError);
  const auto layers = nature_convolutions({4, 84, 84});
  EXPECT_EQ(layers.back().outputs(), 3136);
}

}  // namespace
}  // namespace politex
