#include "values.hpp"

#include <fmt/format.h>

#include "politex/base/error.hpp"

namespace politex::python {

Value value_of(const std::string& key, py::handle given) {
  if (py::isinstance<py::bool_>(given)) return given.cast<bool>();
  if (py::isinstance<py::int_>(given)) {
    int overflow = 0;
    const long long whole = PyLong_AsLongLongAndOverflow(given.ptr(), &overflow);
    if (overflow != 0) throw ConfigError{key, "the number does not fit into 64 bits"};
    return std::int64_t{whole};
  }
  if (py::isinstance<py::float_>(given)) return given.cast<double>();
  if (py::isinstance<py::str>(given)) return given.cast<std::string>();
  if (py::hasattr(given, "__fspath__")) return value_of(key, given.attr("__fspath__")());
  // A NumPy scalar, or an array of one: item() is a Python number, which ends the recursion.
  if (py::hasattr(given, "item") && py::hasattr(given, "size") && given.attr("size").cast<py::ssize_t>() == 1)
    return value_of(key, given.attr("item")());
  throw ConfigError{key, fmt::format("a value of type {} is not accepted; accepted: a number, a text or a boolean",
                                     py::type::of(given).attr("__name__").cast<std::string>())};
}

Assignment assignment(std::string_view key, Value value) {
  return {.key = &resolve_key(key), .value = std::move(value), .where = {}, .from_command_line = true};
}

std::vector<Assignment> assignments_of(const py::dict& settings, std::string_view table) {
  std::vector<Assignment> out;
  for (const auto& [key, value] : settings) {
    if (!py::isinstance<py::str>(key))
      throw ConfigError{"overrides", "a key is not a text; accepted: \"algorithm.eta\""};
    const std::string name(resolve_key(key.cast<std::string>(), table).name);
    out.push_back(assignment(name, value_of(name, value)));
  }
  return out;
}

std::string full_name(const std::string& keyword) {
  for (const std::string_view table : keyword_tables)
    if (const std::string name = fmt::format("{}.{}", table, keyword); find_key(name) != nullptr) return name;
  for (const std::string_view table : keyword_tables) {
    if (!keyword.starts_with(fmt::format("{}_", table))) continue;
    const std::string word = keyword.substr(table.size() + 1);
    const std::string name = fmt::format("{}.{}", table, word);
    if (find_key(name) != nullptr && full_name(word) != name) return name;
  }
  return keyword;
}

std::string keyword_of(const Key& key) {
  const std::string word(key.word());
  return full_name(word) == key.name ? word : fmt::format("{}_{}", key.table(), word);
}

Config environment_config(const std::string& name, const py::dict& options) {
  std::vector<Assignment> settings = assignments_of(options, "environment");
  for (const Assignment& setting : settings)
    if (setting.key->table() != "environment")
      throw ConfigError{std::string(setting.key->name), "not an option of an environment"};
  settings.insert(settings.begin(), assignment("environment.name", name));
  return build_config(settings).config;
}

}  // namespace politex::python
