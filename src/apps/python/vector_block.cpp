#include "vector_block.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <algorithm>
#include <cmath>

#include "gym_block.hpp"
#include "politex/base/error.hpp"

namespace politex::python {
namespace {

template <class T>
using In = py::array_t<T, py::array::c_style | py::array::forcecast>;

template <class T>
In<T> column(const py::handle& given, int count, const Space& space, const char* what) {
  auto array = In<T>::ensure(given);
  if (!array || array.size() != count) {
    PyErr_Clear();
    throw Error(fmt::format("{} did not give {} {}", space.name, count, what));
  }
  return array;
}

}  // namespace

VectorBlock::VectorBlock(const VectorOptions& options, std::uint64_t seed)
    : space_(options.space),
      count_(options.count),
      size_(space_.ranges.size()),
      restart_(options.restart),
      restart_cost_(options.restart_cost),
      first_action_(options.first_action),
      wanted_(options.wanted),
      vector_(options.vector),
      now_(static_cast<std::size_t>(count_) * size_),
      last_(now_.size()),
      ended_(static_cast<std::size_t>(count_), 0) {
  try {
    read(vector_.attr("reset")(seed), now_);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
    raise_from(error, fmt::format("{} raised in reset()", space_.name));
  }
}

VectorBlock::~VectorBlock() {
  const py::gil_scoped_acquire acquire;
  vector_ = py::object();
}

void VectorBlock::read(const py::handle& observations, std::vector<float>& into) const {
  const auto array = In<float>::ensure(observations);
  if (!array || static_cast<std::size_t>(array.size()) != into.size()) {
    PyErr_Clear();
    throw Error(fmt::format("{} did not give {} observations of {} numbers", space_.name, count_, size_));
  }
  std::copy_n(array.data(), into.size(), into.begin());
  if (!std::ranges::all_of(into, [](float value) { return std::isfinite(value); }))
    throw Error(fmt::format("{} gave an observation that is not finite in round {}", space_.name, rounds_ + 1));
}

void VectorBlock::step(int, std::span<const Action> actions, std::span<StepResult> into) {
  const py::gil_scoped_acquire acquire;
  try {
    play(actions, into);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
    raise_from(error, fmt::format("{} raised in round {} (step {} of each environment)", space_.name, rounds_ + 1,
                                  rounds_ + 1));
  }
  ++rounds_;
}

void VectorBlock::play(std::span<const Action> actions, std::span<StepResult> into) {
  py::array_t<std::int64_t> chosen(count_);
  for (int i = 0; i < count_; ++i) chosen.mutable_data()[i] = actions[static_cast<std::size_t>(i)] + first_action_;
  // observations, rewards, terminations, truncations, last observations (None where no episode ended)
  const py::tuple result = vector_.attr("step")(chosen);
  const auto rewards = column<double>(result[1], count_, space_, "rewards");
  const auto terminated = column<bool>(result[2], count_, space_, "terminations");
  const auto truncated = column<bool>(result[3], count_, space_, "truncations");
  read(result[0], now_);
  if (!result[4].is_none()) read(result[4], last_);
  for (int i = 0; i < count_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    StepResult& step = into[k] = {};
    if (ended_[k] != 0) {
      ended_[k] = 0;
      step.skipped = true;
      continue;
    }
    const double reward = rewards.data()[i];
    if (!std::isfinite(reward))
      throw Error(fmt::format("{} gave the reward {} in environment {}, step {}: rewards must be finite", space_.name,
                              reward, i, rounds_ + 1));
    step.terminated = terminated.data()[i];
    step.truncated = truncated.data()[i] && !step.terminated;
    step.cost = (step.terminated ? restart_cost_ : 0.0) - reward;
    step.score = reward;
    if (restart_ == Restart::next_step) ended_[k] = step.terminated || step.truncated ? 1 : 0;
  }
}

bool VectorBlock::can_save() const {
  const py::gil_scoped_acquire acquire;
  return *wanted_ && !vector_.attr("save")().is_none();
}

void VectorBlock::save(int which, ByteWriter& to) const {
  if (which != 0) return;
  const py::gil_scoped_acquire acquire;
  to.put(vector_.attr("save")().cast<std::string>());
  to.put(now_);
  to.put(last_);
  to.put(ended_);
  to.put(rounds_);
}

void VectorBlock::restore(int which, ByteReader& from) {
  if (which != 0) return;
  const py::gil_scoped_acquire acquire;
  std::string bytes;
  from.get(bytes);
  from.get(now_);
  from.get(last_);
  from.get(ended_);
  from.get(rounds_);
  if (now_.size() != last_.size() || now_.size() != static_cast<std::size_t>(count_) * size_ ||
      ended_.size() != static_cast<std::size_t>(count_))
    throw Error(fmt::format("the saved environments are not {}", space_.name));
  vector_.attr("restore")(py::bytes(bytes));
}

PythonExplorer::~PythonExplorer() {
  const py::gil_scoped_acquire acquire;
  choose_ = py::object();
}

Action PythonExplorer::act(std::span<const double> observation, ExplorerMemory& memory, Rng& rng) const {
  const std::vector<float> narrow(observation.begin(), observation.end());
  return act(std::span<const float>(narrow), memory, rng);
}

Action PythonExplorer::act(std::span<const float> observation, ExplorerMemory&, Rng&) const {
  const py::gil_scoped_acquire acquire;
  const py::array_t<float> seen(static_cast<py::ssize_t>(observation.size()), observation.data());
  const std::int64_t action = action_of(choose_, seen, space_.name);
  if (action < 0 || action >= space_.actions)
    throw Error(fmt::format("the explorer chose {}, which is not an action of {}; accepted: 0 to {}", action,
                            space_.name, space_.actions - 1));
  return static_cast<Action>(action);
}

}  // namespace politex::python
