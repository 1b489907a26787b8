// A vector environment of Gymnasium behind the seam of env/outside.hpp: one call of Python a round.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "module.hpp"
#include "politex/env/outside.hpp"
#include "politex/neural/explorer.hpp"

namespace politex::python {

/// When an environment of a vector starts again: as gymnasium.vector.AutoresetMode.
enum class Restart { next_step, same_step, disabled };

/// Any thread may call it: it takes the GIL. With next_step the round after an end only restarts, and is told as
/// skipped.
class VectorBlock final : public OutsideBlock {
 public:
  /// `told`: env, vector (methods observe, save, restore of politex.vectors.Vector), count, restart, restart_cost,
  /// seed.
  VectorBlock(OutsideSpace space, const py::dict& told, std::uint64_t seed);
  VectorBlock(const VectorBlock&) = delete;
  VectorBlock& operator=(const VectorBlock&) = delete;
  ~VectorBlock() override;

  const OutsideSpace& space() const override { return space_; }
  int count() const override { return count_; }
  void step(std::span<const Action> actions, std::span<OutsideStep> into) override;
  void observe(int which, std::span<double> into) const override { show(now_, which, into); }
  void observe(int which, std::span<float> into) const override { show(now_, which, into); }
  void last(int which, std::span<double> into) const override { show(last_, which, into); }
  void last(int which, std::span<float> into) const override { show(last_, which, into); }
  bool can_save() const override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;

 private:
  template <class T>
  void show(const std::vector<float>& all, int which, std::span<T> into) const {
    const float* const from = all.data() + static_cast<std::size_t>(which) * size_;
    for (std::size_t i = 0; i < size_; ++i) into[i] = static_cast<T>(from[i]);
  }
  void read(const py::handle& observations, std::vector<float>& into) const;
  void play(std::span<const Action> actions, std::span<OutsideStep> into);

  OutsideSpace space_;
  int count_;
  std::size_t size_;
  Restart restart_;
  double restart_cost_;
  std::int64_t first_action_;
  py::object vector_;
  std::vector<float> now_, last_;
  std::vector<char> ended_;  // next_step: this round only restarts it
  std::int64_t rounds_ = 0;
};

/// A function of Python from an observation to an action; takes the GIL.
class PythonExplorer final : public neural::Explorer {
 public:
  PythonExplorer(py::object choose, const OutsideSpace& space) : choose_(std::move(choose)), space_(space) {}
  PythonExplorer(const PythonExplorer&) = delete;
  PythonExplorer& operator=(const PythonExplorer&) = delete;
  ~PythonExplorer() override;
  Action act(std::span<const float> observation, neural::ExplorerMemory& memory, Rng& rng) const override;

 private:
  py::object choose_;
  OutsideSpace space_;
};

}  // namespace politex::python
