#include "politex/network/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/network/kernels.hpp"

namespace politex::inline network {
namespace {

constexpr int padding = 2 * lane_count;

int padded(int units) { return (units + padding - 1) / padding * padding; }

std::size_t area(int rows, int columns) { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }

void grow(Floats& memory, std::size_t size) {
  if (memory.size() < size) memory.resize(size);
}

Shape checked(Shape shape) {
  if (shape.inputs < 1 || shape.inputs > 100'000)
    throw ConfigError("network", "an observation has 1 to 100000 numbers");
  if (shape.actions < 1 || shape.actions > 1000) throw ConfigError("network", "a network serves 1 to 1000 actions");
  if (shape.hidden.empty() || shape.hidden.size() > 8)
    throw ConfigError("network.hidden", "wrong number of hidden layers; accepted: 1 to 8");
  for (const int units : shape.hidden)
    if (units < 1 || units > 65536)
      throw ConfigError("network.hidden", fmt::format("{} units; accepted: 1 to 65536", units));
  return shape;
}

}  // namespace

DuelingNetwork::DuelingNetwork(Shape shape) : shape_(checked(std::move(shape))), inputs_(shape_.inputs) {
  if (shape_.picture.channels > 0) {
    convolutions_ = nature_convolutions(shape_.picture);
    inputs_ = convolutions_.back().outputs();
  }
  int offset = 0;
  const auto add = [&](std::string name, int rows, int columns, int used_rows, int used_columns) {
    blocks_.push_back({std::move(name), offset, rows, columns, used_rows, used_columns});
    offset += padded(rows * columns);
  };
  int from = inputs_, used_from = inputs_;
  for (std::size_t layer = 0; layer < shape_.hidden.size(); ++layer) {
    const int used = shape_.hidden[layer], units = padded(used);
    add(fmt::format("hidden.{}.weight", layer), from, units, used_from, used);
    add(fmt::format("hidden.{}.bias", layer), 1, units, 1, used);
    units_.push_back(units);
    from = units;
    used_from = used;
  }
  const int outputs = 1 + shape_.actions;
  add("head.weight", outputs, from, outputs, used_from);
  add("head.bias", 1, outputs, 1, outputs);
  for (std::size_t k = 0; k < convolutions_.size(); ++k) {
    const int to = convolutions_[k].to, fan_in = convolutions_[k].fan_in();
    add(fmt::format("conv.{}.weight", k), to, fan_in, to, fan_in);
    add(fmt::format("conv.{}.bias", k), 1, to, 1, to);
  }
  parameters_.assign(static_cast<std::size_t>(offset), 0.0F);
}

void DuelingNetwork::randomise(Rng& rng) {
  std::ranges::fill(parameters_, 0.0F);  // the padding of a matrix must stay 0; then its gradient is 0 too
  for (std::size_t b = 0; b < blocks_.size(); b += 2) {
    const Block& block = blocks_[b];
    const bool by_output = b >= 2 * units_.size();  // the head and convolutions
    const double bound = 1.0 / std::sqrt(by_output ? block.used_columns : block.used_rows);
    for (int r = 0; r < block.used_rows; ++r)
      for (int c = 0; c < block.used_columns; ++c)
        parameters_[static_cast<std::size_t>(block.offset) +
                    static_cast<std::size_t>(r) * static_cast<std::size_t>(block.columns) +
                    static_cast<std::size_t>(c)] = static_cast<float>(bound * (2 * rng.uniform() - 1));
  }
}

const float* DuelingNetwork::dense_inputs(const float* observations, int rows, Tape& tape) const {
  if (convolutions_.empty()) return observations;
  if (!tape.convolutions || tape.convolutions->rows() != rows)
    tape.convolutions = std::make_shared<ConvolutionWork>(convolutions_, rows, true);
  grow(tape.features, area(rows, inputs_));
  std::vector<ConvolutionWeights> weights;
  for (std::size_t b = 2 * units_.size() + 2; b < blocks_.size(); b += 2)
    weights.push_back({parameters_.data() + blocks_[b].offset, parameters_.data() + blocks_[b + 1].offset});
  tape.convolutions->forward(observations, weights, tape.features.data());
  return tape.features.data();
}

void DuelingNetwork::forward(const float* observations, int rows, float* values, Tape& tape) const {
  tape.hidden.resize(units_.size());
  const float* from = dense_inputs(observations, rows, tape);
  int inputs = inputs_;
  for (std::size_t layer = 0; layer < units_.size(); ++layer) {
    grow(tape.hidden[layer], area(rows, units_[layer]));
    const float* weights = parameters_.data() + blocks_[2 * layer].offset;
    const float* bias = parameters_.data() + blocks_[2 * layer + 1].offset;
    kernels::dense_relu(from, rows, inputs, weights, bias, units_[layer], tape.hidden[layer].data());
    from = tape.hidden[layer].data();
    inputs = units_[layer];
  }
  const int actions = shape_.actions, outputs = 1 + actions;
  grow(tape.head, area(rows, outputs));
  const std::size_t head = 2 * units_.size();
  kernels::dots(from, rows, inputs, parameters_.data() + blocks_[head].offset,
                parameters_.data() + blocks_[head + 1].offset, outputs, tape.head.data(), outputs);
  for (int r = 0; r < rows; ++r) {
    const float* out = tape.head.data() + area(r, outputs);
    float mean = 0.0F;
    for (int a = 1; a <= actions; ++a) mean += out[a];
    const float base = out[0] - mean / static_cast<float>(actions);
    for (int a = 0; a < actions; ++a) values[area(r, actions) + static_cast<std::size_t>(a)] = base + out[a + 1];
  }
}

void DuelingNetwork::backward(const float* observations, int rows, const float* slope, Tape& tape,
                              std::span<float> gradient) const {
  const int actions = shape_.actions, outputs = 1 + actions;
  const std::size_t head = 2 * units_.size();
  float* head_bias = gradient.data() + blocks_[head + 1].offset;
  for (int r = 0; r < rows; ++r) {
    float* out = tape.head.data() + area(r, outputs);
    const float* s = slope + area(r, actions);
    float sum = 0.0F;
    for (int a = 0; a < actions; ++a) sum += s[a];
    out[0] = sum;
    for (int a = 0; a < actions; ++a) out[a + 1] = s[a] - sum / static_cast<float>(actions);
    for (int o = 0; o < outputs; ++o) head_bias[o] += out[o];
  }
  tape.slopes.resize(units_.size());
  for (std::size_t layer = units_.size(); layer-- > 0;) {
    const int units = units_[layer];
    const Floats& hidden = tape.hidden[layer];
    grow(tape.slopes[layer], area(rows, units));
    float* back = tape.slopes[layer].data();
    if (layer + 1 == units_.size()) {
      kernels::dots_backward(tape.head.data(), outputs, hidden.data(), rows, units,
                             parameters_.data() + blocks_[head].offset, outputs, gradient.data() + blocks_[head].offset,
                             back);
    } else {
      // Rows of the next layer's matrix are its inputs, so that the product with its transpose is a set of dots.
      kernels::dots(tape.slopes[layer + 1].data(), rows, units_[layer + 1],
                    parameters_.data() + blocks_[2 * layer + 2].offset, nullptr, units, back, units);
      kernels::mask(hidden.data(), rows * units, back);
    }
    const float* first = convolutions_.empty() ? observations : tape.features.data();
    const float* from = layer == 0 ? first : tape.hidden[layer - 1].data();
    const int inputs = layer == 0 ? inputs_ : units_[layer - 1];
    kernels::dense_backward(from, rows, inputs, back, units, gradient.data() + blocks_[2 * layer].offset,
                            gradient.data() + blocks_[2 * layer + 1].offset);
  }
  if (convolutions_.empty()) return;
  grow(tape.feature_slopes, area(rows, inputs_));
  kernels::dots(tape.slopes[0].data(), rows, units_[0], parameters_.data() + blocks_[0].offset, nullptr, inputs_,
                tape.feature_slopes.data(), inputs_);
  std::vector<ConvolutionGradient> into;
  for (std::size_t b = head + 2; b < blocks_.size(); b += 2)
    into.push_back({gradient.data() + blocks_[b].offset, gradient.data() + blocks_[b + 1].offset});
  tape.convolutions->backward(tape.feature_slopes.data(), into);
}

FrozenNetwork::FrozenNetwork(const DuelingNetwork& network)
    : inputs_(network.shape().inputs), actions_(network.shape().actions) {
  const auto& blocks = network.blocks();
  const std::size_t layers = network.shape().hidden.size();
  for (std::size_t layer = 0; layer < layers; ++layer) {
    units_.push_back(blocks[2 * layer].columns);
    offsets_.push_back(blocks[2 * layer].offset);
  }
  offsets_.push_back(blocks[2 * layers].offset);
  const auto from = network.parameters();
  if (network.shape().picture.channels > 0) {
    convolutions_ = nature_convolutions(network.shape().picture);
    for (std::size_t b = 2 * layers + 2; b < blocks.size(); ++b)
      for (const float weight :
           from.subspan(static_cast<std::size_t>(blocks[b].offset), area(blocks[b].rows, blocks[b].columns)))
        convolution_weights_.push_back(weight);
  } else if (network.shape().bytes && inputs_ <= ByteLayer::most_inputs) {
    first_.emplace(from.data() + blocks[0].offset, from.data() + blocks[1].offset, inputs_, units_[0]);
  }
  const Block& weight = blocks[2 * layers];
  parameters_.assign(from.begin(), from.begin() + weight.offset);
  const auto fold = [&](int offset, int width, int stride) {
    for (int a = 0; a < actions_; ++a)
      for (int u = 0; u < width; ++u) {
        const auto w = [&](int output) {
          return static_cast<double>(
              from[static_cast<std::size_t>(offset) +
                   static_cast<std::size_t>(output) * static_cast<std::size_t>(stride) + static_cast<std::size_t>(u)]);
        };
        double mean = 0.0;
        for (int b = 1; b <= actions_; ++b) mean += w(b);
        parameters_.push_back(static_cast<float>(w(0) + w(a + 1) - mean / actions_));
      }
  };
  fold(weight.offset, weight.columns, weight.columns);
  fold(blocks[2 * layers + 1].offset, 1, 1);
}

const float* FrozenNetwork::dense_inputs(const float* observations, int rows, Workspace& workspace) const {
  if (convolutions_.empty()) return observations;
  // One picture at a time: oneDNN may sum in another order for another number of them.
  if (!workspace.convolutions || workspace.convolutions->layers() != convolutions_)
    workspace.convolutions = std::make_shared<ConvolutionWork>(convolutions_, 1, false);
  std::vector<ConvolutionWeights> weights;
  const float* next = convolution_weights_.data();
  for (const Convolution& layer : convolutions_) {
    weights.push_back({next, next + area(layer.to, layer.fan_in())});
    next = weights.back().bias + layer.to;
  }
  const int features = convolutions_.back().outputs();
  grow(workspace.features, area(rows, features));
  for (int r = 0; r < rows; ++r)
    workspace.convolutions->forward(observations + area(r, inputs_), weights,
                                    workspace.features.data() + area(r, features), r > 0);
  return workspace.features.data();
}

void FrozenNetwork::evaluate(const float* observations, int rows, float* values, Workspace& workspace) const {
  if (first_) {
    BytePairs seen;
    for (int r = 0; r < rows; ++r) {
      seen.clear();
      seen.read({observations + area(r, inputs_), static_cast<std::size_t>(inputs_)}, workspace.changes);
      workspace.sums.assign(static_cast<std::size_t>(units_[0]), 0);
      first_->add(workspace.changes, workspace.sums.data());
      answer(workspace.sums.data(), values + area(r, actions_), workspace);
    }
    return;
  }
  constexpr int block = 16;  // the activations of a block stay in the first-level cache
  const int widest = std::ranges::max(units_);
  grow(workspace.a, area(block, widest));
  grow(workspace.b, area(block, widest));
  for (int r = 0; r < rows; r += block) {
    const int count = std::min(block, rows - r);
    const float* from = dense_inputs(observations + area(r, inputs_), count, workspace);
    const int inputs = convolutions_.empty() ? inputs_ : convolutions_.back().outputs();
    const float* bias = parameters_.data() + offsets_[0] + padded(inputs * units_[0]);
    kernels::dense_relu(from, count, inputs, parameters_.data() + offsets_[0], bias, units_[0], workspace.a.data());
    finish(count, values + area(r, actions_), workspace);
  }
}

void FrozenNetwork::answer(const std::int32_t* sums, float* values, Workspace& workspace) const {
  const int widest = std::ranges::max(units_);
  grow(workspace.a, area(1, widest));
  grow(workspace.b, area(1, widest));
  first_->activate(sums, workspace.a.data());
  finish(1, values, workspace);
}

void FrozenNetwork::finish(int rows, float* values, Workspace& workspace) const {
  const float* from = workspace.a.data();
  float* to = workspace.b.data();
  for (std::size_t layer = 1; layer < units_.size(); ++layer) {
    const float* weights = parameters_.data() + offsets_[layer];
    kernels::dense_relu(from, rows, units_[layer - 1], weights, weights + padded(units_[layer - 1] * units_[layer]),
                        units_[layer], to);
    from = to;
    to = to == workspace.b.data() ? workspace.a.data() : workspace.b.data();
  }
  const float* head = parameters_.data() + offsets_.back();
  kernels::dots(from, rows, units_.back(), head, head + area(actions_, units_.back()), actions_, values, actions_);
}

}  // namespace politex::inline network
