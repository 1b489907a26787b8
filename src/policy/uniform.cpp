#include "politex/policy/uniform.hpp"

#include "politex/policy/explorer_entry.hpp"

namespace politex::inline policy {

bool UniformExplorer::compile(PolicyTable& into) const {
  const auto bounds = into.bounds();
  into = PolicyTable(into.states(), into.actions());
  if (bounds) into.bind(bounds);  // uniform over the possible actions
  return true;
}

const ExplorerEntry& uniform_entry() {
  static const ExplorerEntry entry{.name = "uniform",
                                   .help = "uniformly random actions",
                                   .make = [](const ExplorerRequest& request) -> std::shared_ptr<const Explorer> {
                                     return std::make_shared<UniformExplorer>(request.space.actions);
                                   }};
  return entry;
}

}  // namespace politex::inline policy
