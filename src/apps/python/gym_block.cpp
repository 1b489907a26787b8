#include "gym_block.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "politex/base/error.hpp"
#include "politex/env/masks.hpp"

namespace politex::python {
namespace {

template <class T>
bool read_directly(const py::array& array, std::span<double> into) {
  if (array.dtype().num() != py::dtype::num_of<T>() || array.dtype().byteorder() == '>' ||
      static_cast<std::size_t>(array.size()) != into.size() || (array.flags() & py::array::c_style) == 0)
    return false;
  const T* const data = static_cast<const T*>(array.data());
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = static_cast<double>(data[i]);
  return true;
}

}  // namespace

void raise_from(py::error_already_set& error, const std::string& what) {
  const py::object own = py::module_::import("politex._core").attr("Error");
  // Not error.what(), which has the whole traceback: the cause has it.
  const std::string words = py::str(error.value());
  const std::string kind = error.matches(own) ? "" : py::str(error.type().attr("__name__")).cast<std::string>() + ": ";
  py::raise_from(error, own.ptr(), fmt::format("{}: {}{}", what, kind, words).c_str());
  throw py::error_already_set();
}

std::int64_t action_of(const py::object& choose, const py::object& observation, const std::string& environment) {
  try {
    const py::object chosen = choose(observation);
    const Py_ssize_t action = PyNumber_AsSsize_t(chosen.ptr(), PyExc_OverflowError);
    if (action == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return action;
  } catch (py::error_already_set& error) {
    const py::object own = py::module_::import("politex._core").attr("Error");
    if (!error.matches(PyExc_Exception) || error.matches(own)) throw;
    raise_from(error, fmt::format("the explorer of {} raised", environment));
  }
}

ObservationReader::ObservationReader(const Space& space, py::object view, std::int64_t first_state)
    : name_(space.name),
      size_(space.ranges.size()),
      states_(space.states),
      view_(std::move(view)),
      as_array_(py::module_::import("numpy").attr("asarray")),
      has_view_(!view_.is_none()),
      first_state_(first_state) {}

void ObservationReader::read(py::handle observation, std::span<double> into) const {
  if (states_ > 0) {
    const py::object number = has_view_ ? view_(observation) : py::reinterpret_borrow<py::object>(observation);
    const Py_ssize_t state = PyNumber_AsSsize_t(number.ptr(), PyExc_OverflowError);
    if (state == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw Error(fmt::format("{} gave the observation {}; accepted: a whole number, the index of a state", name_,
                              py::repr(observation).cast<std::string>()));
    }
    if (state < first_state_ || state - first_state_ >= states_)
      throw Error(fmt::format("{} gave the observation {}; accepted: one of its {} states, counted from {}", name_,
                              state, states_, first_state_));
    into[0] = static_cast<double>(state - first_state_);
    return;
  }
  read_array(has_view_ ? view_(observation) : py::reinterpret_borrow<py::object>(observation), into);
  for (const double value : into)
    if (!std::isfinite(value))
      throw Error(
          fmt::format("{} gave an observation or a feature that is {}; accepted: finite numbers", name_, value));
}

void ObservationReader::read_array(py::handle observation, std::span<double> into) const {
  if (py::isinstance<py::array>(observation)) {
    const auto array = py::reinterpret_borrow<py::array>(observation);
    if (read_directly<float>(array, into) || read_directly<double>(array, into)) return;
  }
  const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(as_array_(observation));
  if (!array) {
    PyErr_Clear();
    throw Error(fmt::format("{} gave an observation that is not an array of numbers", name_));
  }
  if (static_cast<std::size_t>(array.size()) != into.size())
    throw Error(fmt::format("{} numbers were {} by {}: observations and features must keep their length", array.size(),
                            has_view_ ? "made" : "shown", name_) +
                fmt::format(" ({})", into.size()));
  std::copy_n(array.data(), into.size(), into.begin());
}

GymBlock::GymBlock(const GymEnvironment& environment)
    : environment_(environment),
      reader_(environment.space, environment.view, environment.first_state),
      step_(environment.env.attr("step")),
      reset_(environment.env.attr("reset")),
      now_(reader_.size()),
      last_(reader_.size()) {
  for (int action = 0; action < environment.space.actions; ++action)
    actions_.push_back(py::int_(action + environment.first_action));
  find_masks();
  restart(py::int_(environment.seed));
}

void GymBlock::find_masks() {
  masks_ = py::none();
  for (const char* const owner : {"get_wrapper_attr", "action_masks"}) {
    if (!py::hasattr(environment_.env, owner)) continue;
    try {
      masks_ = environment_.env.attr(owner);
      if (owner == std::string_view("get_wrapper_attr")) masks_ = masks_("action_masks");
      possible_.assign(static_cast<std::size_t>(environment_.space.actions), 1);
      return;
    } catch (py::error_already_set& error) {
      if (!error.matches(PyExc_AttributeError)) throw;
      masks_ = py::none();
    }
  }
}

void GymBlock::read_masks(py::handle info) {
  py::object mask = py::none();
  if (!masks_.is_none()) {
    mask = masks_();
  } else if (PyDict_Check(info.ptr())) {
    PyObject* const found = PyDict_GetItemString(info.ptr(), "action_mask");
    if (found != nullptr) mask = py::reinterpret_borrow<py::object>(found);
    if (found != nullptr && possible_.empty() && steps_ == 0)
      possible_.assign(static_cast<std::size_t>(environment_.space.actions), 1);
  }
  if (possible_.empty()) return;
  std::ranges::fill(possible_, std::uint8_t{1});
  if (mask.is_none()) return;
  const auto flags = py::array_t<bool, py::array::c_style | py::array::forcecast>::ensure(mask);
  if (!flags || static_cast<std::size_t>(flags.size()) != possible_.size()) {
    PyErr_Clear();
    throw Error(fmt::format("the action mask of {} is {}; accepted: an array of {} flags, one per action",
                            environment_.space.name, py::repr(mask).cast<std::string>(), possible_.size()));
  }
  std::transform(flags.data(), flags.data() + flags.size(), possible_.begin(),
                 [](bool one) { return static_cast<std::uint8_t>(one ? 1 : 0); });
  if (std::ranges::count(possible_, std::uint8_t{1}) == 0)
    throw Error(fmt::format("the action mask of {} allows no action before step {}; accepted: at least one",
                            environment_.space.name, steps_ + 1));
}

void GymBlock::possible(int, std::span<std::uint8_t> into) const { std::ranges::copy(possible_, into.begin()); }

void GymBlock::raise(py::error_already_set& error, const char* doing) const {
  // A second Ctrl-C, or the end of the interpreter: not the environment's doing.
  if (!error.matches(PyExc_Exception)) throw;
  raise_from(error, fmt::format("{} raised in {} {}", environment_.space.name, doing, steps_ + 1));
}

void GymBlock::read_now(const char* where) {
  ++rows_;
  const auto place = [&] { return fmt::format("{} {}, row {}", where, steps_ + 1, rows_); };
  try {
    reader_.read(raw_, now_);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", place(), error.what()));
  } catch (py::error_already_set& error) {
    if (!error.matches(py::module_::import("politex._core").attr("Error"))) throw;
    throw Error(fmt::format("{}: {}", place(), py::str(error.value()).cast<std::string>()));
  }
}

void GymBlock::restart(const py::object& seed) {
  try {
    const py::object result = seed.is_none() ? reset_() : reset_(py::arg("seed") = seed);
    if (!py::isinstance<py::tuple>(result) || py::len(result) != 2)
      throw Error(
          fmt::format("reset() of {} did not return (observation, info); accepted: environments of Gymnasium, not "
                      "of the old gym",
                      environment_.space.name));
    raw_ = result[py::int_(0)];
    read_now("reset() before step");
    const py::object info = result[py::int_(1)];
    read_masks(info);
  } catch (py::error_already_set& error) {
    broken_ = true;
    raise(error, "reset() before step");
  }
}

void GymBlock::step(int, std::span<const Action> actions, std::span<StepResult> into) {
  StepResult& done = into[0] = {};
  if (broken_) {
    broken_ = false;
    present_ = {};
    restart(py::none());
    done.skipped = true;
    return;
  }
  broken_ = true;  // until this function returns normally
  const Action action = possible_.empty() ? actions[0] : possible_action(possible_, actions[0]);
  try {
    const auto result = py::reinterpret_steal<py::object>(
        PyObject_CallOneArg(step_.ptr(), actions_[static_cast<std::size_t>(action)].ptr()));
    if (!result) throw py::error_already_set();
    PyObject* const fields = result.ptr();
    if (!PyTuple_Check(fields) || PyTuple_GET_SIZE(fields) != 5)
      throw Error(
          fmt::format("step() of {} did not return (observation, reward, terminated, truncated, info); accepted: "
                      "environments of Gymnasium, not of the old gym",
                      environment_.space.name));
    const double reward = PyFloat_AsDouble(PyTuple_GET_ITEM(fields, 1));
    if (reward == -1.0 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    if (!std::isfinite(reward))
      throw Error(fmt::format("{} gave the reward {} in step {}: rewards must be finite", environment_.space.name,
                              reward, steps_ + 1));
    const int terminated = PyObject_IsTrue(PyTuple_GET_ITEM(fields, 2));
    const int truncated = PyObject_IsTrue(PyTuple_GET_ITEM(fields, 3));
    if (terminated < 0 || truncated < 0) throw py::error_already_set();
    done = {.cost = 0.0 - reward, .score = reward, .terminated = terminated == 1, .truncated = truncated == 1};
    raw_ = py::reinterpret_borrow<py::object>(PyTuple_GET_ITEM(fields, 0));
    read_now("step");
    PyObject* const info = PyTuple_GET_ITEM(fields, 4);
    if (environment_.guards) {
      PyObject* const guarded = PyDict_Check(info) ? PyDict_GetItemString(info, "guarded") : nullptr;
      if (guarded != nullptr && PyObject_IsTrue(guarded) == 1) ++guarded_;
    }
    if (terminated == 1 || truncated == 1) {
      last_ = now_;
      restart(py::none());
    } else {
      read_masks(info);
    }
  } catch (py::error_already_set& error) {
    raise(error, "step");
  }
  ++steps_;
  broken_ = false;
  count(done.score, done.terminated || done.truncated);
}

void GymBlock::count(double reward, bool ended) {
  present_.reward += reward;
  ++present_.length;
  if (!ended) return;
  constexpr std::size_t kept = 100'000;
  if (episodes_.size() == 2 * kept) episodes_.erase(episodes_.begin(), episodes_.begin() + kept);
  present_.step = steps_;
  episodes_.push_back(std::exchange(present_, {}));
}

void GymBlock::observe(int, std::span<double> into) const { std::ranges::copy(now_, into.begin()); }
void GymBlock::last(int, std::span<double> into) const { std::ranges::copy(last_, into.begin()); }

bool GymBlock::can_save() const {
  if (!environment_.saves || !*environment_.wanted || broken_) return false;
  try {
    py::module_::import("pickle").attr("dumps")(environment_.env);
    return true;
  } catch (py::error_already_set&) {
    return false;
  }
}

void GymBlock::save(int, ByteWriter& to) const {
  const py::object pair = py::make_tuple(environment_.env, raw_);
  to.put(py::module_::import("pickle").attr("dumps")(pair).cast<std::string>());
  to.put(steps_);
  to.put(rows_);
  to.put(present_);
  if (masks()) to.put(possible_);
  if (environment_.guards) to.put(guarded_);
}

void GymBlock::restore(int, ByteReader& from) {
  std::string bytes;
  from.get(bytes);
  from.get(steps_);
  from.get_count(rows_, "rows");
  from.get(present_);
  if (masks()) from.get_again(possible_, "masks");
  if (environment_.guards) from.get_count(guarded_, "guarded steps");
  try {
    const py::object pair = py::module_::import("pickle").attr("loads")(py::bytes(bytes));
    const py::object saved = pair[py::int_(0)];
    if (!py::type::of(saved).is(py::type::of(environment_.env)))
      throw Error(fmt::format("the saved environment is not {}", environment_.space.name));
    // The caller's object takes the state of the saved one.
    environment_.env.attr("__dict__").attr("clear")();
    environment_.env.attr("__dict__").attr("update")(saved.attr("__dict__"));
    raw_ = pair[py::int_(1)];
    reader_.read(raw_, now_);
    broken_ = false;
  } catch (py::error_already_set& error) {
    raise(error, "loading at step");
  }
  step_ = environment_.env.attr("step");
  reset_ = environment_.env.attr("reset");
  if (!masks_.is_none()) {
    const std::vector<std::uint8_t> saved = possible_;
    find_masks();
    possible_ = saved;
  }
}

}  // namespace politex::python
