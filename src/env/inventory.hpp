// An inventory that is reviewed every period: an order has a fixed cost and arrives at once or after some periods, then
// demand comes; stock and backlog cost per period.
#pragma once

#include "politex/env/entry.hpp"
#include "politex/env/finite_model.hpp"

namespace politex::inline env {

struct InventoryOptions {
  double fixed = 64.0;
  double holding = 1.0;
  double penalty = 9.0;
  double demand = 10.0;
  int capacity = 60;
  int backlog = 30;
  int lead = 0;
};

/// States are the stock before the order, from -backlog (state 0) to capacity; the start is an empty stock. Action 0
/// orders nothing, action a orders up to a where there is less. Demand is Poisson with mean `demand`; the cost is its
/// expectation: `fixed` for an order, `holding` for a unit left, `penalty` for a unit missing. Demand that would exceed
/// the backlog is lost. With a lead time an order arrives `lead` periods later, before the demand; a state is the stock
/// and the orders on their way, the next to arrive first, the last fastest, and actions order up to a position (stock
/// and orders). Throws ConfigError where there are too many states.
FiniteModel inventory_model(const InventoryOptions& options);

const EnvironmentEntry& inventory_entry();

}  // namespace politex::inline env
