#include "politex/network/plain_convolutions.hpp"

#include <algorithm>
#include <utility>

#include "politex/network/kernels.hpp"

namespace politex::inline network {
namespace {

std::size_t count(int one, int other) noexcept {
  return static_cast<std::size_t>(one) * static_cast<std::size_t>(other);
}

/// Calls copy(offset of a piece in a window, offset in the source, length) for all contiguous pieces of a window.
template <class Copy>
void pieces_of(const Convolution& layer, bool channels_last, int y, int x, const Copy& copy) {
  const int top = y * layer.stride, left = x * layer.stride;
  if (channels_last) {
    const int length = layer.kernel * layer.from;
    for (int j = 0; j < layer.kernel; ++j)
      copy(count(j, length), count((top + j) * layer.width + left, layer.from), static_cast<std::size_t>(length));
    return;
  }
  for (int c = 0; c < layer.from; ++c)
    for (int j = 0; j < layer.kernel; ++j)
      copy(count(c * layer.kernel + j, layer.kernel), count(c * layer.height + top + j, layer.width) + count(left, 1),
           static_cast<std::size_t>(layer.kernel));
}

/// Where weight[to][c][j][i] of the caller is in a window.
std::size_t place_in_window(const Convolution& layer, bool channels_last, int c, int j, int i) noexcept {
  return channels_last ? count(j * layer.kernel + i, layer.from) + static_cast<std::size_t>(c)
                       : count(c * layer.kernel + j, layer.kernel) + static_cast<std::size_t>(i);
}

template <class Each>
void each_weight(const Convolution& layer, bool channels_last, const Each& each) {
  std::size_t given = 0;
  for (int o = 0; o < layer.to; ++o)
    for (int c = 0; c < layer.from; ++c)
      for (int j = 0; j < layer.kernel; ++j)
        for (int i = 0; i < layer.kernel; ++i) each(given++, o, place_in_window(layer, channels_last, c, j, i));
}

}  // namespace

PlainConvolutions::PlainConvolutions(const std::vector<Convolution>& layers, int rows, bool learning)
    : rows_(rows), learning_(learning) {
  std::size_t windows = 0, slopes = 0;
  int widest = 0;
  for (const Convolution& layer : layers) {
    const std::size_t weights = count(layer.to, layer.fan_in());
    Stage stage{.layer = layer,
                .channels_last = !stages_.empty(),
                .weight = Floats(weights, 0.0F),
                .by_output = Floats(learning && !stages_.empty() ? weights : 0, 0.0F),
                .bias = Floats(static_cast<std::size_t>(layer.to), 0.0F),
                .target = Floats(count(learning ? rows : 1, layer.outputs()), 0.0F),
                .weight_slope = Floats(learning ? weights : 0, 0.0F),
                .bias_slope = Floats(learning ? static_cast<std::size_t>(layer.to) : 0, 0.0F)};
    stages_.push_back(std::move(stage));
    windows = std::max(windows, count(layer.out_height * layer.out_width, layer.fan_in()));
    slopes = std::max(slopes, static_cast<std::size_t>(layer.outputs()));
    widest = std::max(widest, layer.fan_in());
  }
  windows_.resize(windows);
  if (!learning) return;
  slope_.resize(slopes);
  source_slope_.resize(slopes);
  zeros_.assign(static_cast<std::size_t>(widest), 0.0F);
}

const float* PlainConvolutions::source_of(std::size_t stage, int row) const noexcept {
  const Convolution& layer = stages_[stage].layer;
  if (stage == 0) return pictures_ + count(row, layer.from * layer.height * layer.width);
  const Stage& before = stages_[stage - 1];
  return before.target.data() + count(learning_ ? row : 0, before.layer.outputs());
}

void PlainConvolutions::put_weights(Stage& stage, const ConvolutionWeights& weights) const {
  const auto to = static_cast<std::size_t>(stage.layer.to), width = static_cast<std::size_t>(stage.layer.fan_in());
  each_weight(stage.layer, stage.channels_last, [&](std::size_t given, int o, std::size_t place) {
    stage.weight[place * to + static_cast<std::size_t>(o)] = weights.weight[given];
    if (!stage.by_output.empty()) stage.by_output[static_cast<std::size_t>(o) * width + place] = weights.weight[given];
  });
  std::copy_n(weights.bias, to, stage.bias.data());
}

void PlainConvolutions::windows_of(const Stage& stage, const float* source) {
  float* to = windows_.data();
  for (int y = 0; y < stage.layer.out_height; ++y)
    for (int x = 0; x < stage.layer.out_width; ++x, to += stage.layer.fan_in())
      pieces_of(stage.layer, stage.channels_last, y, x,
                [&](std::size_t in_window, std::size_t in_source, std::size_t length) {
                  std::copy_n(source + in_source, length, to + in_window);
                });
}

void PlainConvolutions::add_windows(const Stage& stage, float* source) const {
  const float* from = windows_.data();
  for (int y = 0; y < stage.layer.out_height; ++y)
    for (int x = 0; x < stage.layer.out_width; ++x, from += stage.layer.fan_in())
      pieces_of(stage.layer, stage.channels_last, y, x,
                [&](std::size_t in_window, std::size_t in_source, std::size_t length) {
                  for (std::size_t i = 0; i < length; ++i) source[in_source + i] += from[in_window + i];
                });
}

void PlainConvolutions::forward(const float* pictures, std::span<const ConvolutionWeights> weights, float* features,
                                bool known) {
  pictures_ = pictures;
  if (!known)
    for (std::size_t k = 0; k < stages_.size(); ++k) put_weights(stages_[k], weights[k]);
  for (int row = 0; row < rows_; ++row) {
    for (std::size_t k = 0; k < stages_.size(); ++k) {
      Stage& stage = stages_[k];
      const Convolution& layer = stage.layer;
      windows_of(stage, source_of(k, row));
      kernels::dense_relu(windows_.data(), layer.out_height * layer.out_width, layer.fan_in(), stage.weight.data(),
                          stage.bias.data(), layer.to,
                          stage.target.data() + count(learning_ ? row : 0, layer.outputs()));
    }
    // The caller wants channels first.
    const Convolution& last = stages_.back().layer;
    const float* from = stages_.back().target.data() + count(learning_ ? row : 0, last.outputs());
    float* to = features + count(row, last.outputs());
    const int places = last.out_height * last.out_width;
    for (int o = 0; o < last.to; ++o)
      for (int p = 0; p < places; ++p) to[count(o, places) + count(p, 1)] = from[count(p, last.to) + count(o, 1)];
  }
}

void PlainConvolutions::backward(const float* slope, std::span<const ConvolutionGradient> gradient) {
  for (Stage& stage : stages_) {
    std::ranges::fill(stage.weight_slope, 0.0F);
    std::ranges::fill(stage.bias_slope, 0.0F);
  }
  const Convolution& last = stages_.back().layer;
  const int last_places = last.out_height * last.out_width;
  for (int row = 0; row < rows_; ++row) {
    const float* given = slope + count(row, last.outputs());
    for (int p = 0; p < last_places; ++p)
      for (int o = 0; o < last.to; ++o)
        slope_[count(p, last.to) + count(o, 1)] = given[count(o, last_places) + count(p, 1)];
    for (std::size_t k = stages_.size(); k-- > 0;) {
      Stage& stage = stages_[k];
      const Convolution& layer = stage.layer;
      const int places = layer.out_height * layer.out_width;
      kernels::mask(stage.target.data() + count(row, layer.outputs()), layer.outputs(), slope_.data());
      windows_of(stage, source_of(k, row));
      kernels::dense_backward(windows_.data(), places, layer.fan_in(), slope_.data(), layer.to,
                              stage.weight_slope.data(), stage.bias_slope.data());
      if (k == 0) break;  // no slope of the pictures themselves is needed
      kernels::dense(slope_.data(), places, layer.to, stage.by_output.data(), zeros_.data(), layer.fan_in(),
                     windows_.data());
      std::fill_n(source_slope_.data(), stages_[k - 1].layer.outputs(), 0.0F);
      add_windows(stage, source_slope_.data());
      std::swap(slope_, source_slope_);
    }
  }
  for (std::size_t k = 0; k < stages_.size(); ++k) {
    const Stage& stage = stages_[k];
    const auto to = static_cast<std::size_t>(stage.layer.to);
    each_weight(stage.layer, stage.channels_last, [&](std::size_t given, int o, std::size_t place) {
      gradient[k].weight[given] += stage.weight_slope[place * to + static_cast<std::size_t>(o)];
    });
    for (std::size_t o = 0; o < to; ++o) gradient[k].bias[o] += stage.bias_slope[o];
  }
}

}  // namespace politex::inline network
