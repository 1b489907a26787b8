// Exact answers: what `politex exact` does.
#include "module.hpp"

namespace politex::python {

void register_exact(py::module_& /*module*/) {}

}  // namespace politex::python
