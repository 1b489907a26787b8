#include "politex/policy/round_robin.hpp"

namespace politex::inline policy {

Action RoundRobin::act(std::span<const double>, ExplorerMemory& memory, Rng&) const {
  const std::int64_t action = memory.action;
  if (memory.left == 0) memory.left = hold_;
  if (--memory.left == 0) memory.action = (action + 1) % actions_;
  return static_cast<Action>(action);
}

namespace {

struct RoundRobinOptions {
  std::int64_t hold = 1;
};

std::shared_ptr<const Explorer> make_round_robin(const ExplorerRequest& request) {
  const auto options = read<RoundRobinOptions>(round_robin_entry().keys, request.values);
  return std::make_shared<RoundRobin>(request.space.actions, options.hold);
}

}  // namespace

const ExplorerEntry& round_robin_entry() {
  static const ExplorerEntry entry{
      .name = "round_robin",
      .help = "all actions in turn, each for `hold` steps",
      .keys = {key<&RoundRobinOptions::hold>("explorer.hold", "steps that an action is kept", whole(1, 1'000'000))},
      .make = make_round_robin,
      .fixed_policy = false};
  return entry;
}

}  // namespace politex::inline policy
