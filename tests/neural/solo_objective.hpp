// The function whose minimum solo_norm() computes.
#pragma once

#include <cmath>
#include <vector>

#include "politex/neural/solo.hpp"

namespace politex::neural::test {

inline double objective(const std::vector<ValueRange>& ranges, const std::vector<double>& scales, double c) {
  double sum = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i)
    sum += scales[i] * std::pow(std::abs(c - ranges[i].middle) + ranges[i].half, 2);
  return sum;
}

}  // namespace politex::neural::test
