#include "politex/neural/episode_ledger.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "politex/base/error.hpp"

namespace politex::neural {
namespace {

Transition moved(float cost, bool exploring, bool truncated = false) {
  Transition t;
  t.cost = cost;
  t.score = -cost;
  t.exploring = exploring;
  t.truncated = truncated;
  return t;
}

TEST(EpisodeLedger, CostsAreCountedByWhoActedAndOverTheLastTenth) {
  EpisodeLedger ledger(25, 1);
  for (int t = 0; t < 25; ++t) ledger.add(t, moved(static_cast<float>(t), t % 5 == 0));
  EXPECT_EQ(ledger.costs().all, 300.0);
  EXPECT_EQ(ledger.costs().explorer, 50.0);
  EXPECT_EQ(ledger.costs().policy, 250.0);
  EXPECT_EQ(ledger.costs().explorer_steps, 5);
  EXPECT_EQ(ledger.costs().last_tenth_steps, 3);
  EXPECT_EQ(ledger.costs().last_tenth, 22.0 + 23.0 + 24.0);
  EXPECT_EQ(ledger.costs().mean(), 12.0);
}

TEST(EpisodeLedger, EpisodesBelongToTheirEnvironmentAndPlayer) {
  using Player = Episode::Player;
  EpisodeLedger ledger(100, 3);
  for (int t = 0; t < 12; ++t)  // environment 0 is the policy's, 1 the explorer's, 2 is shared
    ledger.add(t, moved(1.0F, t % 3 == 1 || t == 5, t >= 9));
  ASSERT_EQ(ledger.episodes().size(), 3U);
  const Player players[] = {Player::policy, Player::explorer, Player::both};
  for (std::size_t e = 0; e < 3; ++e) {
    EXPECT_EQ(ledger.episodes()[e].by, players[e]);
    EXPECT_EQ(ledger.episodes()[e].reward, -4.0);
    EXPECT_EQ(ledger.episodes()[e].step, static_cast<std::int64_t>(10 + e));
  }
}

TEST(EpisodeLedger, TheLastTenthOfAnExtendedRunIsKnownIfItBeginsLater) {
  EpisodeLedger ledger(10, 1);
  for (int t = 0; t < 10; ++t) ledger.add(t, moved(1.0F, false));
  ledger.extend(20, 10);
  for (int t = 10; t < 20; ++t) ledger.add(t, moved(2.0F, false));
  EXPECT_EQ(ledger.costs().last_tenth, 4.0);
  ledger.extend(21, 20);
  EXPECT_TRUE(std::isnan(ledger.costs().last_tenth));
}

TEST(EpisodeLedger, RefusesTheEpisodesOfAnotherNumberOfEnvironments) {
  EpisodeLedger three(100, 3), two(100, 2);
  ByteWriter saved;
  three.save_running(saved);
  ByteReader from(saved.bytes());
  EXPECT_THROW(two.restore_running(from), Error);
}

}  // namespace
}  // namespace politex::neural
