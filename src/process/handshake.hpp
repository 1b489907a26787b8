// What the two sides of an environment process tell each other first; docs/environment-processes.md has the words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/env/outside.hpp"

namespace politex {

inline constexpr int process_protocol = 1;

/// Of the numbers of an observation.
enum class NumberType { uint8, int32, int64, float32, float64 };
std::size_t bytes_of(NumberType type) noexcept;

/// What a server says about its environments.
struct ServerHello {
  OutsideSpace space;
  NumberType type = NumberType::float64;
  std::vector<std::uint32_t> shape;  // of an observation
  std::size_t numbers = 0;           // their product
  bool can_save = false;
  bool has_pictures = false;
};

/// Our first message: how many environments to make, and the seed of each.
std::string greeting(std::span<const std::uint32_t> seeds);
/// Reads the server's answer. Throws Error that says what is missing or wrong.
ServerHello parse_hello(std::string_view text);

/// Where things stand in the shared memory, in bytes from its beginning.
struct MemoryLayout {
  std::size_t actions = 0, rewards = 0, scores = 0, flags = 0, observations = 0, last = 0, bytes = 0;
  MemoryLayout() = default;
  MemoryLayout(const ServerHello& hello, std::size_t environments);
  /// Our second message.
  std::string text() const;
};

}  // namespace politex
