// Finite models: the C++ side of politex.MDP. Arrays go out as read-only views that keep the model alive.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>

#include "module.hpp"
#include "politex/base/error.hpp"
#include "politex/env/masks.hpp"
#include "politex/run/parts.hpp"
#include "politex/tables/finite_mdp.hpp"
#include "values.hpp"

namespace politex::python {
namespace {

using Model = std::shared_ptr<FiniteModel>;
template <class T>
using In = py::array_t<T, py::array::c_style | py::array::forcecast>;

template <class T>
std::vector<T> copied(const In<T>& array) {
  return {array.data(), array.data() + array.size()};
}

template <class T>
py::array view(const Model& model, const std::vector<T>& values, std::vector<py::ssize_t> shape) {
  py::array out(py::dtype::of<T>(), std::move(shape), values.data(), py::cast(model));
  out.attr("flags").attr("writeable") = false;
  return out;
}

// check() trusts `first`; these bytes come from anywhere.
void check_first(const FiniteModel& model) {
  const bool ends = !model.first.empty() && model.first.front() == 0 &&
                    model.first.back() == static_cast<std::int64_t>(model.next.size());
  if (!ends || !std::ranges::is_sorted(model.first))
    throw ConfigError{"transitions", "the outcomes of the pairs do not follow each other"};
}

Model make(const std::string& name, int states, int actions, int start, double teleport, const In<std::int64_t>& first,
           const In<std::int32_t>& next, const In<double>& probability, const In<double>& cost,
           std::vector<std::vector<int>> axes, const In<std::uint8_t>& possible) {
  if (states < 1 || states > 1'000'000 || actions < 1 || actions > 1'000 || std::int64_t{states} * actions > 10'000'000)
    throw ConfigError{"states",
                      fmt::format("{} states and {} actions; accepted: at most 1000000 and 1000, and 10000000 "
                                  "pairs",
                                  states, actions)};
  auto model = std::make_shared<FiniteModel>();
  model->name = name;
  model->states = states;
  model->actions = actions;
  model->start = start;
  model->size = states;
  if (!(teleport >= 0.0 && teleport <= 1.0)) throw ConfigError{"teleport", "accepted: 0 to 1"};
  model->teleport = teleport;
  model->first = copied(first);
  model->next = copied(next);
  model->probability = copied(probability);
  model->cost = copied(cost);
  model->axes = std::move(axes);
  check_first(*model);
  for (const auto& axis : model->axes)
    for (const int coordinate : axis)
      if (coordinate < 0 || coordinate > 1'000'000)
        throw ConfigError{"axes", fmt::format("a coordinate is {}; accepted: 0 to 1000000", coordinate)};
  check(*model);
  if (possible.size() > 0) *model = with_masks(std::move(*model), copied(possible));
  return model;
}

py::tuple state_of(const Model& model) {
  return py::make_tuple(model->name, model->states, model->actions, model->start, model->teleport,
                        view(model, model->first, {model->pairs() + 1}),
                        view(model, model->next, {static_cast<py::ssize_t>(model->next.size())}),
                        view(model, model->probability, {static_cast<py::ssize_t>(model->probability.size())}),
                        view(model, model->cost, {model->pairs()}), model->axes, model->size,
                        view(model, model->possible, {static_cast<py::ssize_t>(model->possible.size())}));
}

Model from_state(const py::tuple& state) {
  if (state.size() != 12) throw Error("not a pickled FiniteModel");
  Model model = make(state[0].cast<std::string>(), state[1].cast<int>(), state[2].cast<int>(), state[3].cast<int>(),
                     state[4].cast<double>(), state[5].cast<In<std::int64_t>>(), state[6].cast<In<std::int32_t>>(),
                     state[7].cast<In<double>>(), state[8].cast<In<double>>(),
                     state[9].cast<std::vector<std::vector<int>>>(), state[11].cast<In<std::uint8_t>>());
  model->size = state[10].cast<int>();
  return model;
}

Model shipped(const std::string& name, const py::dict& options) {
  const Config config = environment_config(name, options);
  const py::gil_scoped_release release;
  return std::make_shared<FiniteModel>(make_model(config));
}

}  // namespace

void register_models(py::module_& module) {
  py::class_<FiniteModel, Model>(module, "FiniteModel", "The tables of a finite environment: what politex.MDP holds.")
      .def(py::init(&make), py::arg("name"), py::arg("states"), py::arg("actions"), py::arg("start"),
           py::arg("teleport"), py::arg("first"), py::arg("next"), py::arg("probability"), py::arg("cost"),
           py::arg("axes"), py::arg("possible"))
      .def(py::pickle(&state_of, &from_state))
      .def_readonly("name", &FiniteModel::name)
      .def_readonly("states", &FiniteModel::states)
      .def_readonly("actions", &FiniteModel::actions)
      .def_readonly("start", &FiniteModel::start)
      .def_readonly("teleport", &FiniteModel::teleport)
      .def_readonly("axes", &FiniteModel::axes)
      .def_property_readonly("first", [](const Model& m) { return view(m, m->first, {m->pairs() + 1}); })
      .def_property_readonly(
          "next", [](const Model& m) { return view(m, m->next, {static_cast<py::ssize_t>(m->next.size())}); })
      .def_property_readonly(
          "probability",
          [](const Model& m) { return view(m, m->probability, {static_cast<py::ssize_t>(m->probability.size())}); })
      .def_property_readonly("cost",
                             [](const Model& m) {
                               return view(m, m->cost, {m->states, m->actions});
                             })
      .def_property_readonly(
          "possible",
          [](const Model& m) {
            return view(m, m->possible, {m->masked() ? m->states : 0, m->actions});
          },
          "1 where an action is possible; empty: all are.")
      .def("save", [](const Model& m, const std::string& file) { write_finite_mdp(*m, file); })
      .def_static("load", [](const std::string& file) { return std::make_shared<FiniteModel>(read_finite_mdp(file)); })
      .def_static("shipped", &shipped, py::arg("name"), py::arg("options"),
                  "The tables of a shipped finite environment with these options.");
}

}  // namespace politex::python
