#include "politex/figures/deep_sea/figure.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace politex::inline figures {
namespace {

std::string named(DeepSeaCurve curve) { return std::string(deep_sea_label(curve)); }
std::string at_size(int size) { return fmt::format("N={}", size); }

std::string sizes_text(const std::vector<int>& sizes) { return fmt::format("{}", fmt::join(sizes, ", ")); }

Check near_optimum(const DeepSeaData& data, DeepSeaCurve curve, int size) {
  const Interval cost = data.cost(curve, size);
  return {named(curve), at_size(size), interval_text(cost),
          is_below(cost, (1.0 - near_share) * deep_sea_optimum(size))};
}

Claim everybody_wins_small(const DeepSeaData& data) {
  const int size = data.grid.sizes.front();
  Claim claim = new_claim("(a)", fmt::format("At N={} every algorithm is near the lowest cost.", size),
                          fmt::format("For each of the eight curves: the mean average cost is below {}, that is, at "
                                      "least {:.0f}% of the way from always-0 (cost 0) to the optimum ({}).",
                                      number_text((1.0 - near_share) * deep_sea_optimum(size)),
                                      100.0 * (1.0 - near_share), number_text(deep_sea_optimum(size))));
  for (const DeepSeaCurveName& curve : deep_sea_curves().first(8))
    claim.checks.push_back(near_optimum(data, curve.curve, size));
  for (const DeepSeaCurveName& curve : deep_sea_curves().subspan(8))
    claim.also_measured.push_back(near_optimum(data, curve.curve, size));
  return claim;
}

Check at_always_zero(const DeepSeaData& data, DeepSeaCurve curve, int size) {
  const DeepSeaCell& cell = data.at(curve, size);
  const double margin = near_share * -deep_sea_optimum(size);
  const auto near_zero = [&](const std::vector<double>& values) {
    return is_within(t_interval(values), deep_sea_always_zero - margin, deep_sea_always_zero + margin);
  };
  return {
      named(curve), at_size(size),
      fmt::format("average cost {}; final policy, exactly: {} from its last state, {} from the start",
                  interval_text(t_interval(cell.average_cost)), interval_text(t_interval(cell.gain_from_last_state)),
                  interval_text(t_interval(cell.gain_from_start))),
      both(near_zero(cell.average_cost), both(near_zero(cell.gain_from_last_state), near_zero(cell.gain_from_start)))};
}

Claim others_give_up(const DeepSeaData& data) {
  const std::vector<int> sizes = large_sizes(data.grid);
  Claim claim = new_claim(
      "(b)", "As N grows, RLSVI and Politex without exploration end at \"always action 0\".",
      fmt::format("For RLSVI, Politex-LSMC and Politex-LSPE at each N in the upper half of the sizes ({}): the mean "
                  "average cost, and the exact long-run cost of the final policy both from the learner's last state "
                  "and from the start state, lie within {:.0f}% of the distance to the optimum around always-0's 0.",
                  sizes_text(sizes), 100.0 * near_share));
  for (const DeepSeaCurve curve : {DeepSeaCurve::rlsvi, DeepSeaCurve::politex_lsmc, DeepSeaCurve::politex_lspe}) {
    for (const int size : sizes) claim.checks.push_back(at_always_zero(data, curve, size));
  }
  for (const int size : sizes) claim.also_measured.push_back(at_always_zero(data, DeepSeaCurve::lspi, size));
  return claim;
}

Check keeps_treasure(const DeepSeaData& data, DeepSeaCurve curve, int size) {
  const DeepSeaCell& cell = data.at(curve, size);
  const double half_way = 0.5 * (deep_sea_optimum(size) + deep_sea_always_zero);
  const Interval cost = t_interval(cell.average_cost);
  const auto kept = std::ranges::count_if(cell.average_cost, [&](double value) { return value < half_way; });
  return {named(curve), at_size(size),
          fmt::format("{}; {} of {} seeds below {}", interval_text(cost), kept, cell.average_cost.size(),
                      number_text(half_way)),
          is_below(cost, half_way)};
}

Claim exploration_keeps_treasure(const DeepSeaData& data) {
  Claim claim = new_claim("(c)", "EE-Politex with first and every visits keeps the treasure at every N.",
                          "For both curves at each N: the mean average cost is nearer to the optimum than to always-0, "
                          "that is, below half the optimal cost. Only the treasure has a negative cost, and a pass "
                          "through the grid that ends in it cannot beat the optimum, so the share of the optimum that "
                          "a run reaches is at most the share of its passes that found the treasure.");
  for (const DeepSeaCurve curve : {DeepSeaCurve::first_visit, DeepSeaCurve::every_visit}) {
    for (const int size : data.grid.sizes) claim.checks.push_back(keeps_treasure(data, curve, size));
  }
  for (const int size : data.grid.sizes) claim.also_measured.push_back(keeps_treasure(data, DeepSeaCurve::tuned, size));
  return claim;
}

Check deteriorates(const DeepSeaData& data, DeepSeaCurve curve, std::span<const int> sizes) {
  const Interval slope = cost_per_doubling(data, curve, sizes);
  return {named(curve) + ": deteriorates", fmt::format("N={} to {}", sizes.front(), sizes.back()),
          fmt::format("cost rises by {} per doubling of N", interval_text(slope)), is_above(slope, 0.0)};
}

Check costs_are_positive(const DeepSeaData& data, DeepSeaCurve curve, int size) {
  const Interval cost = data.cost(curve, size);
  return {named(curve) + ": positive", at_size(size), interval_text(cost), is_above(cost, 0.0)};
}

Claim one_visit_deteriorates(const DeepSeaData& data) {
  const std::vector<int> sizes = large_sizes(data.grid);
  Claim claim = new_claim(
      "(d)", "One-visit deteriorates with N, and its cost is positive at large N.",
      fmt::format("With s made coprime (see the row trap below), for both one-visit curves: the least-squares slope of "
                  "the average cost against log2 N, a slope for each seed, is above 0 in the mean over the seeds; and "
                  "at each N in the upper half of the sizes ({}) the mean average cost is above 0.",
                  sizes_text(sizes)));
  const auto add = [&](std::vector<Check>& to, DeepSeaCurve curve) {
    to.push_back(deteriorates(data, curve, data.grid.sizes));
    for (const int size : sizes) to.push_back(costs_are_positive(data, curve, size));
  };
  add(claim.checks, DeepSeaCurve::one_visit_coprime);
  add(claim.checks, DeepSeaCurve::one_visit_own_mean_coprime);
  for (const DeepSeaCurve curve : {DeepSeaCurve::one_visit_coprime, DeepSeaCurve::one_visit_own_mean_coprime}) {
    claim.also_measured.push_back(deteriorates(data, curve, std::span(data.grid.sizes).subspan(1)));
  }
  add(claim.also_measured, DeepSeaCurve::one_visit);
  add(claim.also_measured, DeepSeaCurve::one_visit_own_mean);
  return claim;
}

}  // namespace

std::vector<int> large_sizes(const DeepSeaGrid& grid) {
  return {grid.sizes.begin() + static_cast<std::ptrdiff_t>(grid.sizes.size() / 2), grid.sizes.end()};
}

Interval cost_per_doubling(const DeepSeaData& data, DeepSeaCurve curve, std::span<const int> sizes) {
  std::vector<double> x;
  x.reserve(sizes.size());
  for (const int size : sizes) x.push_back(std::log2(static_cast<double>(size)));
  const double centre = mean(x);
  double spread = 0.0;
  for (const double value : x) spread += (value - centre) * (value - centre);
  std::vector<double> slopes;
  for (std::size_t seed = 0; seed < data.at(curve, sizes.front()).average_cost.size(); ++seed) {
    double product = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      product += (x[i] - centre) * data.at(curve, sizes[i]).average_cost.at(seed);
    }
    slopes.push_back(product / spread);
  }
  return t_interval(slopes);
}

std::vector<Claim> deep_sea_claims(const DeepSeaData& data) {
  return {everybody_wins_small(data), others_give_up(data), exploration_keeps_treasure(data),
          one_visit_deteriorates(data)};
}

}  // namespace politex::inline figures
