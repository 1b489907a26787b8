// Who owns a block of the replay, in every order of the learner's and two helpers' steps.
#include "politex/replay/replay.hpp"

#include <array>
#include <new>

#include "interleaved/explore.hpp"
#include "politex/neural/policy_refresh.hpp"

namespace politex::neural {
namespace {

using interleaved::expect_found;
using interleaved::expect_no_problem;
using interleaved::mixed;
using interleaved::schedule;

constexpr std::uint32_t phase = 2;

Window leading_to(const float& next) {
  static constexpr float start = 0.0F;
  return {.state = {&start, 1}, .next = {&next, 1}, .action = 0, .next_action = -1, .length = 1, .cost = 0.5F};
}

/// A replay with its learner and helpers. The policy of a state is its double.
struct Shared {
  Shared(int blocks, std::size_t wanted) : replay(blocks * Replay::block_rows, {1}, 1) {
    replay.expect(wanted);
    for (int i = 0; i < replay.capacity(); ++i) add(static_cast<float>(i + 1), 1);
    holders = writes = {};
    replay.begin_phase();
    schedule().state = [this] {
      std::uint64_t all = 0;
      for (std::size_t b = 0; b < holders.size(); ++b) all = mixed(mixed(all, holders[b]), writes[b]);
      return all;
    };
  }

  void add(float next, std::uint32_t of) {
    const float policy = of == phase ? 2 * next : 3 * next;
    const std::uint32_t row = replay.add(leading_to(next), {&policy, 1}, of);
    const std::size_t block = row / Replay::block_rows;
    schedule().require(holders[block] == 0, "the learner has written into a block that a helper holds");
    ++writes[block];
  }
  void gather(std::initializer_list<std::uint32_t> rows) {
    Batch batch;
    batch.resize(static_cast<int>(rows.size()), 1, 1);
    batch.rows = rows;
    replay.gather(batch, phase);
    std::size_t stale = 0;
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      if (stale < batch.stale.size() && batch.stale[stale] == static_cast<int>(i))
        ++stale;
      else
        schedule().require(batch.policies[i] == 2 * batch.nexts[i], "a policy that is not of its state was gathered");
    }
  }

  void hold(std::size_t block) {
    schedule().require(holders[block] == 0, "two helpers hold one block");
    schedule().require(writes[block] == 0, "a helper holds a block that the learner has written");
    ++holders[block];
  }
  void let_go(std::size_t block) { --holders[block]; }
  void refresh(std::uint32_t row) {
    float next = 0;
    replay.next_state(row, &next);
    schedule().has_read(static_cast<std::uint64_t>(next));
    const float policy = 2 * next;
    replay.set_policy(row, {&policy, 1}, phase);
  }
  void help_with_wanted() {
    Replay::Wanted wanted;
    if (replay.take_wanted(wanted, phase)) {
      for (const std::uint32_t block : wanted.blocks) hold(block);
      for (const std::uint32_t row : wanted.rows) refresh(row);
    }
    for (const std::uint32_t block : wanted.blocks) let_go(block);
    replay.give_back(wanted);
  }
  void help_with_a_block() {
    const std::int64_t block = replay.take_block();
    if (block < 0) return;
    hold(static_cast<std::size_t>(block));
    const auto [first, last] = replay.rows_of(block);
    for (std::uint32_t row = first; row < last; ++row)
      if (!replay.has_policy(row, phase)) refresh(row);
    let_go(static_cast<std::size_t>(block));
    replay.finish_block(block);
  }

  Replay replay;
  std::array<std::uint64_t, 4> holders{}, writes{};  // by block; writes in this phase
};

/// The learner wraps around: it writes the block that is oldest, while helpers want its rows.
void wanted_rows() {
  Shared all(2, 1);
  interleaved::thread a([&] {
    all.help_with_wanted();
    all.help_with_wanted();
  });
  interleaved::thread b([&] { all.help_with_wanted(); });
  all.replay.want(std::array<std::uint32_t, 1>{1});
  all.gather({1});
  all.add(10.0F, phase);
  all.replay.want(std::array<std::uint32_t, 1>{0});
  all.add(11.0F, phase);
  all.gather({0, 1});
  a.join();
  b.join();
}

/// One helper takes whole blocks, the other wanted rows of them.
void blocks_and_wanted_rows() {
  Shared all(3, 2);
  interleaved::thread a([&] {
    all.help_with_a_block();
    all.help_with_a_block();
  });
  interleaved::thread b([&] {
    all.help_with_wanted();
    all.help_with_a_block();
  });
  all.replay.want(std::array<std::uint32_t, 2>{2, 0});
  all.add(10.0F, phase);
  all.gather({0, 2});
  a.join();
  b.join();
  // Every thread is quiet: a new phase begins.
  all.replay.begin_phase();
  for (std::uint32_t row = 0; row < 6; ++row)
    schedule().require(!all.replay.has_policy(row, phase + 1), "a policy of the next phase");
}

/// The helpers take all blocks, the newest one excepted: the learner writes in it without asking.
void blocks_while_the_newest_is_written() {
  Shared all(2, 1);
  all.add(9.0F, phase);  // the first row of a block; the second one is the learner's next
  all.writes = {};
  all.replay.begin_phase();
  interleaved::thread a([&] { all.help_with_a_block(); });
  interleaved::thread b([&] { all.help_with_a_block(); });
  all.add(10.0F, phase);
  all.gather({0, 1, 2});
  all.add(11.0F, phase);
  all.gather({1, 2, 3});
  a.join();
  b.join();
}

/// A helper has no memory while it holds a block that the learner writes next.
void helper_that_throws(bool whole_block) {
  Shared all(2, 1);
  const RingPolicy policy(1, {});
  PolicyRefresh refresh(1, 1);
  refresh.begin(&policy, &all.replay, phase);
  interleaved::thread a([&] {
    PolicyRefresh::Workspace workspace;
    try {
      whole_block ? refresh.block(workspace) : refresh.wanted(workspace);
    } catch (const std::bad_alloc&) {
      schedule().has_read(1);
    }
  });
  all.replay.want(std::array<std::uint32_t, 1>{1});
  all.add(10.0F, phase);
  all.add(11.0F, phase);
  a.join();
}

TEST(InterleavedReplay, AHelperThatThrowsDoesNotKeepItsBlocks) {
  for (const bool whole_block : {false, true})
    expect_no_problem(
        "replay, a helper throws", [whole_block] { helper_that_throws(whole_block); }, "no_memory");
}

TEST(InterleavedReplay, NoOrderGivesABlockTwoOwnersOrAStateAnotherPolicy) {
  expect_no_problem("replay, wanted rows", wanted_rows);
  expect_no_problem("replay, blocks and wanted rows", blocks_and_wanted_rows);
  expect_no_problem("replay, blocks", blocks_while_the_newest_is_written);
}

TEST(InterleavedReplay, MistakesAreFound) {
  expect_found("own_leaves_the_block_stale", wanted_rows);
  expect_found("learner_does_not_wait_for_a_helper", wanted_rows);
  expect_found("learner_writes_without_owning", wanted_rows);
  expect_found("wanted_block_is_not_taken", wanted_rows);
  expect_found("block_is_taken_in_two_steps", blocks_and_wanted_rows);
  expect_found("newest_block_is_handed_out", blocks_while_the_newest_is_written);
  expect_found("stamp_before_its_policy", wanted_rows);
}

}  // namespace
}  // namespace politex::neural
