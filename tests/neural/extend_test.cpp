// A neural run that is extended has the bits of a run without the break.
#include <gtest/gtest.h>

#include "politex/env/cartpole_balance.hpp"
#include "politex/neural/neural_politex.hpp"

namespace politex::neural {
namespace {

NeuralPolitex small_agent(std::int64_t steps) {
  Settings s;
  s.steps = steps;
  s.hidden = {16};
  s.replay = 1000;
  s.n_step = 3;
  s.phase_steps = 30;
  s.learner.batch = 16;
  s.actors.environments = 5;
  return NeuralPolitex(s, blocks_of(CartpoleBalance(50), 1), nullptr);
}

TEST(Extend, EveryBreakGivesTheSameBits) {
  NeuralPolitex whole = small_agent(1700);
  while (!whole.done()) whole.advance();
  for (const std::int64_t cut : {1, 16, 17, 333, 480, 1699}) {
    NeuralPolitex parts = small_agent(cut);
    while (!parts.done()) parts.advance();
    ByteWriter saved;
    parts.save(saved);
    NeuralPolitex again = small_agent(cut);
    ByteReader from(saved.bytes());
    again.restore(from);
    EXPECT_TRUE(from.empty());
    for (NeuralPolitex* agent : {&parts, &again}) {
      agent->extend(1700);
      while (!agent->done()) agent->advance();
      EXPECT_EQ(agent->signature(), whole.signature()) << cut;
      EXPECT_EQ(agent->costs().all, whole.costs().all);
      EXPECT_EQ(agent->learner_steps(), whole.learner_steps());
    }
  }
  EXPECT_THROW(whole.extend(5), Error);
}

}  // namespace
}  // namespace politex::neural
