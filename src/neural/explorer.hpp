// Exploration policies of the neural learners: functions of the observation, never of a cost.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "politex/base/rng.hpp"
#include "politex/env/environment.hpp"
#include "politex/neural/network.hpp"

namespace politex::neural {

/// What an exploration policy remembers of one logical environment, across its segments; part of the checkpoint.
struct ExplorerMemory {
  std::int64_t goal = -1;   // where it is going; -1: not decided
  std::int64_t left = 0;    // steps until it decides anew
  std::int64_t action = 0;  // taken last
};

class Explorer {
 public:
  virtual ~Explorer() = default;
  /// Any thread may call it; `memory` and `rng` belong to the logical environment.
  virtual Action act(std::span<const float> observation, ExplorerMemory& memory, Rng& rng) const = 0;
};

/// Every action with equal probability, drawn anew at every step.
class UniformExplorer final : public Explorer {
 public:
  explicit UniformExplorer(int actions) : actions_(actions) {}
  Action act(std::span<const float> observation, ExplorerMemory& memory, Rng& rng) const override;

 private:
  int actions_;
};

/// Keeps its last action, and draws a new one with probability `change`: in a maze single random steps lead nowhere.
class StickyExplorer final : public Explorer {
 public:
  StickyExplorer(int actions, double change) : actions_(actions), change_(change) {}
  Action act(std::span<const float> observation, ExplorerMemory& memory, Rng& rng) const override;

 private:
  int actions_;
  double change_;
};

/// One action, always.
class AlwaysExplorer final : public Explorer {
 public:
  explicit AlwaysExplorer(Action action) : action_(action) {}
  Action act(std::span<const float>, ExplorerMemory&, Rng&) const override { return action_; }

 private:
  Action action_;
};

/// Cartpole: keeps the pole's energy at that of standing upright and the cart near the middle; it does not balance. A
/// tenth of its actions is uniformly random.
class EnergyPump final : public Explorer {
 public:
  Action act(std::span<const float> observation, ExplorerMemory& memory, Rng& rng) const override;
};

/// Epsilon-greedy in a trained network (a file that `politex explore` wrote).
class NetworkExplorer final : public Explorer {
 public:
  NetworkExplorer(const DuelingNetwork& network, double epsilon)
      : network_(network), actions_(network.shape().actions), epsilon_(epsilon) {}
  Action act(std::span<const float> observation, ExplorerMemory& memory, Rng& rng) const override;

 private:
  FrozenNetwork network_;
  int actions_;
  double epsilon_;
};

}  // namespace politex::neural
