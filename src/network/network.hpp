// A dueling multilayer perceptron: hidden layers with relu, then a value and one advantage per action,
// Q(x, a) = V(x) + A(x, a) - mean_b A(x, b). Weights are floats: the noise of a minibatch exceeds their rounding by
// orders of magnitude, and twice as many fit in a register.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/base/rng.hpp"
#include "politex/network/byte_layer.hpp"
#include "politex/network/convolutions.hpp"
#include "politex/network/lanes.hpp"

namespace politex::inline network {

struct Shape {
  int inputs = 0;
  std::vector<int> hidden = {512};
  int actions = 0;
  bool bytes = false;       // inputs are whole 255ths: a frozen network then takes them as bytes (byte_layer.hpp)
  FrameStack picture = {};  // if set: convolutions before the hidden layers (convolutions.hpp)

  friend bool operator==(const Shape&, const Shape&) = default;
};

/// The place of one matrix in the flat parameters of the network. Hidden matrices are [from][to], so that lanes run
/// over units; the head's is [output][unit].
struct Block {
  std::string
      name;  // as in the saved file: hidden.0.weight, hidden.0.bias, ..., head.weight, head.bias, conv.0.weight, ...
  int offset = 0;
  int rows = 0, columns = 0;  // as stored, units padded to a multiple of 16
  int used_rows = 0, used_columns = 0;
};

/// Activations of one forward pass, kept for the backward pass. Grows to the largest batch and is then reused.
struct Tape {
  std::vector<Floats> hidden;  // per layer [rows][units]
  std::vector<Floats> slopes;  // the same, backward
  Floats head;                 // [rows][1 + actions], then the slope of it
  Floats features, feature_slopes;
  std::shared_ptr<ConvolutionWork> convolutions;
};

class DuelingNetwork {
 public:
  /// All weights 0. Throws ConfigError when a size is out of range.
  explicit DuelingNetwork(Shape shape);
  /// Weights uniform in +-1/sqrt(fan in), biases 0.
  void randomise(Rng& rng);

  const Shape& shape() const noexcept { return shape_; }
  std::span<float> parameters() noexcept { return parameters_; }
  std::span<const float> parameters() const noexcept { return parameters_; }
  const std::vector<Block>& blocks() const noexcept { return blocks_; }
  const std::vector<Convolution>& convolutions() const noexcept { return convolutions_; }

  /// values[r][a] for observations [rows][inputs]; the tape remembers what backward() needs.
  void forward(const float* observations, int rows, float* values, Tape& tape) const;
  /// Adds the gradient of sum_{r,a} slope[r][a] Q(x_r, a) to `gradient` (laid out like the parameters).
  void backward(const float* observations, int rows, const float* slope, Tape& tape, std::span<float> gradient) const;

 private:
  /// The inputs of the hidden layers: the observations, or the outputs of the convolutions.
  const float* dense_inputs(const float* observations, int rows, Tape& tape) const;

  Shape shape_;
  std::vector<Convolution> convolutions_;
  int inputs_ = 0;          // of the first hidden layer
  std::vector<int> units_;  // padded widths of the hidden layers
  std::vector<Block> blocks_;
  Floats parameters_;
};

/// What a ring of networks keeps of the last observation of one environment; used if inputs are bytes.
struct Recall {
  BytePairs seen;
  std::vector<std::int32_t> sums;     // [network][unit] of the first layers
  std::shared_ptr<const void> whose;  // the ring that the sums belong to
};

/// A network for inference only: the dueling sum is folded into the last matrix.
class FrozenNetwork {
 public:
  explicit FrozenNetwork(const DuelingNetwork& network);

  /// Memory for the hidden activations of a few rows.
  struct Workspace {
    Floats a, b, features;
    std::shared_ptr<ConvolutionWork> convolutions;
    std::vector<ByteChange> changes;
    std::vector<std::int32_t> sums;
  };
  /// values[r][a] for observations [rows][inputs]; the bits of a row do not depend on the others.
  void evaluate(const float* observations, int rows, float* values, Workspace& workspace) const;

  /// The first layer if inputs are bytes, else null. answer() computes values[a] from the sums of that layer; together
  /// they give the bits of evaluate().
  int inputs() const noexcept { return inputs_; }
  const ByteLayer* byte_layer() const noexcept { return first_ ? &*first_ : nullptr; }
  void answer(const std::int32_t* sums, float* values, Workspace& workspace) const;

 private:
  const float* dense_inputs(const float* observations, int rows, Workspace& workspace) const;
  /// From the activations of the first layer, in workspace.a, to the values.
  void finish(int rows, float* values, Workspace& workspace) const;

  int inputs_, actions_;
  std::vector<Convolution> convolutions_;
  std::vector<float> convolution_weights_;  // weight, bias of one after the other
  std::vector<int> units_;
  std::vector<std::ptrdiff_t> offsets_;  // of every hidden layer's weights, then of the head's
  std::optional<ByteLayer> first_;
  Floats parameters_;  // hidden layers as in DuelingNetwork, then [actions][units], then the biases
};

}  // namespace politex::inline network
