#include "politex/env/restart_cost.hpp"

#include <cmath>

#include "politex/base/error.hpp"

namespace politex::inline env {

void RestartCost::look(double cost, bool terminated) noexcept {
  // A first episode of one or two steps says nothing of the costs of others.
  constexpr std::int64_t enough_steps = 100;
  if (steps_ == 0) first_ = cost;
  ++steps_;
  if (cost != first_ || first_ == 0.0) {
    open_ = false;
  } else if (terminated && steps_ >= enough_steps) {
    value_ = -first_;
    open_ = false;
  }
}

void RestartCost::save(ByteWriter& to) const {
  if (given_) return;
  to.put(value_);
  to.put(first_);
  to.put(steps_);
  to.put(open_);
}

void RestartCost::restore(ByteReader& from) {
  if (given_) return;
  from.get(value_);
  from.get(first_);
  from.get(steps_);
  open_ = from.get<bool>();
  if (!std::isfinite(value_) || !std::isfinite(first_) || steps_ < 0) throw Error("the saved restart cost is damaged");
}

}  // namespace politex::inline env
