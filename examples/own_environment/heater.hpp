// A continuous environment of one's own: a room that is heated or not, while the weather changes.
#pragma once

#include <algorithm>
#include <span>

#include "politex/env/environment.hpp"

/// Action 1 heats for a quarter of an hour. Costs: the heating, and discomfort when it is not about 20 degrees.
class Heater {
 public:
  struct State {
    double inside = 15.0;
    double outside = 5.0;
  };

  int actions() const { return 2; }
  State start(politex::Rng&) const { return {}; }

  politex::Step step(State& now, politex::Action heat, politex::Rng& rng) const {
    const double discomfort = (now.inside - 20.0) / 5.0;
    const double cost = 0.3 * heat + discomfort * discomfort;
    now.inside = std::clamp(now.inside + 0.1 * (now.outside - now.inside) + 3.0 * heat, -10.0, 40.0);
    now.outside = std::clamp(now.outside + 0.05 * (5.0 - now.outside) + rng.normal(), -10.0, 20.0);
    return {.cost = cost, .restarted = false};
  }

  /// What features and networks see: numbers of about unit size.
  int observation_size() const { return 2; }
  void observe(const State& now, std::span<double> into) const {
    into[0] = (now.inside - 15.0) / 25.0;
    into[1] = (now.outside - 5.0) / 15.0;
  }
};
static_assert(politex::ObservableEnvironment<Heater>);
