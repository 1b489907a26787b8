// Serialization of values for checkpoints and signatures. Values are copied bit by bit; little-endian machines only.
#pragma once

#include <bit>
#include <cmath>
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

/// A saved state that no run of this configuration wrote; `what` names the part that shows it.
struct DamagedState : Error {
  explicit DamagedState(const std::string& what) : Error("the checkpoint is damaged: " + what) {}
};

/// Throws DamagedState when the bytes end early or break a rule of a getter; never reads past them and never allocates
/// more than they hold.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}
  static constexpr std::int64_t most = std::int64_t{1} << 53;  // no count in a run is larger

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
  void get(bool& value) {
    const auto byte = get<std::uint8_t>();
    if (byte > 1) throw DamagedState("a truth value");
    value = byte == 1;
  }
  template <class T>
  T get() {
    T value{};
    get(value);
    return value;
  }
  /// low <= value <= high.
  template <class T>
    requires std::is_arithmetic_v<T>
  void get_within(T& value, std::type_identity_t<T> low, std::type_identity_t<T> high, const char* what) {
    get(value);
    if (!(value >= low && value <= high)) throw DamagedState(what);
  }
  /// 0 <= value, and small enough to be added to.
  void get_count(std::int64_t& value, const char* what) { get_within(value, 0, most, what); }
  /// A finite number.
  template <class T>
    requires std::is_floating_point_v<T>
  void get_finite(T& value, const char* what) {
    get(value);
    if (!std::isfinite(value)) throw DamagedState(what);
  }
  /// `size` values; finite ones, where they are not integers.
  template <class T>
  void get_sized(std::vector<T>& values, std::size_t size, const char* what) {
    get(values);
    if (values.size() != size) throw DamagedState(what);
    if constexpr (std::is_floating_point_v<T>)
      for (const T value : values)
        if (!std::isfinite(value)) throw DamagedState(what);
  }
  /// As many values as there are now.
  template <class T>
  void get_again(std::vector<T>& values, const char* what) {
    get_sized(values, values.size(), what);
  }
  bool empty() const noexcept { return rest_.empty(); }

 private:
  std::span<const std::byte> take(std::size_t count) {
    if (count > rest_.size()) throw DamagedState("it is truncated or was written by another version");
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }
  std::size_t size_prefix(std::size_t item) {
    std::uint64_t count = 0;
    get(count);
    if (count > rest_.size() / item) throw DamagedState("it is truncated or was written by another version");
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
