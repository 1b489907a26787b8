#include "politex/heuristics/number_rules.hpp"

#include <fmt/format.h>

#include "politex/heuristics/network_rules.hpp"

namespace politex::inline heuristics {
namespace {

constexpr std::string_view threshold_name = "threshold", base_stock_name = "base_stock", reorder_point_name = "s_S";

const StockStructure& stock_of(const HeuristicRequest& request, std::string_view name) {
  if (request.model.structure == nullptr || !request.model.structure->stock)
    request.refuse(name, "it needs a stock that is ordered up to a level (inventory)");
  const StockStructure& stock = *request.model.structure->stock;
  if (request.options.level < 1 || request.options.level > stock.highest)
    request.refuse(name, fmt::format("level is {}; accepted here: 1 to {}", request.options.level, stock.highest));
  return stock;
}

std::vector<Action> order_up_to(const HeuristicRequest& request, const StockStructure& stock, int reorder) {
  std::vector<Action> actions;
  for (const int position : stock.position) actions.push_back(position <= reorder ? request.options.level : 0);
  return actions;
}

std::vector<Action> base_stock(const HeuristicRequest& request) {
  return order_up_to(request, stock_of(request, base_stock_name), request.options.level - 1);
}

std::vector<Action> reorder_point(const HeuristicRequest& request) {
  const StockStructure& stock = stock_of(request, reorder_point_name);
  if (request.options.reorder >= request.options.level)
    request.refuse(reorder_point_name, fmt::format("reorder is {} and level is {}; accepted: reorder below level",
                                                   request.options.reorder, request.options.level));
  return order_up_to(request, stock, request.options.reorder);
}

std::vector<Action> threshold(const HeuristicRequest& request) {
  const ProblemStructure* structure = request.model.structure.get();
  if (structure != nullptr && structure->network) return network_threshold(request);
  if (structure == nullptr || !structure->levels)
    request.refuse(threshold_name,
                   "it needs queues, or one number that decides between two actions (access_control, replacement)");
  const LevelStructure& levels = *structure->levels;
  // One above the highest level is "never".
  if (request.options.threshold > levels.highest + 1)
    request.refuse(threshold_name, fmt::format("threshold is {}; accepted here: 0 to {}", request.options.threshold,
                                               levels.highest + 1));
  std::vector<Action> actions;
  for (const int level : levels.level)
    actions.push_back(level >= request.options.threshold ? levels.from : levels.below);
  return actions;
}

Key level_key() {
  return key<&HeuristicOptions::level>("explorer.level", "orders go up to this position; must be given",
                                       whole(0, 1'000'000))
      .only_where({"explorer.policy", {base_stock_name, reorder_point_name}});
}

}  // namespace

const HeuristicEntry& threshold_entry() {
  static const HeuristicEntry entry{
      .name = threshold_name,
      .help =
          "one number decides: replace from this condition on; accept from this priority (0 to 3) on; queues: a "
          "server serves its last class, but its first where that has this many jobs",
      .keys = {key<&HeuristicOptions::threshold>("explorer.threshold", "where the rule changes its action",
                                                 whole(0, 1'000'000))
                   .only_where({"explorer.policy", {threshold_name}})},
      .actions = threshold};
  return entry;
}

const HeuristicEntry& base_stock_entry() {
  static const HeuristicEntry entry{.name = base_stock_name,
                                    .help = "inventory: order up to `level` in every period",
                                    .keys = {level_key()},
                                    .actions = base_stock};
  return entry;
}

const HeuristicEntry& reorder_point_entry() {
  static const HeuristicEntry entry{
      .name = reorder_point_name,
      .help = "inventory: where the position is at most `reorder` (s), order up to `level` (S)",
      .keys = {key<&HeuristicOptions::reorder>("explorer.reorder", "the highest position at which an order is made",
                                               whole(-1'000'000, 1'000'000))
                   .only_where({"explorer.policy", {reorder_point_name}}),
               level_key()},
      .actions = reorder_point};
  return entry;
}

}  // namespace politex::inline heuristics
