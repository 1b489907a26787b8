// Exceptions on their way from C++ to Python.
#include <exception>
#include <utility>

#include "module.hpp"
#include "politex/base/error.hpp"

namespace politex::python {
namespace {

void raise(const py::handle& type, const char* what, const py::object& key) {
  py::object error = type(what);
  error.attr("key") = key;
  PyErr_SetObject(type.ptr(), error.ptr());
}

}  // namespace

void register_errors(py::module_& module) {
  PyObject* made = PyErr_NewExceptionWithDoc(
      "politex.Error",
      "Every error of politex. `key` names the option, file or argument that was not accepted; otherwise it is None.",
      PyExc_ValueError, nullptr);
  if (made == nullptr) throw py::error_already_set();
  auto type = py::reinterpret_steal<py::object>(made);
  type.attr("key") = py::none();
  module.attr("Error") = type;
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> storage;
  storage.call_once_and_store_result([&] { return type; });
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    if (!thrown) return;
    try {
      std::rethrow_exception(std::move(thrown));
    } catch (const ConfigError& error) {
      raise(storage.get_stored(), error.what(), py::str(error.key()));
    } catch (const Error& error) {
      raise(storage.get_stored(), error.what(), py::none());
    }
  });
}

}  // namespace politex::python
