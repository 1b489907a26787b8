// The interface of linear learners: from the data of a phase to the policy of the next one. Called once per phase,
// never per step.
#pragma once

#include <memory>
#include <span>

#include "politex/base/bytes.hpp"
#include "politex/features/cell_tree.hpp"
#include "politex/policy/rule.hpp"
#include "politex/solvers/solver_options.hpp"
#include "politex/value/phase.hpp"

namespace politex::inline algorithm {

class Learner {
 public:
  virtual ~Learner() = default;
  /// Learns from a whole phase that was played with the current policy.
  virtual void learn(const Phase& phase) = 0;
  /// The policy of the next phase is rule() applied to psi(x, .) . weights().
  virtual std::span<const double> weights() const = 0;
  virtual Rule rule() const = 0;
  /// The weights of the newest single estimate (for Politex the last Q, not the sum).
  virtual std::span<const double> newest() const { return weights(); }
  /// How the newest equations were solved; nullptr: not as algorithm.solver says, which this learner does not have.
  virtual const Solved* solved() const { return nullptr; }
  /// Whether its values are right where the target policy takes possible actions only. Otherwise every action is tried,
  /// a masked one as another name of a possible one.
  virtual bool knows_masks() const { return false; }
  /// Forgets everything (doubling schedule); `phases` is the new n.
  virtual void restart(double phases) = 0;
  virtual void save(ByteWriter& to) const = 0;
  virtual void restore(ByteReader& from) = 0;
};

/// What a linear learner is made from, besides its own options.
struct LearnerParts {
  FeatureStructure structure;
  Features start;                    // features of the first state, one row per action (or one, replicated)
  const Features* finite = nullptr;  // features of all states of a finite environment
  int actions = 0;
  int cells = 0;                   // states or cells, where the features are their indicators; else 0
  std::shared_ptr<CellTree> tree;  // where the features have one: it is the learner's to refine
  int size = 0;                    // the N of lengths
  double phases = 0.0;             // n, which the theorem's step size depends on
  Lengths lengths;                 // of the first phase
  bool explores = false;
  bool masked = false;  // some actions are impossible in some states
  std::uint64_t seed = 1;
  std::vector<std::uint8_t> possible;  // flags of the first state; empty: phases never say which actions are possible
};

}  // namespace politex::inline algorithm
