#include "politex/replay/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <thread>

#include "politex/base/error.hpp"
#include "politex/base/saved.hpp"

// A row: state, next (as the store writes them), cost, packed action / next action / length, policy[actions], phase.
namespace politex::neural::inline replay {
namespace {

constexpr std::uint32_t no_action = 0xfff, no_value = 0xffe;  // in place of the next action

std::uint32_t packed(const Window& w) noexcept {
  const std::uint32_t next = w.terminal          ? no_value
                             : w.next_action < 0 ? no_action
                                                 : static_cast<std::uint32_t>(w.next_action);
  return static_cast<std::uint32_t>(w.action) | next << 12 | static_cast<std::uint32_t>(w.length) << 24;
}

std::int64_t checked_capacity(std::int64_t capacity) {
  if (capacity < 1 || capacity > 0xffff'ffffLL)
    throw ConfigError("replay.capacity", fmt::format("{}; accepted: 1 to 4294967295", capacity));
  return capacity;
}

// Policies and their stamps are written by several threads: always through these.
std::uint32_t peek(const std::uint32_t& word, std::memory_order order) noexcept {
  return std::atomic_ref<std::uint32_t>(const_cast<std::uint32_t&>(word)).load(order);
}
void poke(std::uint32_t& word, std::uint32_t value, std::memory_order order) noexcept {
  std::atomic_ref<std::uint32_t>(word).store(value, order);
}

}  // namespace

void Batch::resize(int batch, int inputs, int policy_actions) {
  const auto n = static_cast<std::size_t>(batch);
  states.resize(n * static_cast<std::size_t>(inputs));
  nexts.resize(states.size());
  policies.resize(n * static_cast<std::size_t>(policy_actions));
  costs.resize(n);
  weights.assign(n, 1.0F);
  actions.resize(n);
  next_actions.resize(n);
  lengths.resize(n);
  terminal.resize(n);
  rows.resize(n);
  stale.reserve(n);
}

Replay::Replay(std::int64_t capacity, const Observation& observation, int actions)
    : capacity_(checked_capacity(capacity)),
      store_(observation, capacity),
      inputs_(static_cast<std::size_t>(observation.inputs)),
      actions_(static_cast<std::size_t>(actions)) {
  if (actions >= static_cast<int>(no_value))
    throw ConfigError("environment", "too many actions; the replay accepts at most 4093");
  stride_ = 2 * store_.words() + 2 + actions_ + 1;
  block_count_ = (capacity + block_rows - 1) / block_rows;
  try {
    words_.resize(static_cast<std::size_t>(capacity) * stride_);
    blocks_ = std::make_unique<std::atomic<BlockState>[]>(static_cast<std::size_t>(block_count_));
  } catch (const std::bad_alloc&) {
    throw ConfigError("replay.capacity",
                      fmt::format("{} windows need {} MB, more than is free; accepted: fewer", capacity,
                                  static_cast<std::size_t>(capacity) * stride_ * 4 / 1'000'000));
  }
  for (std::int64_t b = 0; b < block_count_; ++b) blocks_[static_cast<std::size_t>(b)] = BlockState::done;
}

// Until it is done: a helper that gives a block back leaves it stale, and another could take it.
void Replay::own(std::uint32_t row) noexcept {
  auto& block = blocks_[row / block_rows];
  for (auto seen = BlockState::stale; !block.compare_exchange_strong(seen, BlockState::done, std::memory_order_acquire);
       seen = BlockState::stale) {
    if (seen == BlockState::done) return;
    std::this_thread::yield();
  }
}

std::uint32_t Replay::add(const Window& window, std::span<const float> policy, std::uint32_t phase) {
  const auto row = static_cast<std::uint32_t>(added_ % capacity_);
  if (row % block_rows == 0) own(row);
  std::uint32_t* words = &words_[at(row)];
  const std::size_t width = store_.words();
  if (added_ >= capacity_) {
    store_.drop(words);
    store_.drop(words + width);
  }
  store_.put(window.state, words);
  store_.put(window.next, words + width);
  words[2 * width] = std::bit_cast<std::uint32_t>(window.cost);
  words[2 * width + 1] = packed(window);
  set_policy(row, policy, phase);
  ++added_;
  size_ = std::min(size_ + 1, capacity_);
  return row;
}

void Replay::set_policy(std::uint32_t row, std::span<const float> policy, std::uint32_t phase) noexcept {
  std::uint32_t* words = &words_[at(row) + 2 * store_.words() + 2];
  for (std::size_t a = 0; a < actions_; ++a)
    poke(words[a], std::bit_cast<std::uint32_t>(policy[a]), std::memory_order_relaxed);
  poke(words[actions_], phase, std::memory_order_release);
}

bool Replay::has_policy(std::uint32_t row, std::uint32_t phase) const noexcept {
  return peek(words_[at(row) + stride_ - 1], std::memory_order_acquire) == phase;
}

void Replay::next_state(std::uint32_t row, float* into) const noexcept {
  store_.get(&words_[at(row) + store_.words()], into);
}

void Replay::gather(Batch& batch, std::uint32_t phase) const {
  batch.stale.clear();
  const std::size_t width = store_.words();
  for (std::size_t i = 0; i < batch.rows.size(); ++i) {
    const std::uint32_t* words = &words_[at(batch.rows[i])];
    store_.get(words, &batch.states[i * inputs_]);
    store_.get(words + width, &batch.nexts[i * inputs_]);
    batch.costs[i] = std::bit_cast<float>(words[2 * width]);
    const std::uint32_t pack = words[2 * width + 1];
    batch.actions[i] = static_cast<int>(pack & no_action);
    const std::uint32_t next = pack >> 12 & no_action;
    batch.next_actions[i] = next >= no_value ? -1 : static_cast<int>(next);
    batch.terminal[i] = static_cast<std::uint8_t>(next == no_value);
    batch.lengths[i] = static_cast<int>(pack >> 24);
    if (!has_policy(batch.rows[i], phase)) {
      batch.stale.push_back(static_cast<int>(i));
      continue;
    }
    for (std::size_t a = 0; a < actions_; ++a)
      batch.policies[i * actions_ + a] =
          std::bit_cast<float>(peek(words[2 * width + 2 + a], std::memory_order_relaxed));
  }
}

void Replay::gather(MoveBatch& batch) const {
  const std::size_t width = store_.words();
  for (std::size_t i = 0; i < batch.rows.size(); ++i) {
    const std::uint32_t* words = &words_[at(batch.rows[i])];
    store_.get(words, &batch.states[i * inputs_]);
    store_.get(words + width, &batch.nexts[i * inputs_]);
    const std::uint32_t pack = words[2 * width + 1];
    batch.actions[i] = static_cast<int>(pack & no_action);
    batch.terminal[i] = static_cast<std::uint8_t>((pack >> 12 & no_action) == no_value);
    batch.lengths[i] = static_cast<int>(pack >> 24);
  }
}

void Replay::begin_phase() {
  const std::int64_t used = (size_ + block_rows - 1) / block_rows;
  for (std::int64_t b = 0; b < used; ++b)
    blocks_[static_cast<std::size_t>(b)].store(BlockState::stale, std::memory_order_relaxed);
  // The block that the learner writes next is never handed out in the middle.
  newest_block_ = size_ == 0 ? 0 : (added_ - 1) % capacity_ / block_rows;
  if (used > 0) blocks_[static_cast<std::size_t>(newest_block_)].store(BlockState::done, std::memory_order_relaxed);
  size_at_phase_ = size_;
  in_line_.store(0, std::memory_order_relaxed);
}

std::int64_t Replay::take_block() noexcept {
  const std::int64_t used = (size_at_phase_ + block_rows - 1) / block_rows;
  while (true) {
    const std::int64_t turn = in_line_.fetch_add(1, std::memory_order_relaxed);
    if (turn >= used) return -1;
    const std::int64_t block = ((newest_block_ - turn) % used + used) % used;
    auto stale = BlockState::stale;
    if (blocks_[static_cast<std::size_t>(block)].compare_exchange_strong(stale, BlockState::taken,
                                                                         std::memory_order_acquire))
      return block;
  }
}

std::pair<std::uint32_t, std::uint32_t> Replay::rows_of(std::int64_t block) const noexcept {
  return {static_cast<std::uint32_t>(block * block_rows),
          static_cast<std::uint32_t>(std::min((block + 1) * block_rows, size_at_phase_))};
}

void Replay::finish_block(std::int64_t block) noexcept {
  blocks_[static_cast<std::size_t>(block)].store(BlockState::done, std::memory_order_release);
}

void Replay::expect(std::size_t count) {
  wanted_ = std::make_unique<std::atomic<std::uint32_t>[]>(count);
  wanted_count_ = count;
  wanted_taken_.store(count, std::memory_order_relaxed);
}

void Replay::want(std::span<const std::uint32_t> rows) noexcept {
  wanted_taken_.store(wanted_count_, std::memory_order_relaxed);
  for (std::size_t i = 0; i < wanted_count_; ++i) wanted_[i].store(rows[i], std::memory_order_relaxed);
  wanted_taken_.store(0, std::memory_order_release);
}

bool Replay::take_wanted(Wanted& wanted, std::uint32_t phase) {
  constexpr std::size_t at_once = 8;  // few enough to be done when the learner needs them
  wanted.rows.clear();
  wanted.blocks.clear();
  wanted.rows.reserve(at_once);  // nothing may throw while a block is taken
  wanted.blocks.reserve(at_once);
  while (wanted.rows.size() < at_once && wanted_taken_.load(std::memory_order_relaxed) < wanted_count_) {
    const std::size_t turn = wanted_taken_.fetch_add(1, std::memory_order_acquire);
    if (turn >= wanted_count_) break;
    const std::uint32_t row = wanted_[turn].load(std::memory_order_relaxed);
    if (has_policy(row, phase)) continue;
    const auto block = static_cast<std::uint32_t>(row / block_rows);
    if (std::ranges::find(wanted.blocks, block) == wanted.blocks.end()) {
      // A block that is done is the learner's to write, or fresh.
      auto stale = BlockState::stale;
      if (!blocks_[block].compare_exchange_strong(stale, BlockState::taken, std::memory_order_acquire)) continue;
      wanted.blocks.push_back(block);
    }
    wanted.rows.push_back(row);
  }
  return !wanted.rows.empty();
}

void Replay::give_back(const Wanted& wanted) noexcept {
  for (const std::uint32_t block : wanted.blocks) blocks_[block].store(BlockState::stale, std::memory_order_release);
}

void Replay::save(ByteWriter& to) const {
  to.put(size_);
  to.put(added_);
  // The policies are left out: a quarter of the bytes, and a pure function of the ring.
  const std::size_t kept = stride_ - actions_ - 1;
  std::vector<std::uint32_t> rows(static_cast<std::size_t>(size_) * kept);
  for (std::size_t r = 0; r < static_cast<std::size_t>(size_); ++r)
    std::memcpy(&rows[r * kept], &words_[r * stride_], kept * sizeof(std::uint32_t));
  to.put(rows);
  store_.save(to);
}

void Replay::restore(ByteReader& from) {
  std::int64_t size = 0, added = 0;
  std::vector<std::uint32_t> rows;
  from.get(size);
  from.get(added);
  from.get(rows);
  const std::size_t kept = stride_ - actions_ - 1;
  check_saved(added >= 0 && added <= ByteReader::most && size == std::min(added, capacity_) &&
                  rows.size() == static_cast<std::size_t>(size) * kept,
              "the size of the replay");
  const std::size_t width = store_.words();
  for (std::size_t at = 0; at < rows.size(); at += kept) {
    const std::uint32_t pack = rows[at + 2 * width + 1], next = pack >> 12 & no_action;
    check_saved((pack & no_action) < actions_ && (next >= no_value || next < actions_) && pack >> 24 >= 1,
                "actions of the replay");
    check_saved(std::isfinite(std::bit_cast<float>(rows[at + 2 * width])), "costs of the replay");
  }
  store_.restore(from, rows, kept);
  size_ = size;
  added_ = added;
  std::ranges::fill(words_, 0);  // phases are counted from 1: every policy is stale
  for (std::size_t r = 0; r < static_cast<std::size_t>(size_); ++r)
    std::memcpy(&words_[r * stride_], &rows[r * kept], kept * sizeof(std::uint32_t));
  begin_phase();
}

}  // namespace politex::neural::inline replay
