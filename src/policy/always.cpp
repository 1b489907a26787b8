#include "politex/policy/always.hpp"

#include <fmt/format.h>

#include "politex/base/error.hpp"
#include "politex/policy/explorer_entry.hpp"

namespace politex::inline policy {

AlwaysExplorer::AlwaysExplorer(std::int64_t action, const Space& space) : action_(static_cast<Action>(action)) {
  if (action < 0 || action >= space.actions)
    throw ConfigError{"explorer.action", fmt::format("{} is not an action of {}; accepted: 0 to {}", action, space.name,
                                                     space.actions - 1)};
}

namespace {

struct AlwaysOptions {
  std::int64_t action = 1;
};

}  // namespace

const ExplorerEntry& always_entry() {
  static const ExplorerEntry entry{
      .name = "always",
      .help = "one action, `action`",
      .keys = {key<&AlwaysOptions::action>("explorer.action", "the action that it takes", whole(0, 1'000'000))},
      .make = [](const ExplorerRequest& request) -> std::shared_ptr<const Explorer> {
        const auto options = read<AlwaysOptions>(always_entry().keys, request.values);
        return std::make_shared<AlwaysExplorer>(options.action, request.space);
      },
      .check =
          [](const Values& values, const Space* space) {
            if (space != nullptr) AlwaysExplorer(read<AlwaysOptions>(always_entry().keys, values).action, *space);
          }};
  return entry;
}

}  // namespace politex::inline policy
