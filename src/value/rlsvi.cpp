#include "politex/value/rlsvi.hpp"

#include <algorithm>
#include <limits>

namespace politex::inline value {

double least_value(const Features& features, int slot, std::span<const double> weights,
                   std::span<const std::uint8_t> possible) noexcept {
  double least = std::numeric_limits<double>::infinity();
  for (int a = 0; a < features.actions; ++a)
    if (possible.empty() || possible[static_cast<std::size_t>(a)] != 0)
      least = std::min(least, features.dot(slot * features.actions + a, weights));
  return least;
}

Rlsvi::Rlsvi(const RlsviOptions& options, const FeatureStructure& structure)
    : options_(options), equations_(structure, options.solver) {}

void Rlsvi::update(const Transitions& data, double average, double origin, Rng& rng, std::span<double> weights) {
  const Features& features = data.features();
  values_.resize(static_cast<std::size_t>(features.slots()));
  for (std::size_t slot = 0; slot < values_.size(); ++slot)
    values_[slot] =
        least_value(features, static_cast<int>(slot), weights, data.possible(static_cast<std::int32_t>(slot))) - origin;
  equations_.reset();
  for (const auto& entry : data.entries())
    equations_.add(features.row(entry.pair), entry.count,
                   entry.cost + entry.count * (values_[static_cast<std::size_t>(entry.next)] - average));
  equations_.sample(options_.prior, 1.0 / (options_.noise * options_.noise), rng, weights);
}

}  // namespace politex::inline value
