#include "politex/policy/sticky.hpp"

#include "politex/policy/explorer_entry.hpp"

namespace politex::inline policy {

Action StickyExplorer::draw(ExplorerMemory& memory, Rng& rng) const {
  if (rng.uniform() < change_)
    memory.action = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(actions_)));
  return static_cast<Action>(memory.action);
}

const ExplorerEntry& sticky_entry() {
  static const ExplorerEntry entry{.name = "sticky",
                                   .help = "keeps its action, and draws a new one with probability 0.1",
                                   .make = [](const ExplorerRequest& request) -> std::shared_ptr<const Explorer> {
                                     return std::make_shared<StickyExplorer>(request.space.actions,
                                                                             StickyExplorer::usual_change);
                                   },
                                   .fixed_policy = false};
  return entry;
}

}  // namespace politex::inline policy
