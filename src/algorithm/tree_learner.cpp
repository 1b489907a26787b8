#include "politex/algorithm/tree_learner.hpp"

#include <algorithm>
#include <utility>

namespace politex::inline algorithm {

TreeReplayLearner::TreeReplayLearner(std::shared_ptr<CellTree> tree, int columns, int actions)
    : columns_(static_cast<std::size_t>(columns)),
      values_(std::move(tree), actions),
      weights_(columns_ * static_cast<std::size_t>(actions), 0.0),
      newest_(weights_.size(), 0.0) {}

void TreeReplayLearner::learn(const Phase& phase) {
  values_.learn(phase);
  set_weights();
}

void TreeReplayLearner::set_weights() {
  if (!values_.learned()) return;
  const auto actions = static_cast<std::size_t>(values_.actions());
  const std::span<const double> q = values_.q();
  for (std::size_t x = 0; x * actions < q.size(); ++x) {
    const auto [low, high] = std::ranges::minmax(q.subspan(x * actions, actions));
    for (std::size_t a = 0; a < actions; ++a) {
      const double value = q[x * actions + a];
      newest_[a * columns_ + x] = value;
      weights_[a * columns_ + x] = high > low ? (value - low) / (high - low) : 0.0;
    }
  }
}

void TreeReplayLearner::restart(double) {
  values_.restart();
  std::ranges::fill(weights_, 0.0);
  std::ranges::fill(newest_, 0.0);
}

void TreeReplayLearner::restore(ByteReader& from) {
  values_.restore(from);
  std::ranges::fill(weights_, 0.0);
  std::ranges::fill(newest_, 0.0);
  set_weights();
}

}  // namespace politex::inline algorithm
