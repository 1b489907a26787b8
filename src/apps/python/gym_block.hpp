// Environments that are objects of Python, as blocks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "module.hpp"
#include "politex/env/block.hpp"

namespace politex::python {

/// Reads an observation into doubles: a vector of numbers, or the index of a state.
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

/// An episode that ended.
struct EndedEpisode {
  std::int64_t step = 0;    // of the environment's life, at the end
  double reward = 0.0;      // sum of its rewards
  std::int64_t length = 0;  // steps
};

/// What the Python side determined about an environment.
struct GymEnvironment {
  py::object env;
  Space space;
  py::object view;
  std::int64_t first_state = 0, first_action = 0;
  std::uint64_t seed = 0;
  bool saves = true;                   // its pickle is complete
  std::shared_ptr<const bool> wanted;  // false: not to be saved
  bool guards = false;                 // it is a politex.Guard: info["guarded"] says who acted
};

/// One Gymnasium environment. The caller holds the GIL. What the environment raises becomes politex.Error with its
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
  /// Whether the environment has action_masks(), or info["action_mask"] after its first reset.
  bool masks() const override { return !possible_.empty(); }
  void possible(int which, std::span<std::uint8_t> into) const override;
  std::int64_t guarded_steps() const override { return environment_.guards ? guarded_ : -1; }
  /// Whether the environment can be pickled.
  bool can_save() const override;
  void save(int which, ByteWriter& to) const override;
  void restore(int which, ByteReader& from) override;

  /// The newest episodes that ended, at most 200,000.
  const std::vector<EndedEpisode>& episodes() const noexcept { return episodes_; }
  void set_episodes(std::vector<EndedEpisode> episodes) { episodes_ = std::move(episodes); }

  /// The observation as the environment gave it, for explorers that are functions of Python.
  const py::object& raw() const noexcept { return raw_; }

 private:
  using EnvironmentBlock::reset;
  void restart(const py::object& seed);
  /// Reads raw_ into now_. What is wrong with a row of features names the row and the step.
  void read_now(const char* where);
  void find_masks();
  /// Which actions are possible now, from action_masks() or from info.
  void read_masks(py::handle info);
  void count(double reward, bool ended);
  [[noreturn]] void raise(py::error_already_set& error, const char* doing) const;

  GymEnvironment environment_;
  ObservationReader reader_;
  py::object step_, reset_;
  std::vector<py::object> actions_;
  py::object raw_;
  std::vector<double> now_, last_;
  py::object masks_;                    // action_masks, or None
  std::vector<std::uint8_t> possible_;  // one flag per action; empty: the environment has no masks
  std::int64_t guarded_ = 0;
  std::int64_t steps_ = 0, rows_ = 0;
  EndedEpisode present_;
  std::vector<EndedEpisode> episodes_;
  bool broken_ = false;
};

/// politex.Error with `error` as its cause, whose kind and words follow `what`.
[[noreturn]] void raise_from(py::error_already_set& error, const std::string& what);

/// What an explorer of Python chooses for an observation. What it raises becomes politex.Error.
std::int64_t action_of(const py::object& choose, const py::object& observation, const std::string& environment);

}  // namespace politex::python
