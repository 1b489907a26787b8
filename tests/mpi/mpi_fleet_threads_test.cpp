// The fleet over MPI, with ranks that are threads (fake/mpi.h): messages arrive, and if a rank dies at any of its
// messages, no other rank waits for ever.
#include "politex/mpi/mpi_fleet.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "mpi/fake/fabric.hpp"

namespace politex {
namespace {

constexpr int ranks = 3;

struct Ended {
  std::array<int, ranks> lost{}, done{};
};

/// What sweeps and neural runs do with a fleet: agree, share a counter, stream blocks for credits, collect results.
void work(Fleet& fleet) {
  together(&fleet, [] {});
  require_same(&fleet, "plan", "the same");
  if (fleet.rank() == 0) fleet.fetch_add(0, -fleet.fetch_add(0, 0));
  const Bytes order = fleet.broadcast(fleet.rank() == 0 ? to_bytes("an order") : Bytes{});
  EXPECT_EQ(to_text(order), "an order");
  while (fleet.fetch_add(0, 1) < 4) {
  }
  constexpr int blocks = 3;
  if (fleet.rank() != 0) {
    for (int i = 0; i < blocks; ++i) {
      fleet.send(0, blocks_channel, to_bytes(std::to_string(i)));
      EXPECT_EQ(to_text(fleet.receive(credits_channel).bytes), "credit");
    }
    fleet.send(0, results_channel, to_bytes("done"));
    EXPECT_EQ(to_text(fleet.broadcast({})), "end");
    return;
  }
  std::array<int, ranks> next{};
  for (int i = 0; i < blocks * (ranks - 1); ++i) {
    const Fleet::Message block = fleet.receive(blocks_channel);
    EXPECT_EQ(to_text(block.bytes), std::to_string(next[static_cast<std::size_t>(block.from)]++));
    fleet.send(block.from, credits_channel, to_bytes("credit"));
  }
  for (int rank = 1; rank < ranks; ++rank) EXPECT_EQ(to_text(fleet.receive(results_channel).bytes), "done");
  fleet.broadcast(to_bytes("end"));
}

Ended run(int dies = -1, int at = 0) {
  std::atomic<int> stop = 0;  // the launcher signals the other ranks when one has died
  fake_mpi::begin_job(ranks, dies, at, [&stop] { stop = 15; });
  Ended ended;
  std::vector<std::thread> threads;
  for (int i = 0; i < ranks; ++i)
    threads.emplace_back([&ended, &stop] {
      const auto fleet = mpi::make_mpi_fleet();
      const auto rank = static_cast<std::size_t>(fleet->rank());
      fleet->watch(&stop);
      try {
        work(*fleet);
        ended.done[rank] = 1;
      } catch (const LostRank&) {
        ended.lost[rank] = 1;
      }
    });
  for (std::thread& thread : threads) thread.join();
  return ended;
}

TEST(MpiFleet, RanksWorkTogether) {
  for (int i = 0; i < 5; ++i) EXPECT_EQ(run().done, (std::array{1, 1, 1}));
}

TEST(MpiFleet, ARankThatDiesAtAnyMessageIsNoticed) {
  for (const int dies : {0, 1}) {
    int at = 0;
    for (bool died = true; died; at += 3) {
      const Ended ended = run(dies, at);
      died = fake_mpi::messages(dies) > at;
      for (std::size_t rank = 0; rank < ranks; ++rank)
        EXPECT_EQ(ended.lost[rank] + ended.done[rank], 1) << "rank " << dies << " died at message " << at;
      EXPECT_TRUE(died || ended.done == (std::array{1, 1, 1}));
    }
    EXPECT_GT(at, 9) << "there are more messages";
  }
}

}  // namespace
}  // namespace politex
