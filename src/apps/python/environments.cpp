// Our environments for Gymnasium: the C++ side of politex.environments.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <mutex>
#include <optional>

#include "gymnasium_view.hpp"
#include "module.hpp"
#include "politex/base/error.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/run/catalogue.hpp"
#include "values.hpp"

namespace politex::python {
namespace {

using Model = std::shared_ptr<FiniteModel>;

/// Environments by name and options; finite ones are walked through by their tables, as in a run.
std::unique_ptr<EnvironmentBlock> block_of_name(const std::string& name, const py::dict& options, int count,
                                                Model& model) {
  const Config config = environment_config(name, options);
  const EnvironmentEntry& entry = politex::environment_of(config);
  if (entry.external)
    throw ConfigError{"environment.name", fmt::format("\"{}\" is in another process; accepted: a name of "
                                                      "politex.environments.names()",
                                                      name)};
  if (entry.model == nullptr) return entry.block(config.values, {.count = count});
  model = std::make_shared<FiniteModel>(entry.model(config.values));
  return block_of(TableEnvironment(*model), {.count = count});
}

/// A GymnasiumView with what it was made from, so that it can be pickled, and a lock: steps run without the GIL.
class Environments {
 public:
  Environments(py::object source, py::dict options, int count, int autoreset)
      : source_(std::move(source)), options_(std::move(options)), autoreset_(autoreset) {
    if (count < 1 || count > 1'000'000)
      throw ConfigError{"num_envs", fmt::format("{} is not accepted; accepted: 1 to 1000000", count)};
    if (autoreset < 0 || autoreset > 2) throw ConfigError{"autoreset_mode", "unknown"};
    std::unique_ptr<EnvironmentBlock> block;
    if (py::isinstance<py::str>(source_)) {
      block = block_of_name(source_.cast<std::string>(), options_, count, model_);
    } else {
      model_ = source_.cast<Model>();
      block = block_of(TableEnvironment(*model_), {.count = count});
    }
    view_ = std::make_unique<GymnasiumView>(std::move(block), static_cast<Autoreset>(autoreset));
  }

  const GymnasiumView& view() const { return *view_; }
  Model model() const { return model_; }

  void reset(const std::vector<std::optional<std::uint64_t>>& seeds, const std::optional<std::vector<bool>>& mask) {
    const auto count = static_cast<std::size_t>(view_->count());
    if (seeds.size() != count || (mask && mask->size() != count))
      throw ConfigError{"seed", fmt::format("accepted: one per environment ({})", count)};
    const std::lock_guard lock(mutex_);
    for (std::size_t k = 0; k < count; ++k)
      if (!mask || (*mask)[k]) view_->reset(static_cast<int>(k), seeds[k]);
  }

  /// 1: an episode was truncated, 2: the rules restarted an environment, 3: both.
  int step(const py::object& given) {
    // A cast would round 0.7 to an action.
    const auto any = py::array::ensure(given);
    if (!any || (any.dtype().kind() != 'i' && any.dtype().kind() != 'u' && any.dtype().kind() != 'b'))
      throw ConfigError{"actions", "accepted: an array of whole numbers, one per environment"};
    const auto whole = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(any);
    if (!whole || whole.ndim() != 1)
      throw ConfigError{"actions", "accepted: an array of whole numbers, one per environment"};
    const std::span<const std::int64_t> actions(whole.data(), static_cast<std::size_t>(whole.size()));
    const py::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    view_->step(actions);
    unsigned truncated = 0, restarted = 0;
    for (const auto flag : view_->truncated()) truncated |= flag;
    for (const auto flag : view_->restarted()) restarted |= flag;
    return static_cast<int>(truncated | restarted << 1U);
  }

  /// One environment: its step is so short that the GIL is kept, which is the lock then.
  py::tuple step_one(const py::object& given) {
    const py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
    if (!number) {
      PyErr_Clear();
      throw ConfigError{"action", fmt::format("{} is not accepted; accepted: a whole number from 0 to {}",
                                              py::repr(given).cast<std::string>(), view_->space().actions - 1)};
    }
    int overflow = 0;
    const std::int64_t action = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    view_->step({&action, 1});
    return py::make_tuple(observation(), view_->rewards()[0], view_->truncated()[0] != 0, view_->restarted()[0] != 0);
  }

  /// Of the first environment; an array of its own.
  py::object observation() const {
    if (view_->finite()) return py::int_(view_->indices()[0]);
    return py::array_t<double>(static_cast<py::ssize_t>(view_->space().numbers()), view_->observations().data());
  }

