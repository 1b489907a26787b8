// Observations of three numbers for the tests of tiles and Fourier bases.
#pragma once

#include <algorithm>
#include <vector>

#include "politex/base/rng.hpp"
#include "politex/base/sparse_rows.hpp"
#include "politex/env/range.hpp"

namespace politex::test {

inline const std::vector<Range> ranges = {{-1.0, 3.0}, {0.0, 0.5}, {10.0, 20.0}};

template <class Basis>
SparseRows row_of(const Basis& basis, const std::vector<double>& observation) {
  SparseRows rows;
  basis.append(observation, rows);
  return rows;
}

inline std::vector<double> random_observation(Rng& rng, double beyond) {
  std::vector<double> all;
  for (const Range& range : ranges)
    all.push_back(range.low + (range.high - range.low) * (rng.uniform() * (1.0 + 2.0 * beyond) - beyond));
  return all;
}

inline std::vector<double> clamped(std::vector<double> observation) {
  for (std::size_t k = 0; k < ranges.size(); ++k)
    observation[k] = std::min(std::max(observation[k], ranges[k].low), ranges[k].high);
  return observation;
}

}  // namespace politex::test
