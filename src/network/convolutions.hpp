// The convolutions of the network for pictures (Mnih et al. 2015, "Nature"): 32 of 8x8 by 4, 64 of 4x4 by 2, 64 of 3x3
// by 1, each followed by relu. oneDNN computes them where the program was built with it, else plain_convolutions.hpp;
// on the calling thread alone: oneDNN's sums over a batch depend on the number of threads.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "politex/base/frame_stack.hpp"

namespace politex::inline network {

struct Convolution {
  int from = 0, to = 0;  // channels
  int kernel = 1, stride = 1;
  int height = 0, width = 0;          // of the input
  int out_height = 0, out_width = 0;  // of the output
  int outputs() const noexcept { return to * out_height * out_width; }
  int fan_in() const noexcept { return from * kernel * kernel; }
  friend bool operator==(const Convolution&, const Convolution&) = default;
};

/// The instruction set that oneDNN is limited to on every processor, or "own kernels": the bits depend on it.
std::string convolution_instructions();

/// Throws ConfigError (network.kind) if the picture is too small for them.
std::vector<Convolution> nature_convolutions(const FrameStack& picture);

/// The weights of one convolution: weight[to][from][kernel][kernel], bias[to].
struct ConvolutionWeights {
  const float* weight = nullptr;
  const float* bias = nullptr;
};
struct ConvolutionGradient {
  float* weight = nullptr;
  float* bias = nullptr;
};

/// One thread's work on a fixed number of pictures: the activations are kept for backward().
class ConvolutionWork {
 public:
  ConvolutionWork(const std::vector<Convolution>& layers, int rows, bool learning);
  ~ConvolutionWork();
  ConvolutionWork(const ConvolutionWork&) = delete;
  ConvolutionWork& operator=(const ConvolutionWork&) = delete;

  int rows() const noexcept { return rows_; }
  const std::vector<Convolution>& layers() const noexcept { return layers_; }
  /// features[row][outputs of the last] from pictures[row][channel][height][width]; `known`: the weights are
  /// those of the last call, which saves reordering them.
  void forward(const float* pictures, std::span<const ConvolutionWeights> weights, float* features, bool known = false);
  /// After forward() with the same pictures and weights: adds to the gradient.
  void backward(const float* slope, std::span<const ConvolutionGradient> gradient);

 private:
  struct Stage;
  struct Machine;
  void add(const Convolution& layer, bool learning);

  int rows_;
  std::vector<Convolution> layers_;
  std::unique_ptr<Machine> machine_;
  std::vector<Stage> stages_;
};

}  // namespace politex::inline network
