// Checkpoints: everything a run needs to resume with the same bits. Atomic, versioned, with a checksum; two are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/base/output_file.hpp"

namespace politex::inline record {

struct Checkpoint {
  std::string config;  // the resolved configuration, as TOML
  std::string build;   // which program wrote it
  std::int64_t steps = 0;
  double seconds = 0.0;              // spent so far
  std::int64_t progress_bytes = 0;   // lengths to which the records are truncated on resume
  std::uint32_t progress_check = 0;  // ContentCheck of these bytes of progress.csv
  std::int64_t timing_bytes = 0;
  std::int64_t events_bytes = 0;
  std::int64_t pictures_bytes = 0;
  std::vector<std::byte> state;  // Run::save
};

/// The state of a finished run whose policy is in no other file.
inline constexpr const char* final_state_file = "final.checkpoint";

/// Truncated, modified, or not a checkpoint.
struct DamagedCheckpoint : Error {
  using Error::Error;
};
/// Apparently intact, but of another format version, or without read permission.
struct UnreadableCheckpoint : Error {
  using Error::Error;
};

std::vector<std::byte> encode(const Checkpoint& checkpoint);
/// Throws DamagedCheckpoint or UnreadableCheckpoint.
Checkpoint decode(std::span<const std::byte> bytes);

/// Creates the directory if it does not exist. Throws Error.
void make_checkpoint_directory(const std::filesystem::path& directory);

/// Writes `directory`/<steps>.checkpoint, creates the directory if it is missing, and removes all but the newest two
/// checkpoints. Throws Error and then leaves the older ones intact.
void write_checkpoint(const std::filesystem::path& directory, const Checkpoint& checkpoint, Wait wait = Wait::for_disk);

/// The checkpoint files, newest first.
std::vector<std::filesystem::path> checkpoint_files(const std::filesystem::path& directory);
/// Throws DamagedCheckpoint or UnreadableCheckpoint.
Checkpoint read_checkpoint(const std::filesystem::path& file);

}  // namespace politex::inline record
