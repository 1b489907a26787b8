// Rules with numbers: a threshold, a base stock, a reorder point with an order-up-to level.
#pragma once

#include "politex/heuristics/heuristic.hpp"

namespace politex::inline heuristics {

const HeuristicEntry& threshold_entry();
const HeuristicEntry& base_stock_entry();
const HeuristicEntry& reorder_point_entry();

}  // namespace politex::inline heuristics
