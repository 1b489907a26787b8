// Exact answers: what `politex exact` does.
#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <cmath>
#include <memory>

#include "module.hpp"
#include "politex/base/error.hpp"
#include "politex/report/exact_report.hpp"
#include "politex/run/parts.hpp"

namespace politex::python {
namespace {

using Matrix = py::array_t<double, py::array::c_style | py::array::forcecast>;

// A row per state (replicated per action) or per pair, as in a features file.
Features features_of(const Matrix& matrix, const FiniteModel& model) {
  const py::ssize_t rows = matrix.ndim() == 2 ? matrix.shape(0) : 0;
  if ((rows != model.states && rows != model.pairs()) || matrix.shape(1) < 1 || matrix.shape(1) > 1'000'000)
    throw ConfigError{"features", fmt::format("accepted: a matrix with a row per state ({}) or per pair ({})",
                                              model.states, model.pairs())};
  Features out;
  out.actions = model.actions;
  out.replicated = rows == model.states;
  out.rows.columns = static_cast<int>(matrix.shape(1));
  const auto entry = matrix.unchecked<2>();
  for (py::ssize_t row = 0; row < rows; ++row) {
    for (py::ssize_t column = 0; column < matrix.shape(1); ++column) {
      const double value = entry(row, column);
      if (!std::isfinite(value))
        throw ConfigError{"features", fmt::format("[{}, {}] is {}; accepted: a finite number", row, column, value)};
      if (value != 0.0) out.rows.append(static_cast<int>(column), value);
    }
    out.rows.end_row();
  }
  return out;
}

Features features_of(const py::object& given, const FiniteModel& model) {
  if (!py::isinstance<py::str>(given)) return features_of(given.cast<Matrix>(), model);
  return make_features(Config().set("features.name", given.cast<std::string>()), model);
}

// The Python side has made an array of a policy that is not a name, one row per state, and has checked it.
std::string exact(const std::shared_ptr<FiniteModel>& model, const std::string& name, const py::object& policy,
                  const py::object& features) {
  const bool looked_at = !py::isinstance<py::str>(features) || model->states <= most_states_with_theory;
  const Features psi = looked_at ? features_of(features, *model) : Features{};
  std::vector<double> probabilities;
  if (!policy.is_none()) {
    const auto matrix = policy.cast<Matrix>();
    if (matrix.size() != model->pairs()) throw ConfigError{"policy", "accepted: a probability per state and action"};
    probabilities.assign(matrix.data(), matrix.data() + matrix.size());
  }
  const py::gil_scoped_release release;
  return exact_json(policy.is_none() ? exact_report(*model, psi, name)
                                     : exact_report(*model, psi, name, std::move(probabilities)));
}

}  // namespace

void register_exact(py::module_& module) {
  module.def("exact", &exact, py::arg("model"), py::arg("name"), py::arg("policy"), py::arg("features"),
             "The JSON that `politex exact --json` prints.");
}

}  // namespace politex::python
