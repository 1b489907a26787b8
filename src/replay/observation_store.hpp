// How the replay keeps an observation: as floats, as bytes, or as a stack of pictures, of which every frame is kept
// once for all windows that show it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/base/frame_stack.hpp"

namespace politex::neural::inline replay {

using Picture = FrameStack;

/// What the numbers of an observation are.
struct Observation {
  int inputs = 0;
  bool bytes = false;    // whole 255ths, 0 to 1: one byte each is enough
  Picture picture = {};  // where `inputs` are one; then bytes
};

/// Writes observations into rows of 32-bit words that a caller owns. One thread puts and drops; others may get what was
/// put before and is not dropped.
class ObservationStore {
 public:
  /// `rows` are the most observations that are kept at once. Throws ConfigError (replay.capacity) where their frames
  /// cannot fit in this machine's memory.
  ObservationStore(const Observation& observation, std::int64_t rows);

  /// Of one observation.
  std::size_t words() const noexcept { return words_; }
  void put(std::span<const float> observation, std::uint32_t* into);
  void get(const std::uint32_t* from, float* into) const noexcept;
  /// Before a row is overwritten.
  void drop(const std::uint32_t* row);
  /// Distinct frames held.
  std::int64_t frames() const noexcept { return static_cast<std::int64_t>(by_hash_.size()); }

  void save(ByteWriter& to) const;
  /// The rows are restored by their owner: one every `stride` words of `rows`, each beginning with two observations.
  void restore(ByteReader& from, std::span<const std::uint32_t> rows, std::size_t stride);

 private:
  static constexpr std::size_t chunk = 64;  // frames allocated together
  std::uint8_t* frame(std::uint32_t id) const noexcept {
    return chunks_[id / chunk].get() + static_cast<std::size_t>(id % chunk) * frame_bytes_;
  }
  std::uint32_t keep(const std::uint8_t* bytes);
  std::uint32_t fresh();

  Observation observation_;
  std::size_t words_, frame_bytes_ = 0;
  std::vector<std::uint8_t> packed_;
  std::vector<std::unique_ptr<std::uint8_t[]>> chunks_;  // never moved: other threads read
  std::uint32_t next_ = 0;
  std::vector<std::uint32_t> free_, users_;
  std::vector<std::uint64_t> hash_of_;
  std::multimap<std::uint64_t, std::uint32_t> by_hash_;
};

}  // namespace politex::neural::inline replay
