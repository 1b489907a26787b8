// Our environments for Gymnasium.
#include "module.hpp"

namespace politex::python {

void register_environments(py::module_& /*module*/) {}

}  // namespace politex::python
