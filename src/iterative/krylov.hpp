// BiCGSTAB for (diag(d) - W) x = right, preconditioned by a hierarchy.
#pragma once

#include <span>
#include <vector>

#include "politex/iterative/hierarchy.hpp"

namespace politex::inline iterative {

/// What the residual may differ by. A constant that is added to every entry is the gain, and means nothing where
/// biases are solved for.
enum class Residual { up_to_a_constant, all };

struct KrylovResult {
  int products = 0;      // of the finest matrix and a vector
  double reached = 0.0;  // largest minus smallest entry of the residual, or the sum of |entries|
};

/// Improves `x` until the residual is at most `wanted`, or gets no smaller. Never makes it worse.
KrylovResult solve(Hierarchy& hierarchy, std::span<const double> right, Residual residual, double wanted,
                   int most_products, std::vector<double>& x);

}  // namespace politex::inline iterative
