#include "politex/network/safetensors.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "politex/base/error.hpp"

namespace politex::inline network {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* picture_key = "picture";

/// A bias is a vector, a weight a matrix, that of a convolution [to][from][kernel][kernel].
Json shape_of(const DuelingNetwork& network, const Block& block) {
  if (block.rows == 1 && block.name.ends_with("bias")) return Json::array({block.used_columns});
  if (block.name.starts_with("conv."))
    for (const Convolution& layer : network.convolutions())
      if (block.name == fmt::format("conv.{}.weight", &layer - network.convolutions().data()))
        return Json::array({layer.to, layer.from, layer.kernel, layer.kernel});
  return Json::array({block.used_rows, block.used_columns});
}

/// Calls each(file position, parameter index) for every number of the network, in the order of the file.
template <class Each>
void walk(const DuelingNetwork& network, const Each& each) {
  std::size_t position = 0;
  for (const Block& block : network.blocks())
    for (int r = 0; r < block.used_rows; ++r)
      for (int c = 0; c < block.used_columns; ++c, position += sizeof(float))
        each(position, static_cast<std::size_t>(block.offset) +
                           static_cast<std::size_t>(r) * static_cast<std::size_t>(block.columns) +
                           static_cast<std::size_t>(c));
}

/// From "4 84 84"; 0 channels if the text is something else.
FrameStack picture_from(const std::string& text) {
  FrameStack picture;
  const char *at = text.data(), *const end = text.data() + text.size();
  for (int* number : {&picture.channels, &picture.height, &picture.width}) {
    const auto [next, problem] = std::from_chars(at, end, *number);
    if (problem != std::errc() || *number < 1 || *number > 1024) return {};
    at = next < end && *next == ' ' ? next + 1 : next;
  }
  return at == end ? picture : FrameStack{};
}

/// The shape by the names and sizes of a header; the size of a picture is in the metadata.
Shape shape_from(const Json& header, const Metadata& metadata) {
  Shape shape;
  shape.hidden.clear();
  for (int layer = 0; header.contains(fmt::format("hidden.{}.weight", layer)); ++layer) {
    const auto sizes = header.at(fmt::format("hidden.{}.weight", layer)).at("shape").get<std::vector<int>>();
    if (sizes.size() != 2) throw std::invalid_argument("the shape of a hidden layer does not have two sizes");
    if (layer == 0) shape.inputs = sizes[0];
    shape.hidden.push_back(sizes[1]);
  }
  const auto head = header.at("head.weight").at("shape").get<std::vector<int>>();
  if (head.empty() || head[0] < 2 || shape.hidden.empty())
    throw std::invalid_argument("it has no hidden layer or no head");
  shape.actions = head[0] - 1;
  if (!header.contains("conv.0.weight")) return shape;
  const auto given = metadata.find(picture_key);
  shape.picture = picture_from(given == metadata.end() ? "" : given->second);
  if (shape.picture.channels == 0) throw std::invalid_argument("the size of its pictures is missing");
  shape.inputs = shape.picture.numbers();
  shape.bytes = true;
  return shape;
}

/// Whether this many bytes are enough for a network of this shape, so that no file makes us allocate more than it has.
bool could_hold(const Shape& shape, std::size_t bytes) {
  if (shape.inputs < 1 || shape.actions < 1) return false;
  double weights = 0.0;
  double before = shape.picture.channels > 0 ? nature_convolutions(shape.picture).back().outputs() : shape.inputs;
  for (const int units : shape.hidden) {
    if (units < 1) return false;
    weights += before * units;
    before = units;
  }
  weights += before * (shape.actions + 1.0);
  return weights * sizeof(float) <= static_cast<double>(bytes);
}

}  // namespace

std::string to_safetensors(const DuelingNetwork& network, const Metadata& metadata) {
  // An object from the start: a key would turn a null value into one, and if there is no memory for it, the library
  // ends the program when it destroys what is left.
  Json header = Json::object();
  header["__metadata__"] = metadata;
  if (const FrameStack& picture = network.shape().picture; picture.channels > 0)
    header["__metadata__"][picture_key] = fmt::format("{} {} {}", picture.channels, picture.height, picture.width);
  std::size_t offset = 0;
  for (const Block& block : network.blocks()) {
    const std::size_t size =
        static_cast<std::size_t>(block.used_rows) * static_cast<std::size_t>(block.used_columns) * sizeof(float);
    header[block.name] = {
        {"dtype", "F32"}, {"shape", shape_of(network, block)}, {"data_offsets", {offset, offset + size}}};
    offset += size;
  }
  std::string text = header.dump();
  while (text.size() % 8 != 0) text += ' ';  // the data begin aligned
  const auto length = static_cast<std::uint64_t>(text.size());
  std::string bytes(sizeof length + text.size() + offset, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  std::memcpy(bytes.data() + sizeof length, text.data(), text.size());
  char* data = bytes.data() + sizeof length + text.size();
  walk(network, [&](std::size_t position, std::size_t index) {
    std::memcpy(data + position, &network.parameters()[index], sizeof(float));
  });
  return bytes;
}

NetworkFile from_safetensors(const std::string& key, const std::string& bytes) {
  const auto refuse = [&](const std::string& why) -> ConfigError {
    return {key, fmt::format("not a network file: {}; accepted: a file that politex wrote", why)};
  };
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) throw refuse("it is too short");
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - sizeof length) throw refuse("its header is cut off");
  try {
    const Json header =
        Json::parse(bytes.begin() + sizeof length, bytes.begin() + sizeof length + static_cast<std::ptrdiff_t>(length));
    const auto metadata = header.value("__metadata__", Metadata{});
    const Shape shape = shape_from(header, metadata);
    if (!could_hold(shape, bytes.size())) throw refuse("its sizes do not fit its length");
    NetworkFile file{DuelingNetwork(shape), metadata};
    const std::size_t start = sizeof length + static_cast<std::size_t>(length);
    std::size_t expected = 0;
    for (const Block& block : file.network.blocks()) {
      const Json& entry = header.at(block.name);
      const auto offsets = entry.at("data_offsets").get<std::vector<std::size_t>>();
      if (entry.at("dtype") != "F32") throw refuse(block.name + " is not F32");
      if (entry.at("shape") != shape_of(file.network, block)) throw refuse(block.name + " has the wrong shape");
      const std::size_t size =
          static_cast<std::size_t>(block.used_rows) * static_cast<std::size_t>(block.used_columns) * sizeof(float);
      if (offsets != std::vector<std::size_t>{expected, expected + size})
        throw refuse(block.name + " is not at the expected offset");
      expected += size;
    }
    if (bytes.size() - start != expected) throw refuse("its length does not fit its header");
    walk(file.network, [&](std::size_t position, std::size_t index) {
      float value = 0;
      std::memcpy(&value, bytes.data() + start + position, sizeof value);
      if (!std::isfinite(value)) throw refuse("a weight is not finite");
      file.network.parameters()[index] = value;
    });
    return file;
  } catch (const Json::exception& error) {
    throw refuse(plain_reason(error.what()));
  } catch (const std::invalid_argument& error) {
    throw refuse(error.what());
  }
}

}  // namespace politex::inline network
