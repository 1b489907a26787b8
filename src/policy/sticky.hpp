// The explorer that keeps its last action and draws a new one at times: in a maze, single random steps lead nowhere.
#pragma once

#include "politex/policy/explorer.hpp"

namespace politex::inline policy {

class StickyExplorer final : public Explorer {
 public:
  /// Draws a new action with probability `change` at every step.
  StickyExplorer(int actions, double change) : actions_(actions), change_(change) {}
  using Explorer::act;
  Action act(std::span<const double>, ExplorerMemory& memory, Rng& rng) const override { return draw(memory, rng); }
  Action act(std::span<const float>, ExplorerMemory& memory, Rng& rng) const override { return draw(memory, rng); }

  static constexpr double usual_change = 0.1;

 private:
  Action draw(ExplorerMemory& memory, Rng& rng) const;

  int actions_;
  double change_;
};

struct ExplorerEntry;
const ExplorerEntry& sticky_entry();

}  // namespace politex::inline policy
