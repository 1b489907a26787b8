// The explorer that takes every action with equal probability, drawn again at every step.
#pragma once

#include "politex/policy/explorer.hpp"

namespace politex::inline policy {

class UniformExplorer final : public Explorer {
 public:
  explicit UniformExplorer(int actions) : actions_(actions) {}
  using Explorer::act;
  Action act(std::span<const double>, ExplorerMemory&, Rng& rng) const override { return draw(rng); }
  Action act(std::span<const float>, ExplorerMemory&, Rng& rng) const override { return draw(rng); }
  bool compile(PolicyTable& into) const override;

 private:
  Action draw(Rng& rng) const { return static_cast<Action>(rng.below(static_cast<std::uint64_t>(actions_))); }

  int actions_;
};

struct ExplorerEntry;
const ExplorerEntry& uniform_entry();

}  // namespace politex::inline policy
