#include "politex/neural/network_explorer.hpp"

#include <algorithm>
#include <vector>

#include "politex/neural/blocks.hpp"

namespace politex::neural {

template <class Number>
Action NetworkExplorer::best(std::span<const Number> observation) const {
  thread_local FrozenNetwork::Workspace workspace;
  thread_local std::vector<float> values, input;
  input.assign(inputs_, 0.0F);
  std::ranges::transform(observation, input.begin(), [](Number x) { return static_cast<float>(x); });
  prepare_input(space_, input);
  values.resize(static_cast<std::size_t>(actions_));
  network_.evaluate(input.data(), 1, values.data(), workspace);
  return static_cast<Action>(std::ranges::min_element(values) - values.begin());
}

Action NetworkExplorer::act(std::span<const double> observation, ExplorerMemory&, Rng& rng) const {
  if (rng.uniform() < epsilon_) return static_cast<Action>(rng.below(static_cast<std::uint64_t>(actions_)));
  return best(observation);
}

Action NetworkExplorer::act(std::span<const float> observation, ExplorerMemory&, Rng& rng) const {
  if (rng.uniform() < epsilon_) return static_cast<Action>(rng.below(static_cast<std::uint64_t>(actions_)));
  return best(observation);
}

bool NetworkExplorer::compile(PolicyTable& into) const {
  if (space_.states != into.states() || actions_ != into.actions()) return false;
  const auto width = static_cast<std::size_t>(actions_);
  std::vector<double> probabilities(static_cast<std::size_t>(into.states()) * width, epsilon_ / actions_);
  for (int state = 0; state < into.states(); ++state) {
    const double index = state;
    const auto chosen = static_cast<std::size_t>(best(std::span<const double>(&index, 1)));
    probabilities[static_cast<std::size_t>(state) * width + chosen] += 1.0 - epsilon_;
  }
  into.set(probabilities);
  return true;
}

}  // namespace politex::neural
