#include "politex/replay/replay.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "politex/base/rng.hpp"

namespace politex::neural {
namespace {

Window leading_to(const float& next) {
  static constexpr float start = 0.0F;
  return {.state = {&start, 1}, .next = {&next, 1}, .action = 0, .next_action = -1, .length = 1, .cost = 0.5F};
}

void fill(Replay& replay, int windows) {
  const float one = 1.0F;
  for (int i = 0; i < windows; ++i) replay.add(leading_to(static_cast<float>(i)), {&one, 1}, 1);
}

/// Here the policy of a state is its double; stale entries have none yet.
void expect_policies_of_their_states(const Batch& batch) {
  std::size_t stale = 0;
  for (std::size_t j = 0; j < batch.rows.size(); ++j) {
    if (stale < batch.stale.size() && batch.stale[stale] == static_cast<int>(j))
      ++stale;
    else
      EXPECT_EQ(batch.policies[j], 2 * batch.nexts[j]);
  }
}

TEST(Replay, IdleThreadsRefreshEveryStaleBlockOnceWhileTheLearnerRuns) {
  constexpr int capacity = 4096;
  Replay replay(capacity, {1}, 1);
  fill(replay, capacity + 300);
  replay.begin_phase();
  std::atomic<int> refreshed = 0;
  const auto help = [&] {
    for (std::int64_t block; (block = replay.take_block()) >= 0; replay.finish_block(block)) {
      const auto [first, last] = replay.rows_of(block);
      for (auto row = first; row < last; ++row) {
        float next = 0;
        replay.next_state(row, &next);
        const std::vector<float> policy = {2 * next};
        replay.set_policy(row, policy, 2);
        ++refreshed;
      }
    }
  };
  std::thread a(help), b(help);
  Batch batch;
  batch.resize(64, 1, 1);
  Rng rng(33);
  for (int i = 0; i < 1500; ++i) {  // the learner overwrites and reads meanwhile
    const auto f = static_cast<float>(10'000 + i);
    const std::vector<float> policy = {2 * f};
    replay.add(leading_to(f), policy, 2);
    for (auto& row : batch.rows) row = static_cast<std::uint32_t>(rng.below(capacity));
    replay.gather(batch, 2);
    expect_policies_of_their_states(batch);
  }
  a.join();
  b.join();
  EXPECT_LE(refreshed.load(), capacity - 256);
  // The learner has taken the blocks up to row 2047 for itself.
  for (std::uint32_t row = 2048; row < capacity; ++row) EXPECT_TRUE(replay.has_policy(row, 2)) << row;
}

TEST(Replay, WantedRowsAreRefreshedWhileTheLearnerWritesAndReads) {
  constexpr int capacity = 4096;
  Replay replay(capacity, {1}, 1);
  replay.expect(64);
  fill(replay, capacity + 300);
  replay.begin_phase();
  std::atomic<bool> stop = false;
  std::atomic<int> refreshed = 0;
  const auto help = [&] {
    Replay::Wanted wanted;
    while (!stop) {
      if (!replay.take_wanted(wanted, 2)) continue;
      for (const std::uint32_t row : wanted.rows) {
        float next = 0;
        replay.next_state(row, &next);
        const std::vector<float> policy = {2 * next};
        replay.set_policy(row, policy, 2);
        ++refreshed;
      }
      replay.give_back(wanted);
    }
  };
  std::thread a(help), b(help);
  Batch batch;
  batch.resize(64, 1, 1);
  Rng rng(34);
  for (int i = 0; i < 1500; ++i) {
    const auto f = static_cast<float>(10'000 + i);
    const std::vector<float> policy = {2 * f};
    replay.add(leading_to(f), policy, 2);
    for (auto& row : batch.rows) row = static_cast<std::uint32_t>(rng.below(capacity));
    replay.want(batch.rows);
    // Until somebody has helped, or never where every wanted row is fresh or in a block of the learner's.
    for (int patience = 0; i < 10 && refreshed == 0 && patience < 1'000'000; ++patience) std::this_thread::yield();
    replay.gather(batch, 2);
    expect_policies_of_their_states(batch);
  }
  stop = true;
  a.join();
  b.join();
  EXPECT_GT(refreshed, 0);
}

TEST(Replay, ABlockGivenBackToAWaitingLearnerIsTheLearners) {
  // The learner reaches a block while a helper refreshes a wanted row of it, and waits. When the helper gives the
  // block back, nobody may take it again: the learner writes it from now on. Wherever the learner comes too late to
  // wait, the same holds.
  constexpr int capacity = 2 * Replay::block_rows;
  Replay replay(capacity, {1}, 1);
  replay.expect(1);
  fill(replay, capacity);
  replay.begin_phase();
  const std::uint32_t row = 7;  // of the block that is written next
  replay.want({&row, 1});
  Replay::Wanted wanted;
  ASSERT_TRUE(replay.take_wanted(wanted, 2));
  std::thread learner([&] {
    const float next = 3.0F;
    replay.add(leading_to(next), {&next, 1}, 2);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  replay.give_back(wanted);
  learner.join();
  replay.want({&row, 1});
  EXPECT_FALSE(replay.take_wanted(wanted, 2));
}

}  // namespace
}  // namespace politex::neural
