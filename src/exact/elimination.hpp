// State elimination without subtractions (Grassmann, Taksar, Heyman). It works on periodic and multichain chains and
// keeps relative accuracy on nearly decomposable ones. The elimination order and the fill-in depend only on the
// sparsity pattern, so they are planned once.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "politex/base/sparse_rows.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/real.hpp"

namespace politex::exact {

/// An elimination order and its fill-in, in terms of ranks (positions in the order), not states.
struct Plan {
  std::vector<int> state;  // rank -> state
  std::vector<int> rank;   // state -> rank
  std::vector<std::int64_t> lower_first, upper_first;
  std::vector<std::int32_t> lower, upper;  // row by row, ascending; the diagonal belongs to neither
  double work = 0.0;                       // multiplications that the elimination takes
};

/// Eliminates the state with the smallest product of in- and out-degree first, ties by index, and the states in `last`
/// after all others. Empty if the elimination is predicted to take more than `most_work` multiplications. Throws Error
/// if the fill-in would not fit in memory.
Plan plan_elimination(const SparseRows& pattern, std::span<const int> last = {},
                      double most_work = std::numeric_limits<double>::infinity());

/// I - P as a product of triangular factors that hold probabilities. A state is closed if it belongs to a recurrent
/// class (and the chain does not teleport), open otherwise; moves of an open state to closed ones, and teleporting, are
/// its leak. `Real` is double; long double where products of probabilities underflow double; Quad where costs cancel.
template <class Real>
class Elimination {
 public:
  /// Returns -1, or the state at which a product of probabilities underflowed Real and changed the result, or (double)
  /// may have changed it. `moves` has the entries of chain.rows in this arithmetic. Plan and chain must outlive this
  /// object.
  int factor(const Plan& plan, const Chain& chain, std::span<const Real> moves, const Classes& classes);

  /// The state of a class that is eliminated last.
  int last_state(int of_class) const noexcept { return plan_->state[last_[of_class]]; }

  /// Solves (I - P) x = right over the closed states (x = 0 at the last state of each class) or over the open ones
  /// (closed states are absorbing). Both vectors are by state; entries of the other states do not change.
  void solve(bool closed, std::span<const Real> right, std::span<Real> x) const;

  /// Row vector v with v (I - P) = from over the open states: expected visits before the leak.
  void open_visits(std::span<const Real> from, std::span<Real> v) const;

  /// The stationary distribution of every recurrent class; 0 at open states. Returns false if it underflows Real.
  bool class_distributions(std::span<Real> distribution) const;

 private:
  bool factor_row(int row, std::span<const Real> moves);

  const Plan* plan_ = nullptr;
  const Chain* chain_ = nullptr;
  std::vector<char> closed_;         // by rank, as everything below
  std::vector<int> class_, last_;    // class of a rank (-1: open); class -> its last rank
  std::vector<Real> lower_, upper_;  // moves to states eliminated before; successors given that the state is left
  std::vector<Real> leave_, leak_;   // probability to leave at elimination; how much of it leaks
  std::vector<Real> least_;          // smallest positive entry of an upper row
  std::vector<Real> work_;
};

extern template class Elimination<double>;
extern template class Elimination<long double>;
extern template class Elimination<Quad>;

}  // namespace politex::exact