  py::bytes get_state() {
    ByteWriter writer;
    const std::lock_guard lock(mutex_);
    view_->save(writer);
    return {reinterpret_cast<const char*>(writer.bytes().data()), writer.bytes().size()};
  }
  void set_state(const py::bytes& state) {
    const auto text = state.cast<std::string_view>();
    ByteReader reader(std::as_bytes(std::span(text)));
    const std::lock_guard lock(mutex_);
    view_->restore(reader);
  }
  py::tuple recipe() { return py::make_tuple(source_, options_, view_->count(), autoreset_); }

 private:
  py::object source_;
  py::dict options_;
  int autoreset_;
  Model model_;  // finite ones
  std::unique_ptr<GymnasiumView> view_;
  std::mutex mutex_;
};

// Views of the buffers: every step overwrites them; they live as long as an array refers to them.
template <class T>
py::array buffer(const py::object& owner, const std::vector<T>& values, bool wide) {
  const GymnasiumView& view = owner.cast<const Environments&>().view();
  std::vector<py::ssize_t> shape = {view.count()};
  if (wide) shape.push_back(static_cast<py::ssize_t>(view.space().numbers()));
  return {std::is_same_v<T, std::uint8_t> ? py::dtype::of<bool>() : py::dtype::of<T>(), std::move(shape), values.data(),
          owner};
}

py::dict environment_names() {
  py::dict out;
  for (const EnvironmentEntry* entry : environments())
    if (!entry->external) out[py::str(std::string(entry->name))] = std::string(entry->help);
  return out;
}

py::list environment_options(const std::string& name) {
  const Config config = default_config(name);
  py::list out;
  for (const Key* key : config.keys())
    if (key->table() == "environment" && key->word() != "name" && applies(*key, config))
      out.append(py::make_tuple(std::string(key->word()), plain_text(*key, config.value(*key)), std::string(key->help),
                                accepted(*key)));
  return out;
}

}  // namespace

void register_environments(py::module_& module) {
  module.def("environment_names", &environment_names, "Name -> meaning of every shipped environment.");
  module.def("environment_options", &environment_options, py::arg("name"),
             "(option, default, meaning, what is accepted) for every option of an environment.");
  const auto view = [](const py::object& self) -> const GymnasiumView& {
    return self.cast<const Environments&>().view();
  };
  py::class_<Environments>(module, "Environments", "Shipped environments that are stepped together.")
      .def(py::init<py::object, py::dict, int, int>(), py::arg("source"), py::arg("options"), py::arg("count"),
           py::arg("autoreset"))
      .def(py::pickle([](Environments& self) { return py::make_tuple(self.recipe(), self.get_state()); },
                      [](const py::tuple& state) {
                        const auto recipe = state[0].cast<py::tuple>();
                        auto made =
                            std::make_unique<Environments>(recipe[0].cast<py::object>(), recipe[1].cast<py::dict>(),
                                                           recipe[2].cast<int>(), recipe[3].cast<int>());
                        made->set_state(state[1].cast<py::bytes>());
                        return made;
                      }))
      .def("reset", &Environments::reset, py::arg("seeds"), py::arg("mask"))
      .def("step", &Environments::step, py::arg("actions"))
      .def("step_one", &Environments::step_one, py::arg("action"))
      .def("observation", &Environments::observation)
      .def("get_state", &Environments::get_state)
      .def("set_state", &Environments::set_state, py::arg("state"))
      .def_property_readonly("model", &Environments::model)
      .def_property_readonly("count", [=](const py::object& self) { return view(self).count(); })
      .def_property_readonly("actions", [=](const py::object& self) { return view(self).space().actions; })
      .def_property_readonly("states", [=](const py::object& self) { return view(self).space().states; })
      .def_property_readonly("size", [=](const py::object& self) { return view(self).space().size(); })
      .def_property_readonly("time_limit", [=](const py::object& self) { return view(self).space().time_limit; })
      .def_property_readonly("ranges",
                             [=](const py::object& self) {
                               std::vector<std::pair<double, double>> out;
                               if (!view(self).finite())
                                 for (const Range& range : view(self).space().ranges)
                                   out.emplace_back(range.low, range.high);
                               return out;
                             })
      .def_property_readonly("observations",
                             [=](const py::object& self) {
                               return view(self).finite() ? buffer(self, view(self).indices(), false)
                                                          : buffer(self, view(self).observations(), true);
                             })
      .def_property_readonly("last_observations",
                             [=](const py::object& self) { return buffer(self, view(self).last_observations(), true); })
      .def_property_readonly("rewards",
                             [=](const py::object& self) { return buffer(self, view(self).rewards(), false); })
      .def_property_readonly("truncated",
                             [=](const py::object& self) { return buffer(self, view(self).truncated(), false); })
      .def_property_readonly("restarted",
                             [=](const py::object& self) { return buffer(self, view(self).restarted(), false); });
}

}  // namespace politex::python
