// How least squares and temporal-difference equations are solved: the choice, and its keys.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "politex/base/bytes.hpp"
#include "politex/base/error.hpp"
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

/// How equations were solved: those of one estimate, or of a whole run.
struct Solved {
  std::array<std::int64_t, 5> systems{};  // by Solver; every block of least squares is a system
  std::int64_t iterations = 0;            // iterative: of all systems together
  double residual = 0.0;                  // iterative: the largest of a system, relative to the right-hand side

  void count(Solver solver, std::int64_t more = 1) noexcept { systems[static_cast<std::size_t>(solver)] += more; }
  std::int64_t by(Solver solver) const noexcept { return systems[static_cast<std::size_t>(solver)]; }
  Solved& operator+=(const Solved& other) noexcept;
  void save(ByteWriter& to) const;
  /// Throws DamagedState.
  void restore(ByteReader& from);
};

/// "sparse (12 systems), iterative (3 systems): 45 iterations, largest relative residual 9.1e-09".
std::string solver_text(const Solved& solved);

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

/// An iterative solution did not converge. The message has the residual and what to change.
struct NotConverged : Error {
  using Error::Error;
};
[[noreturn]] void throw_not_converged(std::string_view what, std::int64_t iterations, double residual,
                                      const SolverOptions& options);

}  // namespace politex::inline solvers
