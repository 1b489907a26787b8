// Checkpoints: everything a run needs to go on to the same bits. Atomic, versioned, with a checksum; two are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/lab/output_file.hpp"

namespace politex::lab {

struct Checkpoint {
  std::string config;  // the resolved configuration, as TOML
  std::string build;   // which program wrote it
  std::int64_t steps = 0;
  double seconds = 0.0;             // spent so far
  std::int64_t progress_bytes = 0;  // lengths to which the records are cut back
  std::int64_t timing_bytes = 0;
  std::int64_t events_bytes = 0;
  std::int64_t pictures_bytes = 0;
  std::vector<std::byte> state;  // Run::save
};

/// Not what was written: cut off, changed, or something else.
struct DamagedCheckpoint : Error {
  using Error::Error;
};
/// Whole, as far as can be told, but not for us: of another format, or not permitted.
struct UnreadableCheckpoint : Error {
  using Error::Error;
};

std::vector<std::byte> encode(const Checkpoint& checkpoint);
/// Throws DamagedCheckpoint or UnreadableCheckpoint.
Checkpoint decode(std::span<const std::byte> bytes);

/// Where it is not there already. Throws Error.
void make_checkpoint_directory(const std::filesystem::path& directory);

/// Writes `directory`/<steps>.checkpoint, making the directory where it is gone, and removes all but the newest two.
/// Throws Error; the others stay intact.
void write_checkpoint(const std::filesystem::path& directory, const Checkpoint& checkpoint, Wait wait = Wait::for_disk);

/// The checkpoint files, newest first.
std::vector<std::filesystem::path> checkpoint_files(const std::filesystem::path& directory);
/// Throws DamagedCheckpoint or UnreadableCheckpoint.
Checkpoint read_checkpoint(const std::filesystem::path& file);

}  // namespace politex::lab
