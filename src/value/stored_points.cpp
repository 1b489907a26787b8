#include "politex/value/stored_points.hpp"

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/saved.hpp"

namespace politex::inline value {

std::size_t StoredPoints::add(const CellTree& tree, const Phase& phase) {
  const std::size_t steps = phase.costs.size();
  for (std::size_t t = 0; t <= steps; ++t) {
    tree.append_point(phase.observations.subspan(t * numbers_, numbers_), points_);
    const bool step = t < steps && !phase.was_truncated(t);
    taken_.push_back(step ? phase.pairs[t] % phase.features->actions : -1);
    costs_.push_back(t < steps ? phase.costs[t] : 0.0);
  }
  if (static_cast<std::int64_t>(size()) < 2 * most_) return 0;
  const auto oldest = static_cast<std::ptrdiff_t>(size()) - most_;
  points_.erase(points_.begin(), points_.begin() + oldest * static_cast<std::ptrdiff_t>(numbers_));
  taken_.erase(taken_.begin(), taken_.begin() + oldest);
  costs_.erase(costs_.begin(), costs_.begin() + oldest);
  return static_cast<std::size_t>(oldest);
}

void StoredPoints::save(ByteWriter& to) const {
  to.put(points_);
  to.put(taken_);
  to.put(costs_);
}

void StoredPoints::restore(ByteReader& from, int actions) {
  from.get(points_);
  from.get(taken_);
  from.get(costs_);
  const bool fits = points_.size() == taken_.size() * numbers_ && costs_.size() == taken_.size() &&
                    std::ranges::all_of(taken_, [&](std::int32_t a) { return a >= -1 && a < actions; }) &&
                    (taken_.empty() || taken_.back() == -1) &&
                    std::ranges::all_of(points_, [](float x) { return x >= 0.0F && x <= 1.0F; }) &&
                    std::ranges::all_of(costs_, [](double c) { return std::isfinite(c); });
  check_saved(fits, "stored observations");
}

}  // namespace politex::inline value
