#include "politex/policy/no_explorer.hpp"

namespace politex::inline policy {

const ExplorerEntry& no_explorer_entry() {
  static const ExplorerEntry entry{.name = "none", .help = "no exploration segments"};
  return entry;
}

}  // namespace politex::inline policy
