#include "politex/base/numpy_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "politex/base/error.hpp"
#include "politex/base/machine.hpp"

namespace politex::inline base {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint32_t local_header = 0x04034b50, directory_header = 0x02014b50, directory_end = 0x06054b50,
                        wide_end = 0x06064b50, wide_locator = 0x07064b50;
constexpr std::size_t local_size = 30, directory_size = 46, end_size = 22, wide_end_size = 56, locator_size = 20;
constexpr std::size_t most_entries = 1000, most_header = 1U << 16, most_axes = 32;
// Deflate packs at most 1032 bytes into one.
constexpr std::uint64_t most_packing = 1032, slack = 1024;

/// Little-endian numbers of a file.
template <class T>
T number_at(std::string_view bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

template <class T>
void append_number(std::string& bytes, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  bytes.append(raw, sizeof(T));
}

/// What a file calls things, for a message.
std::string plain_ascii(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c < ' ' || c > '~') c = '?';
  return out;
}

/// CRC-32 of any length: zlib's takes 32-bit lengths.
std::uint32_t check_of(std::string_view bytes) {
  uLong check = crc32(0, nullptr, 0);
  while (!bytes.empty()) {
    const auto part = std::min<std::size_t>(bytes.size(), std::size_t{1} << 30);
    check = crc32(check, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(part));
    bytes.remove_prefix(part);
  }
  return static_cast<std::uint32_t>(check);
}

/// Empty where the bytes are no deflated stream of exactly `size` bytes.
std::optional<std::string> inflated(std::string_view packed, std::uint64_t size) {
  std::string out(static_cast<std::size_t>(size), '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;
  char spare = 0;  // zlib wants room even where nothing is left
  std::size_t read = 0, written = 0;
  int status = Z_OK;
  while (status == Z_OK) {
    const auto in = std::min<std::size_t>(packed.size() - read, std::size_t{1} << 30);
    const auto room = std::min<std::size_t>(out.size() - written, std::size_t{1} << 30);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + read));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(room > 0 ? out.data() + written : &spare);
    stream.avail_out = static_cast<uInt>(room > 0 ? room : 1);
    status = inflate(&stream, Z_NO_FLUSH);
    read += in - stream.avail_in;
    if (room > 0)
      written += room - stream.avail_out;
    else if (stream.avail_out == 0)
      break;  // more than it says
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END || written != out.size() || read != packed.size()) return std::nullopt;
  return out;
}

/// Reads "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }".
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  bool read(std::string& type, bool& fortran, std::vector<std::int64_t>& shape) {
    if (!take('{')) return false;
    int seen = 0;
    while (!take('}')) {
      std::string key;
      if (!quoted(key) || !take(':')) return false;
      bool good = false;
      if (key == "descr") {
        good = (seen & 1) == 0 && quoted(type);
        seen |= 1;
      } else if (key == "fortran_order") {
        good = (seen & 2) == 0 && truth(fortran);
        seen |= 2;
      } else if (key == "shape") {
        good = (seen & 4) == 0 && tuple(shape);
        seen |= 4;
      }
      if (!good) return false;
      if (!take(',')) {
        if (!take('}')) return false;
        break;
      }
    }
    skip();
    return seen == 7 && text_.empty();
  }

 private:
  void skip() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n')) text_.remove_prefix(1);
  }
  bool take(char c) {
    skip();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool quoted(std::string& out) {
    if (!take('\'')) return false;
    const auto end = text_.find('\'');
    if (end == std::string_view::npos) return false;
    out = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return true;
  }
  bool truth(bool& out) {
    skip();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      out = value;
      return true;
    }
    return false;
  }
  bool tuple(std::vector<std::int64_t>& out) {
    out.clear();
    if (!take('(')) return false;
    while (!take(')')) {
      skip();
      std::int64_t length = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), length);
      if (error != std::errc{} || length < 0 || out.size() == most_axes) return false;
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      out.push_back(length);
      if (!take(',')) return take(')');
    }
    return true;
  }

  std::string_view text_;
};

