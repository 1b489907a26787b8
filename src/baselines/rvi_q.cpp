#include "politex/baselines/rvi_q.hpp"

#include <utility>

#include "politex/baselines/step_collector.hpp"

namespace politex::inline baselines {

void RviQ::save(ByteWriter& to) const {
  q_.save(to);
  to.put(sum_);
  to.put(reference_state_);
  to.put(reference_action_);
}

void RviQ::restore(ByteReader& from) {
  q_.restore(from);
  from.get_finite(sum_, "the sum of values");
  from.get_within(reference_state_, -1, q_.states() - 1, "the reference pair");
  from.get_within(reference_action_, 0, q_.actions() - 1, "the reference pair");
}

namespace {

Keys rvi_q_keys() {
  using O = RviQOptions;
  return Keys{key<&O::alpha>("algorithm.step_size", "step size of Q", number_above(0, 1)),
              key<&O::epsilon>("algorithm.epsilon", "probability of a uniformly random action", number(0, 1)),
              key<&O::reference>(
                  "algorithm.reference", "f(Q), which estimates the average cost",
                  word({{"mean", "the mean of all values"}, {"pair", "the value of the first pair of the run"}}))} +
         block_keys();
}

}  // namespace

const LearnerEntry& rvi_q_entry() {
  static const LearnerEntry entry{.name = "rvi_q",
                                  .help = "RVI Q-learning (Abounadi, Bertsekas, Borkar 2001), epsilon-greedy, tabular",
                                  .keys = rvi_q_keys(),
                                  .presets = block_presets(),
                                  .check = check_blocks,
                                  .play = [](const Values& values, StepParts&& parts) {
                                    RviQ learner(table_states(parts, rvi_q_entry()), parts.actions,
                                                 read<RviQOptions>(rvi_q_keys(), values));
                                    return make_step_collector(std::move(parts), std::move(learner));
                                  }};
  return entry;
}

}  // namespace politex::inline baselines
