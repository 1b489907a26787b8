// The learners.
#include "module.hpp"

namespace politex::python {

void register_agents(py::module_& /*module*/) {}

}  // namespace politex::python
