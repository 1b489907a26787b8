// How least squares and temporal-difference equations are solved: the choice, and its keys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "politex/features/features.hpp"
#include "politex/settings/key.hpp"

namespace politex::inline solvers {

enum class Solver { automatic, direct, sparse, dual, iterative };

struct SolverOptions {
  Solver solver = Solver::automatic;
  double tolerance = 1e-8;
  std::int64_t iterations = 0;
};

/// algorithm.solver, algorithm.tolerance and algorithm.solver_iterations: of every learner that solves equations.
Keys solver_keys();

/// The word of algorithm.solver.
std::string_view name_of(Solver solver) noexcept;

/// How the newest equations were solved.
struct Solved {
  Solver solver = Solver::direct;
  std::int64_t iterations = 0;  // iterative: of all blocks together
  double residual = 0.0;        // iterative: the largest of a block, relative to the right-hand side
};

/// Whether the dense equations of all columns are solved: that was asked for, or (automatic) few columns are coupled.
bool solves_densely(const SolverOptions& options, const FeatureStructure& structure) noexcept;
/// The same for temporal-difference equations, which have no blocks.
bool solves_td_densely(const SolverOptions& options, const FeatureStructure& structure) noexcept;

/// Throws ConfigError where dense equations, or the weights, would not fit into the memory of this machine.
void check_memory(const SolverOptions& options, const FeatureStructure& structure);
/// The same for temporal-difference equations; "dual" is refused too.
void check_td_memory(const SolverOptions& options, const FeatureStructure& structure);

/// For learners whose equations are always dense. Throws ConfigError that names the features.
void check_dense_memory(const FeatureStructure& structure, bool temporal_differences);

/// The end of an iterative solution that did not converge: the residual and what to change.
[[noreturn]] void throw_not_converged(std::string_view what, std::int64_t iterations, double residual,
                                      const SolverOptions& options);

}  // namespace politex::inline solvers
