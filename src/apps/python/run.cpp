// Whole runs: what `politex run` does.
#include "module.hpp"

namespace politex::python {

void register_run(py::module_& /*module*/) {}

}  // namespace politex::python
