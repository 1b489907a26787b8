// Serialization of values for checkpoints and signatures. Values are copied bit by bit; little-endian machines only.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "politex/base/error.hpp"

namespace politex::inline base {

static_assert(std::endian::native == std::endian::little);

class ByteWriter {
 public:
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void put(const T& value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof(T));
  }
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void put(const std::vector<T>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    bytes_.insert(bytes_.end(), bytes, bytes + values.size() * sizeof(T));
  }
  void put(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    bytes_.insert(bytes_.end(), bytes, bytes + text.size());
  }
  const std::vector<std::byte>& bytes() const noexcept { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Throws Error when the bytes end early; never reads past them and never allocates more than they hold.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
    requires std::is_trivially_copyable_v<T>
  void get(T& value) {
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
  }
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void get(std::vector<T>& values) {
    const auto count = size_prefix(sizeof(T));
    values.resize(count);
    if (count > 0) std::memcpy(values.data(), take(count * sizeof(T)).data(), count * sizeof(T));
  }
  void get(std::string& text) {
    const auto count = size_prefix(1);
    text.resize(count);
    if (count > 0) std::memcpy(text.data(), take(count).data(), count);
  }
  template <class T>
  T get() {
    T value{};
    get(value);
    return value;
  }
  bool empty() const noexcept { return rest_.empty(); }

 private:
  std::span<const std::byte> take(std::size_t count) {
    if (count > rest_.size()) throw Error("the saved state is truncated or was written by another version");
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }
  std::size_t size_prefix(std::size_t item) {
    std::uint64_t count = 0;
    get(count);
    if (count > rest_.size() / item) throw Error("the saved state is truncated or was written by another version");
    return static_cast<std::size_t>(count);
  }

  std::span<const std::byte> rest_;
};

/// An incremental 64-bit hash of bytes: the signature of a run. Not cryptographic. Checkpoints store its value.
class Signature {
 public:
  void add(std::span<const std::byte> bytes) noexcept;
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void add(std::span<const T> values) noexcept {
    add(std::as_bytes(values));
  }
  std::uint64_t value() const noexcept { return state_; }
  void restore(std::uint64_t value) noexcept { state_ = value; }
  /// 16 hexadecimal digits.
  std::string text() const;

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15;
};

}  // namespace politex::inline base
