#include "politex/network/convolutions.hpp"

#include <fmt/format.h>

#ifdef POLITEX_ONEDNN
#include <oneapi/dnnl/dnnl.hpp>
#endif

#include "politex/base/error.hpp"
#include "politex/network/kernels.hpp"
#ifndef POLITEX_ONEDNN
#include "politex/network/plain_convolutions.hpp"
#endif

namespace politex::inline network {

std::vector<Convolution> nature_convolutions(const FrameStack& picture) {
  std::vector<Convolution> layers = {
      {.to = 32, .kernel = 8, .stride = 4}, {.to = 64, .kernel = 4, .stride = 2}, {.to = 64, .kernel = 3, .stride = 1}};
  int channels = picture.channels, height = picture.height, width = picture.width;
  for (Convolution& layer : layers) {
    if (channels < 1 || height < layer.kernel || width < layer.kernel)
      throw ConfigError("network.kind",
                        fmt::format("\"nature\" needs pictures of at least 36 x 36, and this environment shows {}",
                                    picture.channels > 0
                                        ? fmt::format("{} x {}", picture.height, picture.width)
                                        : "numbers, not pictures; accepted here: \"mlp\". Some environments can show "
                                          "pictures: Atari games do with environment.observation=pixels"));
    layer.from = channels;
    layer.height = height;
    layer.width = width;
    layer.out_height = (height - layer.kernel) / layer.stride + 1;
    layer.out_width = (width - layer.kernel) / layer.stride + 1;
    channels = layer.to;
    height = layer.out_height;
    width = layer.out_width;
  }
  return layers;
}

#ifdef POLITEX_ONEDNN

// libgomp's, with which Debian's oneDNN divides its work. It is a setting of the calling thread alone.
extern "C" void omp_set_num_threads(int threads);

namespace {

using dnnl::memory;
using Format = memory::format_tag;

memory::desc describe(const memory::dims& sizes, Format format) { return {sizes, memory::data_type::f32, format}; }

std::size_t floats_in(const memory& m) { return m.get_desc().get_size() / sizeof(float); }

// oneDNN picks its kernels by what the processor can do, and their sums differ. It takes this word once, before it has
// looked at the processor.
#if defined(__AVX2__) && defined(__FMA__)
constexpr auto own_instructions = dnnl::cpu_isa::avx2;
constexpr const char* own_instructions_name = "avx2";
#else
constexpr auto own_instructions = dnnl::cpu_isa::sse41;
constexpr const char* own_instructions_name = "sse41";
#endif

void hold_to_own_instructions() {
  static const bool held = [] {
    dnnl_set_max_cpu_isa(static_cast<dnnl_cpu_isa_t>(own_instructions));  // judged by what is in effect
    return dnnl::get_effective_cpu_isa() == own_instructions;
  }();
  if (!held)
    throw Error(
        fmt::format("oneDNN cannot be held to the instructions that this program was built for ({}): its bits would "
                    "depend on the processor",
                    own_instructions_name));
}

}  // namespace

std::string convolution_instructions() {
  hold_to_own_instructions();
  return own_instructions_name;
}

/// From one memory to another of another layout; nothing where they are the same memory. Made once: looking for an
/// implementation takes far longer than the work.
class Move {
 public:
  Move() = default;
  Move(memory from, memory to) : from_(std::move(from)), to_(std::move(to)) {
    if (from_.get() != to_.get()) reorder_ = dnnl::reorder(from_, to_);
  }
  void operator()(dnnl::stream& stream) {
    if (from_.get() != to_.get()) reorder_.execute(stream, from_, to_);
  }

 private:
  memory from_, to_;
  dnnl::reorder reorder_;
};

struct ConvolutionWork::Machine {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  memory pictures, features;  // as the caller lays them out
  Move to_features;

