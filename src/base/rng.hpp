// Counter-based random streams (Philox4x64-10 of Random123), named by seed, use and index.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace politex::inline base {

/// What a stream is for. The numbers are part of the reproducible bits: append, never renumber.
enum class Use : std::uint64_t {
  action = 1,       // actions of the target policy
  environment = 2,  // transitions
  explorer = 3,     // actions of the exploration policy
  probe = 4,        // the uniformly random action at the start of a rollout's follow segment
  sample = 5,       // posterior samples (RLSVI)
  comparator = 6,   // actions of the comparator in the regret
  comparator_environment = 7,
  model = 8,  // random environments (Garnet, swapped rows)
  bootstrap = 9,
  network = 10,  // initial weights
  replay = 11,   // minibatches
  test = 99,
};

/// A stream of 64-bit draws. Streams with different names are independent. The position is a plain count, so any stream
/// can be re-created anywhere and saved as one integer.
class Rng {
 public:
  static constexpr int block_draws = 32;

  explicit Rng(std::uint64_t seed, Use use = Use::test, std::uint64_t index = 0, std::uint64_t sub_index = 0) noexcept
      : key_{seed, static_cast<std::uint64_t>(use)}, index_{index, sub_index} {}

  /// 64 uniform bits.
  std::uint64_t bits() noexcept {
    if (next_ == block_draws) refill();
    return buffer_[static_cast<std::size_t>(next_++)];
  }
  /// The next draws, at least one and at most `most`, equal to that many calls of bits(). Valid until the next call.
  std::span<const std::uint64_t> take(std::int64_t most) noexcept {
    if (next_ == block_draws) refill();
    const auto begin = static_cast<std::size_t>(next_);
    const auto count = most < block_draws - next_ ? static_cast<std::size_t>(most) : buffer_.size() - begin;
    next_ += static_cast<int>(count);
    return std::span(buffer_).subspan(begin, count);
  }
  /// 53 uniform bits: the integer that thresholds (base/thresholds.hpp) are compared with.
  std::uint64_t bits53() noexcept { return bits() >> 11; }
  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform() noexcept { return uniform_of(bits()); }
  /// Converts a draw of bits() into the number that uniform() returns for it.
  static double uniform_of(std::uint64_t draw) noexcept { return static_cast<double>(draw >> 11) * 0x1p-53; }
  /// Uniform in {0, ..., count-1} without bias; count >= 1.
  std::uint64_t below(std::uint64_t count) noexcept;
  /// Standard normal.
  double normal() noexcept;

  /// Number of 64-bit draws taken so far.
  std::uint64_t position() const noexcept {
    return block_ * block_draws - static_cast<std::uint64_t>(block_draws - next_);
  }
  /// Continues as if `position` draws had been taken.
  void seek(std::uint64_t position) noexcept;

 private:
  void refill() noexcept;

  std::array<std::uint64_t, block_draws> buffer_{};
  std::array<std::uint64_t, 2> key_;
  std::array<std::uint64_t, 2> index_;
  std::uint64_t block_ = 0;  // blocks of block_draws made so far
  int next_ = block_draws;
};

/// One block of Philox4x64-10, for tests against the known answers.
std::array<std::uint64_t, 4> philox_block(std::array<std::uint64_t, 4> counter,
                                          std::array<std::uint64_t, 2> key) noexcept;

}  // namespace politex::inline base
