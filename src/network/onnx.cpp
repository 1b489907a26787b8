#include "politex/network/onnx.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "politex/base/error.hpp"

namespace politex::inline network {
namespace {

/// The numbers of fields are those of onnx.proto; version 8 of the format, version 13 of the operators.
constexpr std::uint64_t onnx_format = 8, onnx_operators = 13;
constexpr std::uint64_t onnx_float = 1, onnx_int64 = 7, onnx_attribute_int = 2;

/// A message of protocol buffers: fields one after the other.
class Message {
 public:
  Message& whole(int field, std::uint64_t value) {
    varint(static_cast<std::uint64_t>(field) << 3U);
    varint(value);
    return *this;
  }
  Message& bytes(int field, std::string_view value) {
    varint(static_cast<std::uint64_t>(field) << 3U | 2U);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  Message& message(int field, const Message& value) { return bytes(field, value.bytes_); }
  const std::string& text() const noexcept { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 128; value >>= 7U) bytes_ += static_cast<char>(value % 128 + 128);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

Message tensor(const std::string& name, std::initializer_list<std::uint64_t> sizes, const std::vector<float>& values) {
  Message out;
  for (const std::uint64_t size : sizes) out.whole(1, size);
  out.whole(2, onnx_float).bytes(8, name);
  std::string raw(values.size() * sizeof(float), '\0');
  std::memcpy(raw.data(), values.data(), raw.size());  // little-endian, as the format has it
  return out.bytes(9, raw);
}

Message node(std::string_view kind, const std::vector<std::string>& inputs, const std::string& output) {
  Message out;
  for (const std::string& input : inputs) out.bytes(1, input);
  return out.bytes(2, output).bytes(3, "make_" + output).bytes(4, kind);
}

Message whole_attribute(std::string_view name, std::uint64_t value) {
  return Message().bytes(1, name).whole(3, value).whole(20, onnx_attribute_int);
}

/// A value with any number of rows; `columns` 0: a vector.
Message described(std::string_view name, std::uint64_t type, std::uint64_t columns) {
  Message shape;
  shape.message(1, Message().bytes(2, "rows"));
  if (columns > 0) shape.message(1, Message().whole(1, columns));
  return Message().bytes(1, name).message(2, Message().message(1, Message().whole(1, type).message(2, shape)));
}

/// A matrix without its padding.
std::vector<float> values_of(const DuelingNetwork& network, const Block& block) {
  std::vector<float> values;
  for (int r = 0; r < block.used_rows; ++r)
    for (int c = 0; c < block.used_columns; ++c)
      values.push_back(network.parameters()[static_cast<std::size_t>(block.offset) +
                                            static_cast<std::size_t>(r) * static_cast<std::size_t>(block.columns) +
                                            static_cast<std::size_t>(c)]);
  return values;
}

const Block& block_named(const DuelingNetwork& network, const std::string& name) {
  return *std::ranges::find(network.blocks(), name, &Block::name);
}

/// Q(a) = V + A(a) - mean A as one matrix [from][action]: rows 0 and 1 + a of the head are V and A(a).
std::vector<float> folded(const std::vector<float>& head, std::size_t actions, std::size_t from) {
  std::vector<float> out(from * actions);
  for (std::size_t unit = 0; unit < from; ++unit) {
    double mean = 0.0;
    for (std::size_t a = 0; a < actions; ++a) mean += static_cast<double>(head[(1 + a) * from + unit]);
    mean /= static_cast<double>(actions);
    for (std::size_t a = 0; a < actions; ++a)
      out[unit * actions + a] =
          static_cast<float>(static_cast<double>(head[unit]) + static_cast<double>(head[(1 + a) * from + unit]) - mean);
  }
  return out;
}

}  // namespace

std::string to_onnx(const std::string& key, const DuelingNetwork& network) {
  const Shape& shape = network.shape();
  if (!network.convolutions().empty())
    throw ConfigError{key, "a network with convolutions is not written as ONNX; accepted: --to safetensors"};
  const auto actions = static_cast<std::size_t>(shape.actions);
  Message graph;
  std::string before = "observation";
  auto from = static_cast<std::size_t>(shape.inputs);
  std::vector<Message> tensors;
  for (std::size_t k = 0; k < shape.hidden.size(); ++k) {
    const auto units = static_cast<std::size_t>(shape.hidden[k]);
    const std::string name = fmt::format("hidden.{}", k);
    tensors.push_back(
        tensor(name + ".weight", {from, units}, values_of(network, block_named(network, name + ".weight"))));
    tensors.push_back(tensor(name + ".bias", {units}, values_of(network, block_named(network, name + ".bias"))));
    graph.message(1, node("Gemm", {before, name + ".weight", name + ".bias"}, name + ".sum"));
    graph.message(1, node("Relu", {name + ".sum"}, name));
    before = name;
    from = units;
  }
  tensors.push_back(tensor("q.weight", {from, actions},
                           folded(values_of(network, block_named(network, "head.weight")), actions, from)));
  tensors.push_back(
      tensor("q.bias", {actions}, folded(values_of(network, block_named(network, "head.bias")), actions, 1)));
  graph.message(1, node("Gemm", {before, "q.weight", "q.bias"}, "q"));
  graph.message(1, node("ArgMin", {"q"}, "action")
                       .message(5, whole_attribute("axis", 1))
                       .message(5, whole_attribute("keepdims", 0)));
  graph.bytes(2, "network");
  for (const Message& each : tensors) graph.message(5, each);
  graph.message(11, described("observation", onnx_float, static_cast<std::uint64_t>(shape.inputs)));
  graph.message(12, described("q", onnx_float, actions)).message(12, described("action", onnx_int64, 0));
  return Message()
      .whole(1, onnx_format)
      .bytes(2, "Politex")
      .message(7, graph)
      .message(8, Message().bytes(1, "").whole(2, onnx_operators))
      .text();
}

}  // namespace politex::inline network
