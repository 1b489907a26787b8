// The parts of politex._core, and what they share.
#pragma once

#include <pybind11/pybind11.h>

namespace politex::python {

namespace py = pybind11;

/// politex.Error (a ValueError); `key` is the offending key of a ConfigError, else None.
void register_errors(py::module_& module);
/// FiniteModel (held by std::shared_ptr<FiniteModel>): the C++ side of politex.MDP.
void register_models(py::module_& module);
void register_run(py::module_& module);
void register_exact(py::module_& module);
void register_evaluation(py::module_& module);
void register_environments(py::module_& module);
void register_agents(py::module_& module);
void register_options(py::module_& module);

}  // namespace politex::python
