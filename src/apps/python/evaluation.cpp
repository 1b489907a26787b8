// Statistics of long runs that Python has played: intervals, differences and verdicts.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>
#include <vector>

#include "module.hpp"
#include "politex/base/error.hpp"
#include "politex/evaluate/comparison.hpp"
#include "politex/evaluate/fitted_log.hpp"
#include "politex/evaluate/log_evaluation.hpp"
#include "politex/evaluate/policy_export.hpp"

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

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Wholes = py::array_t<std::int32_t, py::array::c_style | py::array::forcecast>;

std::vector<double> numbers_of(const Numbers& array) { return {array.data(), array.data() + array.size()}; }

std::string evaluate_log_by_features(const std::string& file, const Numbers& taken, const Numbers& cost,
                                     const Numbers& next, const std::optional<Numbers>& other_next, double alpha) {
  const auto lines = static_cast<std::size_t>(cost.size());
  const FittedLog log{
      .width = static_cast<std::size_t>(taken.size()) / lines, .taken = numbers_of(taken), .cost = numbers_of(cost)};
  if (next.size() != taken.size() || (other_next && other_next->size() != taken.size()) ||
      log.width * lines != static_cast<std::size_t>(taken.size()))
    throw ConfigError{"features", "the features of the lines have unequal lengths; accepted: one vector per line"};
  const LogEstimate first = fit_log(log, numbers_of(next), file);
  if (!other_next) return comparison_json(compare_estimates(first, nullptr, "fitted_q", alpha), "");
  const LogEstimate second = fit_log(log, numbers_of(*other_next), file);
  return comparison_json(compare_estimates(first, &second, "fitted_q", alpha), "");
}

PolicyTable table_of(const Numbers& policy) {
  PolicyTable table(static_cast<int>(policy.shape(0)), static_cast<int>(policy.shape(1)));
  table.set(numbers_of(policy));
  return table;
}

std::string evaluate_log_by_states(const std::string& file, const Wholes& state, const Wholes& action,
                                   const Numbers& cost, const Wholes& next, const Numbers& policy,
                                   const std::optional<Numbers>& other, double alpha) {
  std::vector<LogRow> log;
  for (py::ssize_t t = 0; t < cost.size(); ++t)
    log.push_back({.state = state.at(t), .action = action.at(t), .next = next.at(t), .cost = cost.at(t)});
  const PolicyTable table = table_of(policy);
  if (!other) return comparison_json(evaluate_log(log, file, table, nullptr, alpha), "");
  const PolicyTable reference = table_of(*other);
  return comparison_json(evaluate_log(log, file, table, &reference, alpha), "");
}

std::string export_table(const Numbers& policy, const std::string& to) {
  const PolicyTable table = table_of(policy);
  return exported_text(table, to);
}

}  // namespace

void register_evaluation(py::module_& module) {
  module.def(
      "compare_batches", &compare_batches, py::arg("batches"), py::arg("cycles"), py::arg("other_batches"),
      py::arg("other_cycles"), py::arg("alpha"),
      "The JSON that `politex evaluate --json` prints, from (cost, steps) of batches of equal length and of cycles.");
  module.def("evaluate_log_by_features", &evaluate_log_by_features, py::arg("file"), py::arg("taken"), py::arg("cost"),
             py::arg("next"), py::arg("other_next"), py::arg("alpha"),
             "The average cost of a policy from a log in features, by fitted Q.");
  module.def("evaluate_log_by_states", &evaluate_log_by_states, py::arg("file"), py::arg("state"), py::arg("action"),
             py::arg("cost"), py::arg("next"), py::arg("policy"), py::arg("other"), py::arg("alpha"),
             "The same where states are numbers, by marginalised ratios.");
  module.def("export_table", &export_table, py::arg("policy"), py::arg("to"),
             "A policy over listed states as `politex policy export` writes it.");
}

}  // namespace politex::python
