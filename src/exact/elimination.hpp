// State elimination without subtractions (Grassmann, Taksar, Heyman): the chain is watched on ever fewer states. It
// needs no aperiodicity, meets no singular system on multichain chains, and keeps relative accuracy on chains that
// almost fall apart. The order of elimination and the fill depend on the pattern alone, so they are planned once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/base/sparse_rows.hpp"
#include "politex/exact/chain.hpp"

namespace politex::exact {

/// An order of elimination and the entries that it fills. Everything below is in ranks, not in states.
struct Plan {
  std::vector<int> state;  // rank -> state
  std::vector<int> rank;   // state -> rank
  std::vector<std::int64_t> lower_first, upper_first;
  std::vector<std::int32_t> lower, upper;  // row by row, ascending; the diagonal belongs to neither
};

/// Least product of in- and out-degree first, ties by index, the states named in `last` after all others; throws Error
/// where the fill would not fit in memory.
Plan plan_elimination(const SparseRows& pattern, std::span<const int> last = {});

/// I - P as a product of triangular factors that hold probabilities. A state is closed when it belongs to a recurrent
/// class (and nothing teleports), open otherwise; an open state's moves to closed ones, and teleporting, are its leak.
/// `Real` is double, or long double where probabilities multiply to less than a double holds.
template <class Real>
class Elimination {
 public:
  /// -1, or the state at which a product of probabilities went below what Real holds and mattered or (double) might
  /// have mattered. The three arguments must outlive this object's use.
  int factor(const Plan& plan, const Chain& chain, const Classes& classes);

  bool closed(int state) const noexcept { return closed_[plan_->rank[state]] != 0; }

  /// Solves (I - P) x = right over the closed states (x = 0 at each class's last state) or over the open ones, where
  /// moves to closed states count as the end. Both vectors are by state; the other states are left alone.
  void solve(bool closed, std::span<const Real> right, std::span<Real> x) const;

  /// Row vector v with v (I - P) = from over the open states: expected visits before the leak.
  void open_visits(std::span<const Real> from, std::span<Real> v) const;

  /// The stationary law of every recurrent class; 0 at open states. False when it spans more than Real holds.
  bool class_laws(std::span<Real> law) const;

 private:
  bool factor_row(int row);

  const Plan* plan_ = nullptr;
  const Chain* chain_ = nullptr;
  std::vector<char> closed_;         // by rank, as everything below
  std::vector<int> class_, last_;    // class of a rank (-1: open); class -> its last rank
  std::vector<Real> lower_, upper_;  // moves to eliminated states when they were; next states once the state is left
  std::vector<Real> leave_, leak_;   // probability to leave at elimination; how much of it leaks
  std::vector<Real> least_;          // smallest positive entry of an upper row
  std::vector<Real> work_;
};

extern template class Elimination<double>;
extern template class Elimination<long double>;

}  // namespace politex::exact
