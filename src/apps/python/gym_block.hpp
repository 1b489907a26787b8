// Environments that are objects of Python, as blocks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "module.hpp"
#include "politex/env/block.hpp"

namespace politex::python {

/// Reads what an environment shows into doubles: a vector of numbers, or the index of a state.
class ObservationReader {
 public:
  /// `view` (may be None) is called with the observation first: features, or flattening. `first_state` is taken off an
  /// index.
  ObservationReader(const Space& space, py::object view, std::int64_t first_state);
  /// Throws Error where the numbers are of another count, not finite, or no index of a state.
  void read(py::handle observation, std::span<double> into) const;
  std::size_t size() const noexcept { return size_; }

 private:
  void read_array(py::handle observation, std::span<double> into) const;

  std::string name_;
  std::size_t size_;
  int states_;
  py::object view_, as_array_;
  bool has_view_;
  std::int64_t first_state_;
};

/// What the Python side found out about an environment.
struct GymEnvironment {
  py::object env;
  Space space;
  py::object view;
  std::int64_t first_state = 0, first_action = 0;
  std::uint64_t seed = 0;
  bool saves = true;  // its pickle is the whole of it
};

/// One Gymnasium environment. The GIL is held by whoever calls it. What it raises comes out as politex.Error with its
/// cause and the number of the step; the next step then only restarts it.
class GymBlock final : public EnvironmentBlock {
 public:
  /// Resets the environment with the seed.
  explicit GymBlock(const GymEnvironment& environment);
  const Space& space() const override { return environment_.space; }
  int count() const override { return 1; }
  void step(int first, std::span<const Action> actions, std::span<StepResult> into) override;
  void observe(int which, std::span<double> into) const override;
  using EnvironmentBlock::observe;
  void last(int which, std::span<double> into) const override;
  using EnvironmentBlock::last;
  /// Whether the environment can be pickled.
  bool can_save() const override;
  void save(int which, ByteWriter& to) const override;
  void restore(int which, ByteReader& from) override;

  /// The observation as the environment gave it, for explorers that are functions of Python.
  const py::object& raw() const noexcept { return raw_; }

 private:
  void reset(const py::object& seed);
  [[noreturn]] void raise(py::error_already_set& error, const char* doing) const;

  GymEnvironment environment_;
  ObservationReader reader_;
  py::object step_, reset_;
  std::vector<py::object> actions_;
  py::object raw_;
  std::vector<double> now_, last_;
  std::int64_t steps_ = 0;
  bool broken_ = false;
};

/// politex.Error with a cause: what `error` tells and where it happened.
[[noreturn]] void raise_from(py::error_already_set& error, const std::string& what);

}  // namespace politex::python
