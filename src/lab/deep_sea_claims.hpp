// What the paper says about its DeepSea figure, judged by the runs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "politex/lab/claims.hpp"
#include "politex/lab/deep_sea_grid.hpp"

namespace politex::lab {

/// "Near": within this share of the distance between the optimum and always-0.
constexpr double near_share = 0.1;

/// The upper half of the sizes, where the paper speaks of N growing: 20, 30, 50 of the full grid.
std::vector<int> large_sizes(const DeepSeaGrid& grid);

/// How much the average cost rises per doubling of N over these sizes: a least-squares slope for each seed, Student's
/// interval over seeds.
Interval cost_per_doubling(const DeepSeaData& data, Curve curve, std::span<const int> sizes);

/// Claims (a) to (d), in order.
std::vector<Claim> deep_sea_claims(const DeepSeaData& data);

}  // namespace politex::lab
