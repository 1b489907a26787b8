// The solvers of one block: each minimises sum c (t / c - x.w)^2 + ridge |w|^2 over the unknowns of the rows.
#pragma once

#include <cstdint>
#include <span>

#include "politex/solvers/compact_rows.hpp"
#include "politex/solvers/solver_options.hpp"

namespace politex::inline solvers {

/// The solver with the least predicted cost for these rows. direct: the dense equations of the used columns.
Solver cheapest(const CompactRows& rows, double ridge);

/// Dense Cholesky of the used columns; ridge 0: the solution of smallest norm.
void solve_dense(const CompactRows& rows, double ridge, std::span<double> w);
/// Sparse Cholesky. Throws Error for ridge 0.
void solve_sparse(const CompactRows& rows, double ridge, std::span<double> w);
/// Dense Cholesky with one unknown per row; ridge 0: the solution of smallest norm.
void solve_dual(const CompactRows& rows, double ridge, std::span<double> w);
/// Conjugate gradients with the diagonal as preconditioner, from the given w; ridge 0: without it, from 0, to the
/// solution of smallest norm. Throws Error where it does not converge.
void solve_iteratively(const CompactRows& rows, double ridge, const SolverOptions& options, std::span<double> w,
                       Solved& solved);

}  // namespace politex::inline solvers
