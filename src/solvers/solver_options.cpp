#include "politex/solvers/solver_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "politex/base/machine.hpp"

namespace politex::inline solvers {
namespace {

/// Coupled columns of a block up to which "auto" uses the dense equations.
constexpr int few_columns = 640;
/// The same for temporal-difference equations, all columns.
constexpr int few_td_columns = 2000;
/// Vectors of all weights that a learner keeps: sums, estimates, what the collector follows, buffers.
constexpr double vectors_of_weights = 8.0;

void refuse(std::string_view key, std::string_view what, double bytes, std::string_view accepted) {
  constexpr double gigabyte = 1024.0 * 1024.0 * 1024.0;
  throw ConfigError{std::string(key),
                    fmt::format("{} would need {:.1f} GiB, and this machine has {:.1f} GiB; accepted: {}", what,
                                bytes / gigabyte, machine_memory() / gigabyte, accepted)};
}

void check_weights(const FeatureStructure& structure) {
  const double bytes = 8.0 * vectors_of_weights * structure.blocks * static_cast<double>(structure.width);
  if (bytes > machine_memory())
    refuse("features.name", fmt::format("{} weights", static_cast<std::int64_t>(structure.blocks) * structure.width),
           bytes, "fewer features, for tiles a smaller features.memory");
}

}  // namespace

Keys solver_keys() {
  using Options = SolverOptions;
  return {key<&Options::solver>(
              "algorithm.solver", "how the linear equations of an estimate are solved",
              word({{"auto", "by predicted cost; dense equations where few columns are coupled"},
                    {"direct", "dense equations of all columns, by blocks"},
                    {"sparse", "a sparse factor of the columns that a phase has (Cholesky; LU for lspe, lspi)"},
                    {"dual", "one unknown per row of the phase instead of one per column"},
                    {"iterative", "conjugate gradients on the rows, from the last weights (lspe, lspi: GMRES)"}})),
          key<&Options::tolerance>("algorithm.tolerance",
                                   "residual at which an iterative solver stops, relative to the right-hand side",
                                   number(1e-15, 0.1)),
          key<&Options::iterations>("algorithm.solver_iterations",
                                    "most iterations of an iterative solver; 0: 1000 plus ten per unknown",
                                    whole(0, 1'000'000'000))};
}

std::string_view name_of(Solver solver) noexcept {
  switch (solver) {
    case Solver::automatic:
      return "auto";
    case Solver::direct:
      return "direct";
    case Solver::sparse:
      return "sparse";
    case Solver::dual:
      return "dual";
    case Solver::iterative:
      break;
  }
  return "iterative";
}

Solved& Solved::operator+=(const Solved& other) noexcept {
  for (std::size_t k = 0; k < systems.size(); ++k) systems[k] += other.systems[k];
  iterations += other.iterations;
  residual = std::max(residual, other.residual);
  return *this;
}

void Solved::save(ByteWriter& to) const {
  for (const std::int64_t each : systems) to.put(each);
  to.put(iterations);
  to.put(residual);
}

void Solved::restore(ByteReader& from) {
  for (std::int64_t& each : systems) from.get_count(each, "solved systems");
  from.get_count(iterations, "iterations of the solver");
  from.get_within(residual, 0.0, std::numeric_limits<double>::max(), "the residual of the solver");
}

std::string solver_text(const Solved& solved) {
  std::string text;
  for (const Solver solver : {Solver::direct, Solver::sparse, Solver::dual, Solver::iterative})
    if (const std::int64_t systems = solved.by(solver); systems > 0)
      text += fmt::format("{}{} ({} system{})", text.empty() ? "" : ", ", name_of(solver), systems,
                          systems == 1 ? "" : "s");
  if (solved.by(Solver::iterative) > 0)
    text += fmt::format(": {} iterations, largest relative residual {:.2g}", solved.iterations, solved.residual);
  return text.empty() ? "no equations" : text;
}

bool solves_densely(const SolverOptions& options, const FeatureStructure& structure) noexcept {
  if (options.solver != Solver::automatic) return options.solver == Solver::direct;
  return structure.width - structure.exclusive <= few_columns;
}

bool solves_td_densely(const SolverOptions& options, const FeatureStructure& structure) noexcept {
  if (options.solver != Solver::automatic) return options.solver == Solver::direct;
  return static_cast<std::int64_t>(structure.blocks) * structure.width <= few_td_columns;
}

void check_memory(const SolverOptions& options, const FeatureStructure& structure) {
  check_weights(structure);
  if (!solves_densely(options, structure)) return;
  const double rest = structure.width - structure.exclusive;
  const double bytes = 8.0 * ((structure.blocks + 1.0) * rest * rest + structure.blocks * rest * structure.exclusive);
  if (bytes > machine_memory())
    refuse("algorithm.solver", fmt::format("\"direct\" with {} features per block", structure.width), bytes,
           "auto, sparse, dual, iterative; or fewer features");
}

void check_td_memory(const SolverOptions& options, const FeatureStructure& structure) {
  check_weights(structure);
  if (options.solver == Solver::dual)
    throw ConfigError{"algorithm.solver",
                      "\"dual\" is not accepted for temporal differences (lspe, lspi); accepted: auto, direct, sparse, "
                      "iterative"};
  if (!solves_td_densely(options, structure)) return;
  const double size = static_cast<double>(structure.blocks) * structure.width;
  if (8.0 * 4.0 * size * size > machine_memory())
    refuse("algorithm.solver", fmt::format("\"direct\" with {} weights", structure.dimension()), 32.0 * size * size,
           "auto, sparse, iterative; or fewer features");
}

void check_dense_memory(const FeatureStructure& structure, bool temporal_differences) {
  const double size = temporal_differences ? static_cast<double>(structure.blocks) * structure.width : structure.width;
  const double bytes = 8.0 * (temporal_differences ? 4.0 : structure.blocks + 1.0) * size * size;
  if (structure.exclusive < structure.width && bytes > machine_memory())
    refuse("features.name", fmt::format("the dense equations of this learner, with {} features,", structure.width),
           bytes, "fewer features, or a learner with algorithm.solver (ee_politex, rlsvi, lspi)");
}

void throw_not_converged(std::string_view what, std::int64_t iterations, double residual,
                         const SolverOptions& options) {
  throw NotConverged(fmt::format(
      "{} did not converge: after {} iterations the relative residual is {:.3g}, and algorithm.tolerance is {:g}; "
      "increase algorithm.ridge, algorithm.tolerance or algorithm.solver_iterations, or use algorithm.solver = "
      "\"sparse\" (with ridge 0: \"direct\")",
      what, iterations, residual, options.tolerance));
}

}  // namespace politex::inline solvers
