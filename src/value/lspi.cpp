#include "politex/value/lspi.hpp"

#include <algorithm>
#include <limits>

namespace politex::inline value {
namespace {

bool is_possible(std::span<const std::uint8_t> flags, int action) noexcept {
  return flags.empty() || flags[static_cast<std::size_t>(action)] != 0;
}

}  // namespace

double Lspi::update(const Transitions& data, std::span<double> weights) {
  const Features& features = data.features();
  greedy_.resize(static_cast<std::size_t>(features.slots()));
  for (std::size_t slot = 0; slot < greedy_.size(); ++slot) {
    const auto begin = static_cast<std::int32_t>(slot) * features.actions;
    const auto possible = data.possible(static_cast<std::int32_t>(slot));
    double least = std::numeric_limits<double>::infinity();
    for (int a = 0; a < features.actions; ++a)
      if (const double value = features.dot(begin + a, weights); is_possible(possible, a) && value < least) {
        least = value;
        greedy_[slot] = begin + a;
      }
  }
  equations_.reset();
  for (const auto& entry : data.entries()) {
    const FeatureRow psi = features.row(entry.pair);
    equations_.add_own(psi, entry.count);
    const std::int32_t greedy = greedy_[static_cast<std::size_t>(entry.next)];
    equations_.add_next(psi, features.row(greedy), (1.0 - options_.epsilon) * entry.count);
    const auto begin = static_cast<std::int32_t>(entry.next) * features.actions;
    const auto possible = data.possible(entry.next);
    const auto choices = possible.empty() ? features.actions : std::ranges::count(possible, std::uint8_t{1});
    for (int a = 0; options_.epsilon > 0.0 && a < features.actions; ++a)
      if (is_possible(possible, a))
        equations_.add_next(psi, features.row(begin + a),
                            options_.epsilon / static_cast<double>(choices) * entry.count);
    equations_.add_target(psi, entry.cost);
  }
  return equations_.solve(options_.solve, options_.ridge, weights);
}

}  // namespace politex::inline value
