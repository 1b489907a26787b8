// The settings of learners as Python's signatures and help texts show them: read off the catalogue.
#include <pybind11/stl.h>

#include <algorithm>
#include <array>

#include "module.hpp"
#include "politex/base/error.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/config_io.hpp"
#include "values.hpp"

namespace politex::python {
namespace {

/// The Python type of what a key accepts.
std::string type_of(const Key& key) {
  switch (key.accepts.kind) {
    case Kind::whole:
      return "int";
    case Kind::number:
      return "float";
    case Kind::flag:
      return "bool";
    case Kind::length:
      return "int | str";
    case Kind::number_or_word:
      return "float | str";
    case Kind::word:
    case Kind::text:
    case Kind::file:
      break;
  }
  return "str";
}

/// The key as this learner has it, or nullptr.
const Key* key_of(const KnownKey& known, const LearnerEntry& learner) {
  for (const KeyOwner& owner : known.owners) {
    const bool for_all = owner.by.empty();
    const bool own = owner.by == "algorithm.name" && owner.name == learner.name;
    const bool of_features = owner.by == "features.name" && learner.linear();
    if (for_all || own || of_features) return owner.key;
  }
  return nullptr;
}

py::object python_value(const Value& value) {
  return std::visit([](const auto& held) -> py::object { return py::cast(held); }, value);
}

py::list learner_options(const std::string& name) {
  const auto all = learners();
  const auto learner = std::ranges::find(all, name, [](const LearnerEntry* entry) { return entry->name; });
  if (learner == all.end()) throw ConfigError{"algorithm.name", "\"" + name + "\" is not a learner"};
  py::list out;
  for (const KnownKey& known : known_keys()) {
    if (std::ranges::find(keyword_tables, known.table()) == keyword_tables.end() || known.word() == "name") continue;
    const Key* const key = key_of(known, **learner);
    if (key == nullptr) continue;
    out.append(py::make_tuple(keyword_of(*key), type_of(*key), python_value(key->fallback), std::string(key->help),
                              accepted(*key)));
  }
  return out;
}

std::vector<std::string> explorer_names() {
  std::vector<std::string> names;
  for (const ExplorerEntry* entry : explorers()) names.emplace_back(entry->name);
  return names;
}

/// Learners that learn in every step: (name, help).
std::vector<std::pair<std::string, std::string>> baselines_listed() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const LearnerEntry* entry : learners())
    if (entry->play != nullptr) all.emplace_back(entry->name, entry->help);
  return all;
}

}  // namespace

void register_options(py::module_& module) {
  module.def("learner_options", &learner_options, py::arg("name"),
             "(keyword, type, default, meaning, what is accepted) for every setting of a learner.");
  module.def("baselines", &baselines_listed, "(name, meaning) of every learner that learns in every step.");
  module.def("explorer_names", &explorer_names, "The names that `explorer=` accepts.");
}

}  // namespace politex::python
