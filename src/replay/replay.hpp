// Replay memory: one row of 32-bit words per n-step window, so that a sample of cartpole costs one cache line. Rows
// also keep the policy at the state they bootstrap from, stamped with the phase for which it was computed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/network/lanes.hpp"
#include "politex/replay/moves.hpp"
#include "politex/replay/observation_store.hpp"

namespace politex::neural::inline replay {

/// An n-step window: from `state`, `action`, then `length` costs, to the state it bootstraps from.
struct Window {
  std::span<const float> state, next;
  int action = 0;
  int next_action = -1;   // the action taken at `next` by the same policy; -1: none
  int length = 1;         // costs in the sum, 1 to 255
  bool terminal = false;  // it does not bootstrap: `next` is any state, next_action none
  float cost = 0.0F;      // their discounted sum
};

/// What the learner reads, row after row.
struct Batch {
  Floats states, nexts, policies;
  std::vector<float> costs, weights;
  std::vector<int> actions, next_actions, lengths;
  std::vector<std::uint8_t> terminal;
  std::vector<std::uint32_t> rows;
  std::vector<int> stale;  // entries whose policy is of an older phase

  void resize(int batch, int inputs, int policy_actions);
};

class Replay {
 public:
  /// Throws ConfigError when the rows would not fit in memory or a size is out of range.
  Replay(std::int64_t capacity, const Observation& observation, int actions);

  std::int64_t capacity() const noexcept { return capacity_; }
  int actions() const noexcept { return static_cast<int>(actions_); }
  std::int64_t size() const noexcept { return size_; }
  /// Distinct frames held, where observations are pictures.
  std::int64_t frames() const noexcept { return store_.frames(); }
  /// Windows added since the beginning.
  std::int64_t added() const noexcept { return added_; }

  /// Returns the row written, the oldest one when full. `policy` is that of `phase` at window.next.
  std::uint32_t add(const Window& window, std::span<const float> policy, std::uint32_t phase);

  /// Copies the rows of batch.rows into the batch; lists the entries whose policy is not of `phase` as stale.
  void gather(Batch& batch, std::uint32_t phase) const;
  /// Fills the batch with the windows of its rows, without their costs.
  void gather(MoveBatch& batch) const;
  void prefetch(std::uint32_t row) const noexcept { __builtin_prefetch(&words_[at(row)]); }

  /// Keeps a policy computed for a stale row. Any thread may call it while others gather: all of them would write the
  /// same bits.
  void set_policy(std::uint32_t row, std::span<const float> policy, std::uint32_t phase) noexcept;
  void next_state(std::uint32_t row, float* into) const noexcept;
  bool has_policy(std::uint32_t row, std::uint32_t phase) const noexcept;

  /// Refreshing whole blocks of stale policies on idle threads, while the learner adds and gathers. A block is
  /// taken by one thread only, and the learner waits for it before it overwrites a row of it.
  static constexpr std::int64_t block_rows = 256;
  /// All rows become stale; the newest blocks are refreshed first. Only while no other thread works.
  void begin_phase();
  /// The next block to refresh, or -1.
  std::int64_t take_block() noexcept;
  void finish_block(std::int64_t block) noexcept;
  /// The learner will read these rows next: they are refreshed before whole blocks are. As many as passed to expect().
  void expect(std::size_t count);
  void want(std::span<const std::uint32_t> rows) noexcept;
  /// Wanted rows that are stale, and the blocks that are taken for them.
  struct Wanted {
    std::vector<std::uint32_t> rows;
    std::vector<std::uint32_t> blocks;
  };
  /// False if there are none. Every call needs its give_back().
  bool take_wanted(Wanted& wanted, std::uint32_t phase);
  void give_back(const Wanted& wanted) noexcept;
  /// Rows of a block that hold windows: [first, last).
  std::pair<std::uint32_t, std::uint32_t> rows_of(std::int64_t block) const noexcept;

  /// Everything but the policies, which are pure functions of the ring and are computed again.
  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  enum class BlockState : std::uint8_t { stale, taken, done };

  std::size_t at(std::uint32_t row) const noexcept { return static_cast<std::size_t>(row) * stride_; }
  void own(std::uint32_t row) noexcept;

  std::int64_t capacity_, size_ = 0, added_ = 0;
  ObservationStore store_;
  std::size_t inputs_, actions_, stride_;
  std::vector<std::uint32_t, CacheAligned<std::uint32_t>> words_;
  std::unique_ptr<std::atomic<BlockState>[]> blocks_;
  std::int64_t block_count_, newest_block_ = 0;
  std::int64_t size_at_phase_ = 0;         // rows when the phase began: size_ moves while other threads read
  std::atomic<std::int64_t> in_line_ = 0;  // blocks handed out so far in this phase
  // A thread may see rows of two lists at once: it holds the block of every row that it refreshes.
  std::unique_ptr<std::atomic<std::uint32_t>[]> wanted_;
  std::size_t wanted_count_ = 0;
  alignas(64) std::atomic<std::size_t> wanted_taken_ = 0;
};

}  // namespace politex::neural::inline replay
