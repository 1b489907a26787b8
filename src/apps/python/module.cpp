// politex._core: what the Python package takes from C++. Every register_xxx is in a file of its own.
#include <pybind11/pybind11.h>

#include "module.hpp"
#include "politex/base/processor.hpp"

PYBIND11_MODULE(_core, module) {
  if (const char* const why = politex::missing_instructions()) throw pybind11::import_error(why);
  module.doc() = "The compiled part of politex; use the package politex.";
  module.attr("__version__") = POLITEX_VERSION;
  politex::python::register_errors(module);
  politex::python::register_models(module);
  politex::python::register_run(module);
  politex::python::register_exact(module);
  politex::python::register_evaluation(module);
  politex::python::register_environments(module);
  politex::python::register_agents(module);
  politex::python::register_options(module);
}
