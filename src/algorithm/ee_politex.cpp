// Algorithm 1 (EE-Politex) of "Exploration-Enhanced Politex". The paper's box, and where its lines are:
//
//   Politex(initial state x_0, exploration policy pi_e, length T)
//     n = m = T^(2/5), s' = log T, s = T^(1/5) - s'                        schedule.cpp, theory()
//     Q_0(x, a) = 0 for all x, a                                           politex_learner.cpp, the constructor
//     for i := 1, 2, ..., n                                                phase_loop.cpp, advance()
//       Set pi_i(a|x) proportional to exp(-eta sum_{k<i} Q_k(x, a))        below; the rule: policy/rule.hpp
//       Z_i = CollectData(pi_i, pi_e, m, s, s')                            below
//       Compute Q_i from Z_i                                               below; least squares: value/lsmc.cpp
//
//   CollectData(pi, pi_e, m, s, s')                                        collect_data.hpp, for_each_segment()
//     for j := 1, 2, ..., m
//       Execute pi_e for s' steps and observe x_j
//       Take a uniformly random action a_j and observe x'_j
//       Execute pi from x'_j for s steps and obtain the trajectory R_j
//     Return Z = {(x_1, a_1, R_1), ..., (x_m, a_m, R_m)}                   value/phase.hpp, Phase
//
// The environment is never reset: a phase starts in the state where the last one ended. Other learners (RLSVI, LSPI)
// run in the same loop; they differ in rule() and learn().
#include "politex/algorithm/ee_politex.hpp"

namespace politex::inline algorithm {

Phase play_phase(Collector& collector, Learner& learner, const Part& part) {
  collector.follow(learner.rule(), learner.weights());  // pi_i: for linear Q, sum of Q_k is one weight vector
  const Phase z = collector.collect(part);              // Z_i = CollectData(pi_i, pi_e, m, s, s')
  if (is_whole(z)) learner.learn(z);                    // Q_i from Z_i is added to the sum
  return z;
}

}  // namespace politex::inline algorithm
