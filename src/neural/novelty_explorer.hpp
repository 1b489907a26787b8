// An explorer that goes where the run has been least: greedy in a network that learns from bonuses for novelty while
// the run continues (novelty.hpp), never from costs. Between two updates it is frozen: a pure function for any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "politex/base/bytes.hpp"
#include "politex/env/space.hpp"
#include "politex/network/network.hpp"
#include "politex/policy/explorer.hpp"

namespace politex::inline policy {
struct ExplorerEntry;
}

namespace politex::neural {

struct NoveltyOptions {
  int hidden = 128;           // units of its networks
  double discount = 0.99;     // of its bonuses, per step
  double epsilon = 0.01;      // probability of beginning a random action, which is then held for a while
  double rate = 1e-3;         // Adam's step size
  std::int64_t renew = 2048;  // transitions of the run between two updates of the acting network
};

class NoveltyExplorer final : public Explorer {
 public:
  /// Until show() is called all actions are random. Throws ConfigError when an option is out of range.
  NoveltyExplorer(const NoveltyOptions& options, const Space& space);

  const NoveltyOptions& options() const noexcept { return options_; }

  /// The network that it acts by from now on. Only while no thread acts.
  void show(const DuelingNetwork& network);

  Action act(std::span<const double> observation, ExplorerMemory& memory, Rng& rng) const override;
  Action act(std::span<const float> observation, ExplorerMemory& memory, Rng& rng) const override;

  /// The frozen network, for checkpoints and other ranks. `shape` is that of the network.
  void save(ByteWriter& to) const;
  void restore(ByteReader& from, const Shape& shape);

 private:
  struct Shown {
    DuelingNetwork network;  // the frozen one cannot be saved
    FrozenNetwork frozen;
  };
  template <class Number>
  Action choose(std::span<const Number> observation, ExplorerMemory& memory, Rng& rng) const;
  template <class Number>
  Action best(std::span<const Number> observation) const;

  NoveltyOptions options_;
  Space space_;
  std::size_t inputs_;
  std::optional<Shown> shown_;
};

struct NoveltyShapes {
  Shape values, bonus;
};
/// The shapes of its networks, for the inputs of the learner's (`learner`).
NoveltyShapes novelty_shapes(const Shape& learner, const NoveltyOptions& options);

const ExplorerEntry& novelty_entry();

}  // namespace politex::neural
