// Statistics of long runs that Python has played: intervals, differences and verdicts.
#include <pybind11/stl.h>

#include <vector>

#include "module.hpp"
#include "politex/base/error.hpp"
#include "politex/evaluate/comparison.hpp"

namespace politex::python {
namespace {

using Sums = std::vector<std::pair<double, std::int64_t>>;  // cost and steps of every batch

Batches series_of(const Sums& sums) {
  Batches out;
  for (const auto& [cost, steps] : sums) out.push_back({cost, steps});
  return out;
}

Recorded recorded(const Sums& batches, const Sums& cycles) {
  Recorded out;
  out.batches = {series_of(batches)};
  if (!cycles.empty()) out.cycles = {series_of(cycles)};
  return out;
}

std::string compare_batches(const Sums& batches, const Sums& cycles, const Sums& other_batches,
                            const Sums& other_cycles, double alpha) {
  if (batches.empty() || (!other_batches.empty() && other_batches.size() != batches.size()))
    throw ConfigError{"steps", "accepted: the same number of steps for both policies, at least one batch"};
  const Recorded first = recorded(batches, cycles);
  if (other_batches.empty()) return comparison_json(compare(first, nullptr, alpha), "");
  const Recorded second = recorded(other_batches, other_cycles);
  return comparison_json(compare(first, &second, alpha), "");
}

}  // namespace

void register_evaluation(py::module_& module) {
  module.def(
      "compare_batches", &compare_batches, py::arg("batches"), py::arg("cycles"), py::arg("other_batches"),
      py::arg("other_cycles"), py::arg("alpha"),
      "The JSON that `politex evaluate --json` prints, from (cost, steps) of batches of equal length and of cycles.");
}

}  // namespace politex::python
