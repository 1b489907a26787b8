// A finite environment of one's own: a shop that stocks at most `capacity` items and orders at the end of each day.
#pragma once

#include <algorithm>
#include <vector>

#include "politex/env/environment.hpp"
#include "politex/env/finite_model.hpp"

/// The state is the stock in the morning, the action the number of items ordered, which arrive the next morning.
/// Two customers come a day, each buys with probability `demand`. Costs: stock held, orders made, less what is sold.
class Inventory {
 public:
  using State = int;

  explicit Inventory(int capacity, double demand = 0.6) : capacity_(capacity), demand_(demand) {}

  int actions() const { return 3; }
  int states() const { return capacity_ + 1; }
  int index(State stock) const { return stock; }
  State state(int index) const { return index; }
  State start(politex::Rng&) const { return 0; }

  double cost(int stock, politex::Action order) const {
    const double sold = stock == 0 ? 0.0 : stock == 1 ? 1.0 - no_buyer() : 2.0 * demand_;
    return 0.2 * stock + 1.0 * order + (order > 0 ? 0.5 : 0.0) - 4.0 * sold;
  }
  void outcomes(int stock, politex::Action order, std::vector<politex::Outcome>& into) const {
    const double both = demand_ * demand_;
    const double one = 1.0 - both - no_buyer();
    if (stock == 0) {
      into.push_back({morning(0, order), 1.0});
    } else if (stock == 1) {
      into.push_back({morning(1, order), no_buyer()});
      into.push_back({morning(0, order), one + both});
    } else {
      into.push_back({morning(stock, order), no_buyer()});
      into.push_back({morning(stock - 1, order), one});
      into.push_back({morning(stock - 2, order), both});
    }
  }
  politex::Step step(State& stock, politex::Action order, politex::Rng& rng) const {
    std::vector<politex::Outcome> next;
    outcomes(stock, order, next);
    const double paid = cost(stock, order);
    // No draw where there is one outcome: so the compiled tables walk through the same states as this function.
    const auto pick = next.size() == 1 ? 0 : politex::pick_outcome(next, rng.bits53());
    stock = next[static_cast<std::size_t>(pick)].next;
    return {.cost = paid, .restarted = false};
  }

 private:
  double no_buyer() const { return (1.0 - demand_) * (1.0 - demand_); }
  int morning(int left, int order) const { return std::min(left + order, capacity_); }

  int capacity_;
  double demand_;
};
static_assert(politex::FiniteEnvironment<Inventory>);
