#include "politex/env/restart_cost.hpp"

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
  from.get_finite(value_, "the restart cost");
  from.get_finite(first_, "the restart cost");
  from.get_count(steps_, "the restart cost");
  from.get(open_);
}

}  // namespace politex::inline env
