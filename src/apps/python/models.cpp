// Finite models: the C++ side of politex.MDP.
#include <memory>

#include "module.hpp"
#include "politex/env/finite_model.hpp"

namespace politex::python {

void register_models(py::module_& module) {
  py::class_<FiniteModel, std::shared_ptr<FiniteModel>>(module, "FiniteModel", "The tables of a finite environment.")
      .def_readonly("name", &FiniteModel::name)
      .def_readonly("states", &FiniteModel::states)
      .def_readonly("actions", &FiniteModel::actions)
      .def_readonly("start", &FiniteModel::start);
}

}  // namespace politex::python