template <class T, class Out, class Convert>
void convert(const char* data, std::vector<Out>& out, Convert value_of) {
  for (std::size_t k = 0; k < out.size(); ++k) {
    T value{};
    std::memcpy(&value, data + k * sizeof(T), sizeof(T));
    out[k] = value_of(value, k);
  }
}

std::string npy_header(std::string_view type, std::span<const std::int64_t> shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': (", type);
  for (const std::int64_t length : shape) text += fmt::format("{}, ", length);
  if (shape.size() > 1)
    text.resize(text.size() - 2);
  else if (shape.size() == 1)
    text.pop_back();
  text += "), }";
  // The numbers begin at a multiple of 64 bytes.
  text.append(63 - (10 + text.size()) % 64, ' ');
  text += '\n';
  std::string header = "\x93NUMPY";
  header += '\x01';
  header += '\0';
  append_number(header, static_cast<std::uint16_t>(text.size()));
  return header + text;
}

}  // namespace

bool looks_like_npz(std::string_view bytes) noexcept { return bytes.starts_with("PK"); }

void NumpyFile::refuse(std::string_view name, const std::string& what) const {
  throw ConfigError{origin_, fmt::format("array \"{}\": {}", plain_ascii(name.substr(0, 80)), what)};
}

NumpyFile::NumpyFile(std::string bytes, std::string origin) : bytes_(std::move(bytes)), origin_(std::move(origin)) {
  const auto damaged = [&](std::string_view what) {
    throw ConfigError{origin_, fmt::format("not a valid .npz file: {}", what)};
  };
  // The end record is followed by a comment of at most 65,535 bytes.
  if (bytes_.size() < end_size) damaged("it is too short");
  std::size_t end = bytes_.size() - end_size;
  const std::size_t least = end > 0xffff ? end - 0xffff : 0;
  while (number_at<std::uint32_t>(bytes_, end) != directory_end) {
    if (end == least) damaged("it has no directory");
    --end;
  }
  std::uint64_t count = number_at<std::uint16_t>(bytes_, end + 10), at = number_at<std::uint32_t>(bytes_, end + 16);
  if (end >= locator_size && number_at<std::uint32_t>(bytes_, end - locator_size) == wide_locator) {
    const auto wide = number_at<std::uint64_t>(bytes_, end - locator_size + 8);
    if (wide > bytes_.size() || bytes_.size() - wide < wide_end_size ||
        number_at<std::uint32_t>(bytes_, wide) != wide_end)
      damaged("its directory is not where it should be");
    count = number_at<std::uint64_t>(bytes_, wide + 32);
    at = number_at<std::uint64_t>(bytes_, wide + 48);
  }
  if (count > most_entries) damaged(fmt::format("it has more than {} entries", most_entries));
  for (std::uint64_t k = 0; k < count; ++k) {
    if (at > end || end - at < directory_size || number_at<std::uint32_t>(bytes_, at) != directory_header)
      damaged("its directory is not complete");
    const auto name_size = number_at<std::uint16_t>(bytes_, at + 28), extra = number_at<std::uint16_t>(bytes_, at + 30),
               comment = number_at<std::uint16_t>(bytes_, at + 32);
    const std::size_t whole = directory_size + name_size + extra + comment;
    if (end - at < whole) damaged("its directory is not complete");
    Entry entry{.name = bytes_.substr(at + directory_size, name_size),
                .method = number_at<std::uint16_t>(bytes_, at + 10),
                .check = number_at<std::uint32_t>(bytes_, at + 16),
                .packed = number_at<std::uint32_t>(bytes_, at + 20),
                .size = number_at<std::uint32_t>(bytes_, at + 24),
                .offset = number_at<std::uint32_t>(bytes_, at + 42)};
    if ((number_at<std::uint16_t>(bytes_, at + 8) & 1) != 0) damaged("it is encrypted");
    // Extra field 1 has the numbers that do not fit in 32 bits, in this order.
    const std::string_view fields = std::string_view(bytes_).substr(at + directory_size + name_size, extra);
    for (std::size_t f = 0; f + 4 <= fields.size();) {
      const auto id = number_at<std::uint16_t>(fields, f), length = number_at<std::uint16_t>(fields, f + 2);
      std::size_t value = f + 4;
      f = value + length;
      if (f > fields.size()) damaged("its directory is not complete");
      if (id != 1) continue;
      for (std::uint64_t* wide : {&entry.size, &entry.packed, &entry.offset}) {
        if (*wide != 0xffffffff) continue;
        if (value + 8 > f) damaged("its directory is not complete");
        *wide = number_at<std::uint64_t>(fields, value);
        value += 8;
      }
    }
    if (entry.name.ends_with(".npy")) entry.name.resize(entry.name.size() - 4);
    if (find(entry.name) != nullptr) refuse(entry.name, "is there twice");
    entries_.push_back(std::move(entry));
    at += whole;
  }
}

