// Our environments for Gymnasium: politex.environments stands on this.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <mutex>
#include <optional>

#include "module.hpp"
#include "politex/base/error.hpp"
#include "politex/run/catalogue.hpp"
#include "values.hpp"
#include "worlds.hpp"

namespace politex::python {
namespace {

using Model = std::shared_ptr<FiniteModel>;

/// Worlds with what they were made from, so that they can be pickled, and a lock: steps run without the GIL.
class WorldBlock {
 public:
  WorldBlock(py::object source, py::dict options, int count, int autoreset)
      : source_(std::move(source)), options_(std::move(options)), autoreset_(autoreset) {
    if (count < 1 || count > 1'000'000)
      throw ConfigError{"num_envs", fmt::format("{} is not accepted; accepted: 1 to 1000000", count)};
    if (autoreset < 0 || autoreset > 2) throw ConfigError{"autoreset_mode", "is not known"};
    const auto mode = static_cast<Autoreset>(autoreset);
    if (!py::isinstance<py::str>(source_)) {
      model_ = source_.cast<Model>();
    } else {
      const Config config = environment_config(source_.cast<std::string>(), options_);
      const EnvironmentEntry& entry = politex::environment_of(config);
      if (entry.model == nullptr) {
        worlds_ = make_worlds(entry, config.values, count, mode);
        return;
      }
      model_ = std::make_shared<FiniteModel>(entry.model(config.values));
    }
    worlds_ = make_worlds(*model_, count, mode);
  }

  Worlds& worlds() { return *worlds_; }
  Model model() const { return model_; }

  void reset(const std::vector<std::optional<std::uint64_t>>& seeds, const std::optional<std::vector<bool>>& mask) {
    const auto count = static_cast<std::size_t>(worlds_->count);
    if (seeds.size() != count || (mask && mask->size() != count))
      throw ConfigError{"seed", fmt::format("accepted: one per environment ({})", count)};
    const std::lock_guard lock(mutex_);
    for (int i = 0; i < worlds_->count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      if (mask && !(*mask)[k]) continue;
      if (seeds[k]) worlds_->seed(i, *seeds[k]);
      worlds_->reset(i);
      worlds_->truncated[k] = 0;
    }
  }

  /// 1: a clock cut somewhere, 2: the rules restarted one, 3: both.
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
    worlds_->step(actions);
    unsigned cut = 0, restarted = 0;
    for (const auto flag : worlds_->truncated) cut |= flag;
    for (const auto flag : worlds_->restarted) restarted |= flag;
    return static_cast<int>(cut | restarted << 1U);
  }

  /// One environment: a step so short keeps the GIL, which is the lock then.
  py::tuple step_one(const py::object& given) {
    const py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
    if (!number) {
      PyErr_Clear();
      throw ConfigError{"action", fmt::format("{} is not accepted; accepted: a whole number from 0 to {}",
                                              py::repr(given).cast<std::string>(), worlds_->actions - 1)};
    }
    int overflow = 0;
    const std::int64_t action = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    worlds_->step({&action, 1});
    return py::make_tuple(observation(), worlds_->rewards[0], worlds_->truncated[0] != 0, worlds_->restarted[0] != 0);
  }

  /// Of the first environment; an array of its own.
  py::object observation() const {
    if (worlds_->states > 0) return py::int_(worlds_->indices[0]);
    return py::array_t<double>(worlds_->observation_size, worlds_->observations.data());
  }

  py::bytes get_state() {
    ByteWriter writer;
    const std::lock_guard lock(mutex_);
    worlds_->save(writer);
    return {reinterpret_cast<const char*>(writer.bytes().data()), writer.bytes().size()};
  }
  void set_state(const py::bytes& state) {
    const auto text = state.cast<std::string_view>();
    ByteReader reader(std::as_bytes(std::span(text)));
    const std::lock_guard lock(mutex_);
    worlds_->restore(reader);
  }
  py::tuple recipe() { return py::make_tuple(source_, options_, worlds_->count, autoreset_); }

 private:
  py::object source_;
  py::dict options_;
  int autoreset_;
  Model model_;  // finite ones
  std::unique_ptr<Worlds> worlds_;
  std::mutex mutex_;
};

// Views of the buffers: written by every step, alive as long as anybody looks.
template <class T>
py::array buffer(const py::object& owner, const std::vector<T>& values, bool wide) {
  auto& block = owner.cast<WorldBlock&>();
  std::vector<py::ssize_t> shape = {block.worlds().count};
  if (wide) shape.push_back(block.worlds().observation_size);
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
  const auto worlds = [](const py::object& self) -> Worlds& { return self.cast<WorldBlock&>().worlds(); };
  py::class_<WorldBlock>(module, "Worlds", "A block of shipped environments.")
      .def(py::init<py::object, py::dict, int, int>(), py::arg("source"), py::arg("options"), py::arg("count"),
           py::arg("autoreset"))
      .def(py::pickle([](WorldBlock& self) { return py::make_tuple(self.recipe(), self.get_state()); },
                      [](const py::tuple& state) {
                        const auto recipe = state[0].cast<py::tuple>();
                        auto made =
                            std::make_unique<WorldBlock>(recipe[0].cast<py::object>(), recipe[1].cast<py::dict>(),
                                                         recipe[2].cast<int>(), recipe[3].cast<int>());
                        made->set_state(state[1].cast<py::bytes>());
                        return made;
                      }))
      .def("reset", &WorldBlock::reset, py::arg("seeds"), py::arg("mask"))
      .def("step", &WorldBlock::step, py::arg("actions"))
      .def("step_one", &WorldBlock::step_one, py::arg("action"))
      .def("observation", &WorldBlock::observation)
      .def("get_state", &WorldBlock::get_state)
      .def("set_state", &WorldBlock::set_state, py::arg("state"))
      .def_property_readonly("model", &WorldBlock::model)
      .def_property_readonly("count", [=](const py::object& self) { return worlds(self).count; })
      .def_property_readonly("actions", [=](const py::object& self) { return worlds(self).actions; })
      .def_property_readonly("states", [=](const py::object& self) { return worlds(self).states; })
      .def_property_readonly("ranges",
                             [=](const py::object& self) {
                               std::vector<std::pair<double, double>> out;
                               for (const Range& range : worlds(self).ranges) out.emplace_back(range.low, range.high);
                               return out;
                             })
      .def_property_readonly("observations",
                             [=](const py::object& self) {
                               return worlds(self).states > 0 ? buffer(self, worlds(self).indices, false)
                                                              : buffer(self, worlds(self).observations, true);
                             })
      .def_property_readonly("finals", [=](const py::object& self) { return buffer(self, worlds(self).finals, true); })
      .def_property_readonly("rewards",
                             [=](const py::object& self) { return buffer(self, worlds(self).rewards, false); })
      .def_property_readonly("truncated",
                             [=](const py::object& self) { return buffer(self, worlds(self).truncated, false); })
      .def_property_readonly("restarted",
                             [=](const py::object& self) { return buffer(self, worlds(self).restarted, false); });
}

}  // namespace politex::python
