// The explorer that always takes one action.
#pragma once

#include <cstdint>

#include "politex/env/space.hpp"
#include "politex/policy/explorer.hpp"

namespace politex::inline policy {

class AlwaysExplorer final : public Explorer {
 public:
  explicit AlwaysExplorer(Action action) : action_(action) {}
  /// Throws ConfigError where the environment has no such action.
  AlwaysExplorer(std::int64_t action, const Space& space);

  using Explorer::act;
  Action act(std::span<const double>, ExplorerMemory&, Rng&) const override { return action_; }
  Action act(std::span<const float>, ExplorerMemory&, Rng&) const override { return action_; }
  bool compile(PolicyTable& into) const override {
    into.set_always(action_);
    return true;
  }

 private:
  Action action_;
};

struct ExplorerEntry;
const ExplorerEntry& always_entry();

}  // namespace politex::inline policy
