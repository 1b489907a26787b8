// The first messages between politex and an environment process (docs/guide/environment-protocol.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/env/space.hpp"

namespace politex::inline process {

inline constexpr int process_protocol = 1;

/// The type of the numbers of an observation.
enum class NumberType { uint8, int32, int64, float32, float64 };
std::size_t bytes_of(NumberType type) noexcept;

/// A server's description of its environments.
struct ServerHello {
  Space space;
  NumberType type = NumberType::float64;
  std::vector<std::uint32_t> shape;  // of an observation
  std::size_t numbers = 0;           // their product
  bool can_save = false;
  bool has_pictures = false;
};

/// Our first message: the number of environments and the seed of each.
std::string greeting(std::span<const std::uint32_t> seeds);
/// Parses the server's answer. Throws an Error that says what is missing or wrong.
ServerHello parse_hello(std::string_view text);

/// Offsets in the shared memory, in bytes.
struct MemoryLayout {
  std::size_t actions = 0, rewards = 0, scores = 0, flags = 0, observations = 0, last = 0, bytes = 0;
  MemoryLayout() = default;
  MemoryLayout(const ServerHello& hello, std::size_t environments);
  /// Our second message.
  std::string text() const;
};

}  // namespace politex::inline process
