// Convolutions by our own kernels, for programs without oneDNN (the wheel): every window of a picture becomes a row,
// and the rows go through the kernels of a hidden layer. The result for a picture does not depend on the others.
#pragma once

#include <span>
#include <vector>

#include "politex/network/convolutions.hpp"
#include "politex/network/lanes.hpp"

namespace politex::inline network {

/// As ConvolutionWork, which uses it where oneDNN is missing. Numbers of output channels are multiples of 16.
class PlainConvolutions {
 public:
  PlainConvolutions(const std::vector<Convolution>& layers, int rows, bool learning);

  void forward(const float* pictures, std::span<const ConvolutionWeights> weights, float* features, bool known);
  void backward(const float* slope, std::span<const ConvolutionGradient> gradient);

 private:
  struct Stage {
    Convolution layer;
    bool channels_last = true;  // of its source: [y][x][channel]; pictures are [channel][y][x]
    Floats weight;              // [window][to]
    Floats by_output;           // [to][window]
    Floats bias;
    Floats target;  // [row][y][x][to]; one row unless learning
    Floats weight_slope, bias_slope;
  };
  const float* source_of(std::size_t stage, int row) const noexcept;
  void put_weights(Stage& stage, const ConvolutionWeights& weights) const;
  void windows_of(const Stage& stage, const float* source);
  void add_windows(const Stage& stage, float* source) const;

  int rows_;
  bool learning_;
  const float* pictures_ = nullptr;
  std::vector<Stage> stages_;
  Floats windows_;               // of one picture: [y][x][window]
  Floats slope_, source_slope_;  // of one picture
  Floats zeros_;
};

}  // namespace politex::inline network