std::vector<std::string_view> NumpyFile::names() const {
  std::vector<std::string_view> all;
  for (const Entry& entry : entries_) all.emplace_back(entry.name);
  return all;
}

const NumpyFile::Entry* NumpyFile::find(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &Entry::name);
  return found == entries_.end() ? nullptr : &*found;
}

std::string NumpyFile::unpacked(const Entry& entry) const {
  const std::uint64_t all = bytes_.size();
  if (entry.offset > all || all - entry.offset < local_size ||
      number_at<std::uint32_t>(bytes_, entry.offset) != local_header)
    refuse(entry.name, "is not where the directory says");
  const std::uint64_t begin = entry.offset + local_size + number_at<std::uint16_t>(bytes_, entry.offset + 26) +
                              number_at<std::uint16_t>(bytes_, entry.offset + 28);
  if (begin > all || all - begin < entry.packed) refuse(entry.name, "is cut off");
  const std::string_view packed = std::string_view(bytes_).substr(begin, entry.packed);
  if (static_cast<double>(entry.size) > 0.5 * machine_memory())
    refuse(entry.name, fmt::format("would take {:.1f} GB of the {:.1f} GB of this machine; accepted: half of it",
                                   1e-9 * static_cast<double>(entry.size), 1e-9 * machine_memory()));
  std::optional<std::string> out;
  if (entry.method == 0 && entry.size == entry.packed) out = std::string(packed);
  if (entry.method == 8 && entry.size <= most_packing * entry.packed + slack) out = inflated(packed, entry.size);
  if (entry.method != 0 && entry.method != 8)
    refuse(entry.name,
           fmt::format("is packed by method {}; accepted: stored or deflated, as NumPy writes it", entry.method));
  if (!out || check_of(*out) != entry.check) refuse(entry.name, "is damaged: its bytes do not match their check sum");
  return *std::move(out);
}

NumpyFile::Array NumpyFile::array(std::string_view name) const {
  const Entry* entry = find(name);
  if (entry == nullptr) refuse(name, "is missing");
  Array out;
  out.bytes = unpacked(*entry);
  const std::string& bytes = out.bytes;
  if (bytes.size() < 12 || !bytes.starts_with("\x93NUMPY")) refuse(name, "is not in NumPy's format");
  const auto version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) refuse(name, fmt::format("has version {} of the format; accepted: 1 to 3", version));
  const std::size_t prefix = version == 1 ? 10 : 12;
  const std::size_t length =
      version == 1 ? number_at<std::uint16_t>(bytes, 8) : std::size_t{number_at<std::uint32_t>(bytes, 8)};
  if (length > most_header || bytes.size() - prefix < length) refuse(name, "has a damaged header");
  std::string type;
  bool fortran = false;
  if (!HeaderReader(std::string_view(bytes).substr(prefix, length)).read(type, fortran, out.shape))
    refuse(name, "has a header that cannot be read; accepted: a plain array (no records, no objects)");
  out.begin = prefix + length;
  const auto stored = static_cast<std::int64_t>(bytes.size() - out.begin);
  const auto digits = type.size() > 2 ? std::string_view(type).substr(2) : std::string_view();
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out.item);
  const bool known = type.size() > 2 && (type[0] == '<' || type[0] == '|') && error == std::errc{} &&
                     stop == digits.data() + digits.size() && out.item >= 1 && out.item <= 1000 &&
                     std::string_view("fiubSU").find(type[1]) != std::string_view::npos;
  if (!known)
    refuse(name, fmt::format("has the type \"{}\"; accepted: little-endian numbers", plain_ascii(type.substr(0, 20))));
  out.kind = type[1];
  if (out.kind == 'U') out.item *= 4;
  out.count = 1;
  for (const std::int64_t axis : out.shape) {
    if (axis > 0 && out.count > stored / axis) refuse(name, "is cut off: its shape says more numbers than it has");
    out.count *= axis;
  }
  if (out.count > stored || out.count * out.item != stored)
    refuse(name, fmt::format("has {} bytes of numbers; its shape and type ask for another length", stored));
  if (fortran && std::ranges::count_if(out.shape, [](std::int64_t axis) { return axis != 1; }) > 1)
    refuse(name, "is in Fortran order; accepted: C order (numpy.ascontiguousarray)");
  return out;
}

