#include "politex/record/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "politex/base/bytes.hpp"
#include "politex/base/error.hpp"
#include "politex/base/files.hpp"

namespace politex::inline record {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t magic = 0x6b63657869746c70;  // "pltixeck", little-endian
constexpr std::uint32_t format_version = 7;
constexpr std::size_t checkpoints_kept = 2;

struct Header {
  std::uint64_t magic = 0;
  std::uint64_t version = 0;
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;
};

std::uint64_t checksum(std::span<const std::byte> bytes) {
  Signature signature;
  signature.add(bytes);
  return signature.value();
}

std::vector<fs::path> files_of(const fs::path& directory, std::string_view extension) {
  std::vector<fs::path> files;
  for (fs::path& file : entries_of(directory))
    if (file.extension() == extension) files.push_back(std::move(file));
  return files;
}

}  // namespace

std::vector<std::byte> encode(const Checkpoint& checkpoint) {
  ByteWriter body;
  body.put(checkpoint.config);
  body.put(checkpoint.build);
  body.put(checkpoint.steps);
  body.put(checkpoint.seconds);
  body.put(checkpoint.progress_bytes);
  body.put(checkpoint.progress_check);
  body.put(checkpoint.timing_bytes);
  body.put(checkpoint.events_bytes);
  body.put(checkpoint.pictures_bytes);
  body.put(checkpoint.state);
  const auto& bytes = body.bytes();
  const Header header{.magic = magic, .version = format_version, .size = bytes.size(), .checksum = checksum(bytes)};
  std::vector<std::byte> out(sizeof(Header) + bytes.size());
  std::memcpy(out.data(), &header, sizeof(Header));
  std::memcpy(out.data() + sizeof(Header), bytes.data(), bytes.size());
  return out;
}

Checkpoint decode(std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(Header)) throw DamagedCheckpoint("the checkpoint is truncated");
  ByteReader start(bytes);
  const auto header = start.get<Header>();
  if (header.magic != magic) throw DamagedCheckpoint("not a checkpoint");
  const auto body = bytes.subspan(sizeof(Header));
  if (body.size() != header.size) throw DamagedCheckpoint("the checkpoint is truncated");
  if (checksum(body) != header.checksum)
    throw DamagedCheckpoint("wrong checksum: the checkpoint was modified or damaged");
  if (header.version != format_version)
    throw UnreadableCheckpoint(
        fmt::format("the checkpoint has format {}, this program reads format {}", header.version, format_version));
  ByteReader reader(body);
  Checkpoint checkpoint;
  reader.get(checkpoint.config);
  reader.get(checkpoint.build);
  reader.get(checkpoint.steps);
  reader.get(checkpoint.seconds);
  reader.get(checkpoint.progress_bytes);
  reader.get(checkpoint.progress_check);
  reader.get(checkpoint.timing_bytes);
  reader.get(checkpoint.events_bytes);
  reader.get(checkpoint.pictures_bytes);
  reader.get(checkpoint.state);
  return checkpoint;
}

void make_checkpoint_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directory(directory, error);
  if (error) throw Error(fmt::format("{}: cannot be created: {}", directory.string(), error.message()));
}

void write_checkpoint(const fs::path& directory, const Checkpoint& checkpoint, Wait wait) {
  make_checkpoint_directory(directory);
  const std::vector<std::byte> bytes = encode(checkpoint);
  write_atomically(directory / fmt::format("{:016}.checkpoint", checkpoint.steps),
                   {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, wait);
  std::error_code error;
  const auto files = checkpoint_files(directory);
  for (std::size_t i = checkpoints_kept; i < files.size(); ++i) fs::remove(files[i], error);
  // A process that was killed while writing leaves a partial file.
  for (const fs::path& file : files_of(directory, half_written)) fs::remove(file, error);
}

std::vector<fs::path> checkpoint_files(const fs::path& directory) {
  std::vector<fs::path> files = files_of(directory, ".checkpoint");
  std::ranges::sort(files, std::greater{});
  return files;
}

Checkpoint read_checkpoint(const fs::path& file) {
  std::string bytes;
  try {
    bytes = read_file("checkpoint", file.string(), std::uint64_t{1} << 40);
  } catch (const ConfigError&) {
    throw UnreadableCheckpoint("the checkpoint cannot be read");
  }
  return decode(std::as_bytes(std::span(bytes)));
}

}  // namespace politex::inline record
