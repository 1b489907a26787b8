// A trained network as an exploration policy.
#pragma once

#include <span>
#include <utility>

#include "politex/env/space.hpp"
#include "politex/network/network.hpp"
#include "politex/policy/explorer.hpp"

namespace politex::neural {

/// Epsilon-greedy in a network (a file that `politex explore` wrote).
class NetworkExplorer final : public Explorer {
 public:
  /// The network's inputs are those of `space` (neural/blocks.hpp).
  NetworkExplorer(const DuelingNetwork& network, double epsilon, Space space)
      : network_(network),
        inputs_(static_cast<std::size_t>(network.shape().inputs)),
        actions_(network.shape().actions),
        epsilon_(epsilon),
        space_(std::move(space)) {}
  Action act(std::span<const double> observation, ExplorerMemory& memory, Rng& rng) const override;
  Action act(std::span<const float> observation, ExplorerMemory& memory, Rng& rng) const override;
  /// Where states are listed: the network is evaluated once per state.
  bool compile(PolicyTable& into) const override;

 private:
  template <class Number>
  Action best(std::span<const Number> observation) const;

  FrozenNetwork network_;
  std::size_t inputs_;
  int actions_;
  double epsilon_;
  Space space_;
};

}  // namespace politex::neural
