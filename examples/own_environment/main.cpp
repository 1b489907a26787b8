// Brings a finite and a continuous environment of its own.
#include <cstdio>

#include "heater.hpp"
#include "inventory.hpp"

namespace {

/// Average cost of uniformly random actions: what any learner has to beat.
template <politex::Environment World>
double random_cost(const World& world, int steps) {
  politex::Rng actions(1, politex::Use::action);
  politex::Rng weather(1, politex::Use::environment);
  auto state = world.start(weather);
  double total = 0.0;
  for (int t = 0; t < steps; ++t) {
    const auto action = static_cast<politex::Action>(actions.below(static_cast<std::uint64_t>(world.actions())));
    total += world.step(state, action, weather).cost;
  }
  return total / steps;
}

}  // namespace

int main() {
  const Inventory inventory(8);
  const auto model = politex::compile(inventory, "inventory", 8, 0);
  std::printf("inventory: %d states, %d actions, random actions cost %.3f a day\n", model.states, model.actions,
              random_cost(inventory, 100'000));
  std::printf("heater: random actions cost %.3f a quarter of an hour\n", random_cost(Heater{}, 100'000));
}
