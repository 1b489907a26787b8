#include "politex/neural/solo.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace politex::neural {

double solo_norm(std::span<ValueRange> ranges, std::span<double> scales) noexcept {
  const std::size_t count = ranges.size();
  // Insertion sort: ten entries, nearly sorted from one network to the next.
  for (std::size_t i = 1; i < count; ++i)
    for (std::size_t j = i; j > 0 && ranges[j].middle < ranges[j - 1].middle; --j) {
      std::swap(ranges[j], ranges[j - 1]);
      std::swap(scales[j], scales[j - 1]);
    }
  // Half the derivative at c is slope * c - level, where level = sum scale (middle + half) over the middles right of c,
  // plus sum scale (middle - half) over those left of c.
  double slope = 0.0, level = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    slope += scales[i];
    level += scales[i] * (ranges[i].middle + ranges[i].half);
  }
  if (!(slope > 0)) return 0.0;
  double best = ranges[count - 1].middle;
  for (std::size_t i = 0; i < count; ++i) {
    const double stationary = level / slope;
    if (stationary <= ranges[i].middle) {
      // The zero lies left of this middle; if it lies left of the one before, the derivative jumps over 0 there.
      best = i == 0 ? stationary : std::max(stationary, ranges[i - 1].middle);
      break;
    }
    level -= 2 * scales[i] * ranges[i].half;
    if (i + 1 == count) best = std::max(level / slope, ranges[i].middle);
  }
  double norm = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double distance = std::abs(best - ranges[i].middle) + ranges[i].half;
    norm += scales[i] * distance * distance;
  }
  return norm;
}

double solo_step(double alpha, int actions, double norm) noexcept {
  return alpha * std::sqrt(2.75 * std::log(static_cast<double>(actions)) / norm);
}

}  // namespace politex::neural