  /// `m` itself if its layout is `wanted`, else new memory.
  memory like(const memory& m, const memory::desc& wanted) const {
    return m.get_desc() == wanted ? m : memory(wanted, engine);
  }
};

struct ConvolutionWork::Stage {
  dnnl::convolution_forward forward;
  dnnl::convolution_backward_weights back_weights;
  dnnl::convolution_backward_data back_data;
  memory source, target;  // source: the previous target, laid out as this stage wants it
  memory plain_weight, weight, bias;
  Move to_source, to_weight;
  // The way back. `slope` is laid out like `target`; the others as the two primitives want them.
  memory slope, slope_for_weights, slope_for_data, source_for_weights, weight_for_data;
  memory weight_slope, plain_weight_slope, bias_slope, source_slope;
  Move to_slope, to_slope_for_weights, to_slope_for_data, to_source_for_weights, to_weight_for_data,
      to_plain_weight_slope;
};

ConvolutionWork::ConvolutionWork(const std::vector<Convolution>& layers, int rows, bool learning)
    : rows_(rows), layers_(layers) {
  hold_to_own_instructions();
  machine_ = std::make_unique<Machine>();
  omp_set_num_threads(1);
  const dnnl::engine& engine = machine_->engine;
  const Convolution& first = layers.front();
  const Convolution& last = layers.back();
  machine_->pictures = memory(describe({rows, first.from, first.height, first.width}, Format::nchw), engine, nullptr);
  machine_->features =
      memory(describe({rows, last.to, last.out_height, last.out_width}, Format::nchw), engine, nullptr);
  for (const Convolution& layer : layers) add(layer, learning);
  machine_->to_features = Move(stages_.back().target, machine_->features);
  for (std::size_t k = 0; learning && k < stages_.size(); ++k)
    stages_[k].to_slope =
        Move(k + 1 < stages_.size() ? stages_[k + 1].source_slope : machine_->features, stages_[k].slope);
}

void ConvolutionWork::add(const Convolution& layer, bool learning) {
  const dnnl::engine& engine = machine_->engine;
  const memory before = stages_.empty() ? machine_->pictures : stages_.back().target;
  const memory::dims source{rows_, layer.from, layer.height, layer.width};
  const memory::dims weight{layer.to, layer.from, layer.kernel, layer.kernel};
  const memory::dims target{rows_, layer.to, layer.out_height, layer.out_width};
  const memory::dims strides{layer.stride, layer.stride}, none{0, 0};
  const auto any = [](const memory::dims& sizes) { return describe(sizes, Format::any); };
  const auto bias = describe({layer.to}, Format::x);
  dnnl::primitive_attr relu;
  dnnl::post_ops after;
  after.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
  relu.set_post_ops(after);
  const auto direct = dnnl::algorithm::convolution_direct;
  const auto kind = learning ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
  const dnnl::convolution_forward::primitive_desc plan(
      {kind, direct, any(source), any(weight), bias, any(target), strides, none, none}, relu, engine);
  Stage stage;
  stage.forward = dnnl::convolution_forward(plan);
  stage.source = machine_->like(before, plan.src_desc());
  stage.to_source = Move(before, stage.source);
  stage.plain_weight = memory(describe(weight, Format::oihw), engine, nullptr);
  stage.weight = memory(plan.weights_desc(), engine);
  stage.to_weight = Move(stage.plain_weight, stage.weight);
  stage.bias = memory(bias, engine, nullptr);
  stage.target = memory(plan.dst_desc(), engine);
  if (learning) {
    const dnnl::convolution_backward_weights::primitive_desc weights_plan(
        {direct, any(source), any(weight), bias, any(target), strides, none, none}, engine, plan);
    stage.back_weights = dnnl::convolution_backward_weights(weights_plan);
    stage.slope = memory(plan.dst_desc(), engine);
    stage.slope_for_weights = machine_->like(stage.slope, weights_plan.diff_dst_desc());
    stage.to_slope_for_weights = Move(stage.slope, stage.slope_for_weights);
    stage.source_for_weights = machine_->like(stage.source, weights_plan.src_desc());
    stage.to_source_for_weights = Move(stage.source, stage.source_for_weights);
    stage.weight_slope = memory(weights_plan.diff_weights_desc(), engine);
    stage.plain_weight_slope = memory(describe(weight, Format::oihw), engine);
    stage.to_plain_weight_slope = Move(stage.weight_slope, stage.plain_weight_slope);
    stage.bias_slope = memory(bias, engine);
  }
  if (learning && !stages_.empty()) {  // no slope of the pictures themselves is needed
    const dnnl::convolution_backward_data::primitive_desc data_plan(
        {direct, any(source), any(weight), any(target), strides, none, none}, engine, plan);
    stage.back_data = dnnl::convolution_backward_data(data_plan);
    stage.slope_for_data = machine_->like(stage.slope, data_plan.diff_dst_desc());
    stage.to_slope_for_data = Move(stage.slope, stage.slope_for_data);
    stage.weight_for_data = machine_->like(stage.weight, data_plan.weights_desc());
    stage.to_weight_for_data = Move(stage.weight, stage.weight_for_data);
    stage.source_slope = memory(data_plan.diff_src_desc(), engine);
  }
  stages_.push_back(std::move(stage));
}

ConvolutionWork::~ConvolutionWork() = default;

void ConvolutionWork::forward(const float* pictures, std::span<const ConvolutionWeights> weights, float* features,
                              bool known) {
  omp_set_num_threads(1);  // the work may have moved to another thread
  dnnl::stream& stream = machine_->stream;
  machine_->pictures.set_data_handle(const_cast<float*>(pictures));
  machine_->features.set_data_handle(features);
  for (std::size_t k = 0; k < stages_.size(); ++k) {
    Stage& stage = stages_[k];
    stage.to_source(stream);
    stage.plain_weight.set_data_handle(const_cast<float*>(weights[k].weight));
    if (!known) stage.to_weight(stream);
    stage.bias.set_data_handle(const_cast<float*>(weights[k].bias));
    stage.forward.execute(stream, {{DNNL_ARG_SRC, stage.source},
                                   {DNNL_ARG_WEIGHTS, stage.weight},
                                   {DNNL_ARG_BIAS, stage.bias},
                                   {DNNL_ARG_DST, stage.target}});
  }
  machine_->to_features(stream);
  stream.wait();
}

void ConvolutionWork::backward(const float* slope, std::span<const ConvolutionGradient> gradient) {
  omp_set_num_threads(1);
  dnnl::stream& stream = machine_->stream;
  machine_->features.set_data_handle(const_cast<float*>(slope));
  for (std::size_t k = stages_.size(); k-- > 0;) {
    Stage& stage = stages_[k];
    stage.to_slope(stream);
    // Back through the relu: both have the same layout.
    kernels::mask(static_cast<const float*>(stage.target.get_data_handle()), static_cast<int>(floats_in(stage.target)),
                  static_cast<float*>(stage.slope.get_data_handle()));
    stage.to_slope_for_weights(stream);
    stage.to_source_for_weights(stream);
    stage.back_weights.execute(stream, {{DNNL_ARG_SRC, stage.source_for_weights},
                                        {DNNL_ARG_DIFF_DST, stage.slope_for_weights},
                                        {DNNL_ARG_DIFF_WEIGHTS, stage.weight_slope},
                                        {DNNL_ARG_DIFF_BIAS, stage.bias_slope}});
    stage.to_plain_weight_slope(stream);
    const auto add_to = [](const memory& from, float* to) {
      const auto* values = static_cast<const float*>(from.get_data_handle());
      const std::size_t count = floats_in(from);
      for (std::size_t i = 0; i < count; ++i) to[i] += values[i];
    };
    add_to(stage.plain_weight_slope, gradient[k].weight);
    add_to(stage.bias_slope, gradient[k].bias);
    if (k == 0) break;
    stage.to_slope_for_data(stream);
    stage.to_weight_for_data(stream);
    stage.back_data.execute(stream, {{DNNL_ARG_WEIGHTS, stage.weight_for_data},
                                     {DNNL_ARG_DIFF_DST, stage.slope_for_data},
                                     {DNNL_ARG_DIFF_SRC, stage.source_slope}});
  }
  stream.wait();
}

#else

std::string convolution_instructions() { return "own kernels"; }

struct ConvolutionWork::Machine {
  PlainConvolutions work;
};
struct ConvolutionWork::Stage {};

ConvolutionWork::ConvolutionWork(const std::vector<Convolution>& layers, int rows, bool learning)
    : rows_(rows), layers_(layers), machine_(std::make_unique<Machine>(PlainConvolutions(layers, rows, learning))) {}
ConvolutionWork::~ConvolutionWork() = default;
void ConvolutionWork::forward(const float* pictures, std::span<const ConvolutionWeights> weights, float* features,
                              bool known) {
  machine_->work.forward(pictures, weights, features, known);
}
void ConvolutionWork::backward(const float* slope, std::span<const ConvolutionGradient> gradient) {
  machine_->work.backward(slope, gradient);
}

#endif

}  // namespace politex::inline network
