#include "politex/neural/safetensors.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "politex/base/error.hpp"

namespace politex::neural {
namespace {

using Json = nlohmann::ordered_json;

/// A bias is a vector, a weight a matrix.
Json shape_of(const Block& block) {
  if (block.rows == 1 && block.name.ends_with("bias")) return Json::array({block.used_columns});
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

/// The shape that the names and sizes of a header tell.
Shape shape_from(const Json& header) {
  Shape shape;
  shape.hidden.clear();
  for (int layer = 0; header.contains(fmt::format("hidden.{}.weight", layer)); ++layer) {
    const auto sizes = header.at(fmt::format("hidden.{}.weight", layer)).at("shape").get<std::vector<int>>();
    if (layer == 0) shape.inputs = sizes.at(0);
    shape.hidden.push_back(sizes.at(1));
  }
  shape.actions = header.at("head.weight").at("shape").get<std::vector<int>>().at(0) - 1;
  return shape;
}

}  // namespace

std::string to_safetensors(const DuelingNetwork& network, const Metadata& metadata) {
  Json header;
  header["__metadata__"] = metadata;
  std::size_t offset = 0;
  for (const Block& block : network.blocks()) {
    const std::size_t size =
        static_cast<std::size_t>(block.used_rows) * static_cast<std::size_t>(block.used_columns) * sizeof(float);
    header[block.name] = {{"dtype", "F32"}, {"shape", shape_of(block)}, {"data_offsets", {offset, offset + size}}};
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
    return {key, fmt::format("is no network file: {}; accepted: a file that politex wrote", why)};
  };
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) throw refuse("it is too short");
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - sizeof length) throw refuse("its header is cut off");
  try {
    const Json header =
        Json::parse(bytes.begin() + sizeof length, bytes.begin() + sizeof length + static_cast<std::ptrdiff_t>(length));
    if (header.contains("conv.0.weight")) throw refuse("it is a network for pictures, which is not read back");
    NetworkFile file{DuelingNetwork(shape_from(header)), header.value("__metadata__", Metadata{})};
    const std::size_t start = sizeof length + static_cast<std::size_t>(length);
    std::size_t expected = 0;
    for (const Block& block : file.network.blocks()) {
      const Json& entry = header.at(block.name);
      const auto offsets = entry.at("data_offsets").get<std::vector<std::size_t>>();
      if (entry.at("dtype") != "F32") throw refuse(block.name + " is not F32");
      if (entry.at("shape") != shape_of(block)) throw refuse(block.name + " has the wrong shape");
      const std::size_t size =
          static_cast<std::size_t>(block.used_rows) * static_cast<std::size_t>(block.used_columns) * sizeof(float);
      if (offsets != std::vector<std::size_t>{expected, expected + size})
        throw refuse(block.name + " stands elsewhere");
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
    throw refuse(error.what());
  }
}

}  // namespace politex::neural
