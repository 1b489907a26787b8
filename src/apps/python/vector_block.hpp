// A vector environment of Gymnasium as a block: one call of Python per round.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "module.hpp"
#include "politex/env/block.hpp"
#include "politex/policy/explorer.hpp"

namespace politex::python {

/// When an environment of a vector starts again: as gymnasium.vector.AutoresetMode.
enum class Restart { next_step, same_step, disabled };

struct VectorOptions {
  Space space;
  py::object vector;  // with the methods reset, step, save and restore of politex.vectors.Vector
  int count = 1;
  Restart restart = Restart::next_step;
  double restart_cost = 0.0;  // added to the cost of a step that terminates
  std::int64_t first_action = 0;
  std::shared_ptr<const bool> wanted;  // false: not to be saved
};

/// Any thread may call it: it takes the GIL. With next_step the round after an end only restarts, and is marked as
/// skipped.
class VectorBlock final : public EnvironmentBlock {
 public:
  /// Resets the environments with the seed.
  VectorBlock(const VectorOptions& options, std::uint64_t seed);
  VectorBlock(const VectorBlock&) = delete;
  VectorBlock& operator=(const VectorBlock&) = delete;
  ~VectorBlock() override;

  const Space& space() const override { return space_; }
  int count() const override { return count_; }
  void step(int first, std::span<const Action> actions, std::span<StepResult> into) override;
  void observe(int which, std::span<double> into) const override { show(now_, which, into); }
  void observe(int which, std::span<float> into) const override { show(now_, which, into); }
  void last(int which, std::span<double> into) const override { show(last_, which, into); }
  void last(int which, std::span<float> into) const override { show(last_, which, into); }
  bool can_save() const override;
  void save(int which, ByteWriter& to) const override;
  void restore(int which, ByteReader& from) override;

 private:
  template <class T>
  void show(const std::vector<float>& all, int which, std::span<T> into) const {
    const float* const from = all.data() + static_cast<std::size_t>(which) * size_;
    for (std::size_t i = 0; i < size_; ++i) into[i] = static_cast<T>(from[i]);
  }
  void read(const py::handle& observations, std::vector<float>& into) const;
  void play(std::span<const Action> actions, std::span<StepResult> into);

  Space space_;
  int count_;
  std::size_t size_;
  Restart restart_;
  double restart_cost_;
  std::int64_t first_action_;
  std::shared_ptr<const bool> wanted_;
  py::object vector_;
  std::vector<float> now_, last_;
  std::vector<char> ended_;  // next_step: this round only restarts it
  std::int64_t rounds_ = 0;
};

/// A function of Python from an observation to an action; takes the GIL.
class PythonExplorer final : public Explorer {
 public:
  PythonExplorer(py::object choose, const Space& space) : choose_(std::move(choose)), space_(space) {}
  PythonExplorer(const PythonExplorer&) = delete;
  PythonExplorer& operator=(const PythonExplorer&) = delete;
  ~PythonExplorer() override;
  Action act(std::span<const double> observation, ExplorerMemory& memory, Rng& rng) const override;
  Action act(std::span<const float> observation, ExplorerMemory& memory, Rng& rng) const override;

 private:
  py::object choose_;
  Space space_;
};

}  // namespace politex::python