template <class Whole>
std::vector<Whole> NumpyFile::whole_numbers(std::string_view name, std::int64_t low, std::int64_t high) const {
  const Array from = array(name);
  std::vector<Whole> out(static_cast<std::size_t>(from.count));
  const auto value_of = [&](auto value, std::size_t k) {
    const bool fits = std::is_signed_v<decltype(value)> || static_cast<std::uint64_t>(value) <= std::uint64_t{1} << 62;
    const auto number = fits ? static_cast<std::int64_t>(value) : std::int64_t{1} << 62;
    if (number < low || number > high) refuse(name, fmt::format("[{}] is {}; accepted: {} to {}", k, value, low, high));
    return static_cast<Whole>(number);
  };
  const char* data = from.bytes.data() + from.begin;
  const auto is = [&](std::string_view kinds, int item) {
    return kinds.find(from.kind) != std::string_view::npos && from.item == item;
  };
  if (is("i", 8))
    convert<std::int64_t>(data, out, value_of);
  else if (is("i", 4))
    convert<std::int32_t>(data, out, value_of);
  else if (is("i", 2))
    convert<std::int16_t>(data, out, value_of);
  else if (is("i", 1))
    convert<std::int8_t>(data, out, value_of);
  else if (is("u", 8))
    convert<std::uint64_t>(data, out, value_of);
  else if (is("u", 4))
    convert<std::uint32_t>(data, out, value_of);
  else if (is("u", 2))
    convert<std::uint16_t>(data, out, value_of);
  else if (is("ub", 1))
    convert<std::uint8_t>(data, out, value_of);
  else
    refuse(name, "is not an array of whole numbers");
  return out;
}

std::vector<std::int64_t> NumpyFile::whole(std::string_view name, std::int64_t low, std::int64_t high) const {
  return whole_numbers<std::int64_t>(name, low, high);
}

std::vector<std::int32_t> NumpyFile::whole32(std::string_view name, std::int32_t low, std::int32_t high) const {
  return whole_numbers<std::int32_t>(name, low, high);
}

std::vector<double> NumpyFile::reals(std::string_view name) const {
  const Array from = array(name);
  std::vector<double> out;
  if (from.kind == 'f' && (from.item == 8 || from.item == 4)) {
    out.resize(static_cast<std::size_t>(from.count));
    const auto value_of = [&](auto value, std::size_t k) {
      if (!std::isfinite(value)) refuse(name, fmt::format("[{}] is {}; accepted: a finite number", k, value));
      return static_cast<double>(value);
    };
    const char* data = from.bytes.data() + from.begin;
    if (from.item == 8)
      convert<double>(data, out, value_of);
    else
      convert<float>(data, out, value_of);
    return out;
  }
  if (from.kind == 'f' || from.kind == 'S' || from.kind == 'U')
    refuse(name, "is not an array of numbers; accepted: float64, float32 or integers");
  constexpr std::int64_t exact_in_double = std::int64_t{1} << 53;
  const std::vector<std::int64_t> values = whole(name, -exact_in_double, exact_in_double);
  out.assign(values.begin(), values.end());
  return out;
}

