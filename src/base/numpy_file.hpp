// Arrays in NumPy's .npz files: a zip archive with one .npy file per array, stored or deflated.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace politex::inline base {

/// Whether the bytes begin as a zip archive does.
bool looks_like_npz(std::string_view bytes) noexcept;

/// Every failure is a ConfigError{origin, ...} that names the array.
class NumpyFile {
 public:
  /// Keeps the bytes. Reads the directory of the archive only.
  NumpyFile(std::string bytes, std::string origin);

  const std::string& origin() const noexcept { return origin_; }
  /// Names without ".npy", in the order of the file.
  std::vector<std::string_view> names() const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  [[noreturn]] void refuse(std::string_view name, const std::string& what) const;

  /// Whole numbers within [low, high], of an integer array (or a boolean one).
  std::vector<std::int64_t> whole(std::string_view name, std::int64_t low, std::int64_t high) const;
  std::vector<std::int32_t> whole32(std::string_view name, std::int32_t low, std::int32_t high) const;
  /// Finite numbers of an array of floats or integers.
  std::vector<double> reals(std::string_view name) const;
  /// A single text (ASCII), of bytes or of unicode characters.
  std::string text(std::string_view name) const;
  /// Lengths of the axes, in C order.
  std::vector<std::int64_t> shape(std::string_view name) const;

 private:
  struct Entry {
    std::string name;
    int method = 0;
    std::uint32_t check = 0;  // CRC-32 of the unpacked bytes
    std::uint64_t packed = 0, size = 0, offset = 0;
  };
  struct Array {
    char kind = 0;  // f, i, u, b (boolean), S, U
    int item = 0;   // bytes
    std::vector<std::int64_t> shape;
    std::int64_t count = 0;
    std::string bytes;
    std::size_t begin = 0;  // of the numbers in `bytes`
  };

  const Entry* find(std::string_view name) const;
  Array array(std::string_view name) const;
  std::string unpacked(const Entry& entry) const;
  template <class Whole>
  std::vector<Whole> whole_numbers(std::string_view name, std::int64_t low, std::int64_t high) const;

  std::string bytes_, origin_;
  std::vector<Entry> entries_;
};

/// Writes such a file; the arrays are stored, not deflated.
class NumpyWriter {
 public:
  using Shape = std::vector<std::int64_t>;

  void add(std::string_view name, std::span<const double> values, const Shape& shape);
  void add(std::string_view name, std::span<const std::int32_t> values, const Shape& shape);
  void add(std::string_view name, std::span<const std::int64_t> values, const Shape& shape);
  /// The bytes of the file. Throws Error beyond 4 GB.
  std::string finish() &&;

 private:
  void add_bytes(std::string_view name, std::string_view type, const Shape& shape, const void* data, std::size_t size);

  struct Written {
    std::string name;
    std::uint32_t check = 0;
    std::uint64_t size = 0, offset = 0;
  };
  std::string bytes_;
  std::vector<Written> written_;
};

}  // namespace politex::inline base
