// Approximate inverses of I - P by aggregation: states that move to each other often are merged, again and again, until
// few are left. One cycle smooths by Gauss-Seidel on every level.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "politex/base/sparse_rows.hpp"

namespace politex::inline iterative {

/// diag(d) - W with W >= 0 and an empty diagonal. I - (1-t) P has this form; so do its transpose and its aggregates.
struct MoveMatrix {
  std::vector<std::int64_t> first;
  std::vector<std::int32_t> index;
  std::vector<double> value;
  std::vector<double> diagonal;

  int size() const noexcept { return static_cast<int>(diagonal.size()); }
  /// `out` = (diag(d) - W) v.
  void multiply(std::span<const double> v, std::span<double> out) const;
};

/// I - (1 - teleport) P.
MoveMatrix leaving(const SparseRows& rows, double teleport);
MoveMatrix transposed(const MoveMatrix& matrix);

class Hierarchy {
 public:
  explicit Hierarchy(MoveMatrix finest);
  ~Hierarchy();
  Hierarchy(Hierarchy&&) noexcept;
  Hierarchy& operator=(Hierarchy&&) noexcept;

  const MoveMatrix& finest() const noexcept;
  int levels() const noexcept;
  /// `z` is near the solution of (diag(d) - W) z = right.
  void solve_roughly(std::span<const double> right, std::span<double> z);

 private:
  struct Level;
  struct Dense;
  void cycle(std::size_t k, std::span<const double> right, std::span<double> z);

  std::vector<Level> levels_;
  std::unique_ptr<Dense> coarsest_;  // null: too many states are left, which are only smoothed
};

}  // namespace politex::inline iterative
