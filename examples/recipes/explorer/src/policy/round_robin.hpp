// The explorer that takes the actions in turn, each for a number of steps.
#pragma once

#include <cstdint>

#include "politex/policy/explorer.hpp"
#include "politex/policy/explorer_entry.hpp"

namespace politex::inline policy {

class RoundRobin final : public Explorer {
 public:
  RoundRobin(int actions, std::int64_t hold) : actions_(actions), hold_(hold) {}
  using Explorer::act;
  Action act(std::span<const double> observation, ExplorerMemory& memory, Rng& rng) const override;

 private:
  int actions_;
  std::int64_t hold_;
};

const ExplorerEntry& round_robin_entry();

}  // namespace politex::inline policy