std::string NumpyFile::text(std::string_view name) const {
  const Array from = array(name);
  if ((from.kind != 'S' && from.kind != 'U') || from.count != 1) refuse(name, "is not a single text");
  std::string out;
  const std::size_t width = from.kind == 'U' ? 4 : 1;
  for (std::size_t k = from.begin; k < from.bytes.size(); k += width) {
    const std::uint32_t letter =
        width == 4 ? number_at<std::uint32_t>(from.bytes, k) : static_cast<unsigned char>(from.bytes[k]);
    if (letter == 0) break;
    if (letter > 126 || letter < 32) refuse(name, "is not plain text");
    out += static_cast<char>(letter);
  }
  return out;
}

std::vector<std::int64_t> NumpyFile::shape(std::string_view name) const { return array(name).shape; }

void NumpyWriter::add_bytes(std::string_view name, std::string_view type, const Shape& shape, const void* data,
                            std::size_t size) {
  const std::string file = std::string(name) + ".npy", header = npy_header(type, shape);
  Written entry{.name = file, .check = 0, .size = header.size() + size, .offset = bytes_.size()};
  const std::string_view numbers(static_cast<const char*>(data), size);
  entry.check = static_cast<std::uint32_t>(
      crc32_combine(check_of(header), check_of(numbers), static_cast<z_off_t>(numbers.size())));
  append_number(bytes_, local_header);
  for (const std::uint16_t field : {20, 0, 0, 0, 0x21}) append_number(bytes_, field);  // 1980-01-01: equal bytes
  append_number(bytes_, entry.check);
  append_number(bytes_, static_cast<std::uint32_t>(entry.size));
  append_number(bytes_, static_cast<std::uint32_t>(entry.size));
  append_number(bytes_, static_cast<std::uint16_t>(file.size()));
  append_number(bytes_, std::uint16_t{0});
  bytes_ += file;
  bytes_ += header;
  bytes_ += numbers;
  written_.push_back(std::move(entry));
}

void NumpyWriter::add(std::string_view name, std::span<const double> values, const Shape& shape) {
  add_bytes(name, "<f8", shape, values.data(), values.size_bytes());
}
void NumpyWriter::add(std::string_view name, std::span<const std::int32_t> values, const Shape& shape) {
  add_bytes(name, "<i4", shape, values.data(), values.size_bytes());
}
void NumpyWriter::add(std::string_view name, std::span<const std::int64_t> values, const Shape& shape) {
  add_bytes(name, "<i8", shape, values.data(), values.size_bytes());
}

std::string NumpyWriter::finish() && {
  const std::uint64_t begin = bytes_.size();
  for (const Written& entry : written_) {
    append_number(bytes_, directory_header);
    for (const std::uint16_t field : {20, 20, 0, 0, 0, 0x21}) append_number(bytes_, field);
    append_number(bytes_, entry.check);
    append_number(bytes_, static_cast<std::uint32_t>(entry.size));
    append_number(bytes_, static_cast<std::uint32_t>(entry.size));
    append_number(bytes_, static_cast<std::uint16_t>(entry.name.size()));
    for (int field = 0; field < 4; ++field) append_number(bytes_, std::uint16_t{0});
    append_number(bytes_, std::uint32_t{0});
    append_number(bytes_, static_cast<std::uint32_t>(entry.offset));
    bytes_ += entry.name;
  }
  const std::uint64_t size = bytes_.size() - begin;
  if (bytes_.size() + end_size >= 0xffffffff) throw Error("a file of more than 4 GB is not written");
  append_number(bytes_, directory_end);
  for (int field = 0; field < 2; ++field) append_number(bytes_, std::uint16_t{0});
  for (int field = 0; field < 2; ++field) append_number(bytes_, static_cast<std::uint16_t>(written_.size()));
  append_number(bytes_, static_cast<std::uint32_t>(size));
  append_number(bytes_, static_cast<std::uint32_t>(begin));
  append_number(bytes_, std::uint16_t{0});
  return std::move(bytes_);
}

}  // namespace politex::inline base
