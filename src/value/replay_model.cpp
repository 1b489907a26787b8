#include "politex/value/replay_model.hpp"

namespace politex::inline value {

void ReplayModel::build(const TransitionCounts& counts, std::span<const double> costs,
                        std::span<const double> cost_scatter) {
  const auto actions = static_cast<std::size_t>(counts.actions());
  states_.assign(counts.seen().begin(), counts.seen().end());
  const std::size_t entries = states_.size() * actions;
  first_.resize(entries + 1);
  count_.resize(entries);
  inverse_count_.resize(entries);
  cost_.resize(entries);
  cost_scatter_.resize(entries);
  next_.clear();
  probability_.clear();
  first_[0] = 0;
  for (std::size_t row = 0; row < states_.size(); ++row)
    for (std::size_t a = 0; a < actions; ++a) {
      const std::size_t entry = row * actions + a, pair = state(row) * actions + a;
      const double n = counts.count(static_cast<std::int32_t>(pair));
      const double inverse = n > 0.0 ? 1.0 / n : 0.0;
      for (const auto& one : counts.successors(static_cast<std::int32_t>(pair))) {
        next_.push_back(one.state);
        probability_.push_back(one.count * inverse);
      }
      first_[entry + 1] = next_.size();
      count_[entry] = n;
      inverse_count_[entry] = inverse;
      cost_[entry] = costs[pair] * inverse;
      cost_scatter_[entry] = cost_scatter[pair];
    }
}

}  // namespace politex::inline value
