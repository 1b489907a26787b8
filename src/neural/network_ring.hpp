// The circular buffer of the newest Q-networks, and the policy that they make.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/network/network.hpp"
#include "politex/neural/ring_policy.hpp"

namespace politex::neural {

class NetworkRing {
 public:
  /// Throws ConfigError when a setting is out of range.
  NetworkRing(const Shape& shape, const PolicySettings& settings);

  /// A copy of the network joins, weighted by the length of its phase; the oldest leaves a full ring.
  void push(const DuelingNetwork& network, double phase_length);

  const RingPolicy& policy() const noexcept { return policy_; }
  /// The networks, the oldest first, and the lengths of their phases.
  std::span<const DuelingNetwork> networks() const noexcept { return networks_; }
  std::span<const double> lengths() const noexcept { return lengths_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  Shape shape_;
  PolicySettings settings_;
  RingPolicy policy_;
  std::vector<DuelingNetwork> networks_;  // the policy has them frozen; these are saved
  std::vector<double> lengths_;
};

}  // namespace politex::neural
