#include "politex/run/optimal_explorer.hpp"

#include <fmt/format.h>

#include "politex/base/error.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/policy/table_explorer.hpp"

namespace politex::inline run {

const ExplorerEntry& optimal_entry() {
  static const ExplorerEntry entry{
      .name = "optimal",
      .help = "an optimal policy, computed exactly; finite environments",
      .make = [](const ExplorerRequest& request) -> std::shared_ptr<const Explorer> {
        if (request.model == nullptr)
          throw ConfigError{"explorer.name", fmt::format("\"{}\" needs a finite environment, and {} is not",
                                                         optimal_entry().name, request.space.name)};
        PolicyTable table(request.model->states, request.model->actions);
        table.set(exact::deterministic_policy(*request.model, exact::optimum(*request.model).action));
        return std::make_shared<TableExplorer>(std::move(table));
      }};
  return entry;
}

}  // namespace politex::inline run
