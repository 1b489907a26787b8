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

/// How many seeds the predicate of a seed's index is true for.
template <class Predicate>
std::int64_t count_seeds(const DeepSeaCell& cell, const Predicate& predicate) {
  std::int64_t count = 0;
  for (std::size_t seed = 0; seed < cell.average_cost.size(); ++seed) count += predicate(seed) ? 1 : 0;
  return count;
}

/// "19 of 20 seeds [75%, 100%]; median −1.43, worst −1.36": what skewed costs allow to say.
std::string seeds_text(const DeepSeaCell& cell, std::int64_t successes) {
  return fmt::format("{}; median {}, worst {}", count_text(successes, std::ssize(cell.average_cost)),
                     number_text(quantile(cell.average_cost, 0.5)), number_text(quantile(cell.average_cost, 1.0)));
}

Check most_seeds(std::string subject, int size, const DeepSeaCell& cell, std::int64_t successes) {
  return {std::move(subject), at_size(size), seeds_text(cell, successes),
          most_succeed(successes, std::ssize(cell.average_cost))};
}

Check near_optimum(const DeepSeaData& data, DeepSeaCurve curve, int size) {
  const DeepSeaCell& cell = data.at(curve, size);
  const double limit = (1.0 - near_share) * deep_sea_optimum(size);
  return most_seeds(named(curve), size, cell,
                    count_seeds(cell, [&](std::size_t seed) { return cell.average_cost[seed] < limit; }));
}

Claim everybody_wins_small(const DeepSeaData& data) {
  const int size = data.grid.sizes.front();
  Claim claim = new_claim("(a)", fmt::format("At N={} every algorithm is near the lowest cost.", size),
                          fmt::format("For each of the eight curves: more than half of all seeds have an average cost "
                                      "below {}, that is, at least {:.0f}% of the way from always-0 (cost 0) to the "
                                      "optimum ({}).",
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
  const auto near_zero = [&](double value) { return std::abs(value - deep_sea_always_zero) <= margin; };
  return most_seeds(named(curve), size, cell, count_seeds(cell, [&](std::size_t seed) {
                      return near_zero(cell.average_cost[seed]) && near_zero(cell.gain_from_last_state[seed]) &&
                             near_zero(cell.gain_from_start[seed]);
                    }));
}

Claim others_give_up(const DeepSeaData& data) {
  const std::vector<int> sizes = large_sizes(data.grid);
  Claim claim = new_claim(
      "(b)", "As N grows, RLSVI and Politex without exploration end at \"always action 0\".",
      fmt::format("For RLSVI, Politex-LSMC and Politex-LSPE at each N in the upper half of the sizes ({}): for more "
                  "than half of all seeds the average cost, and the exact long-run cost of the final policy both from "
                  "the learner's last state and from the start state, lie within {:.0f}% of the distance to the "
                  "optimum around always-0's 0.",
                  sizes_text(sizes), 100.0 * near_share));
  for (const DeepSeaCurve curve : {DeepSeaCurve::rlsvi, DeepSeaCurve::politex_lsmc, DeepSeaCurve::politex_lspe}) {
    for (const int size : sizes) claim.checks.push_back(at_always_zero(data, curve, size));
  }
  for (const int size : sizes) claim.also_measured.push_back(at_always_zero(data, DeepSeaCurve::lspi, size));
  return claim;
}

Check keeps_treasure(const DeepSeaData& data, DeepSeaCurve curve, int size) {
  const DeepSeaCell& cell = data.at(curve, size);
  return most_seeds(named(curve), size, cell, seeds_that_keep_treasure(cell, size));
}

Claim exploration_keeps_treasure(const DeepSeaData& data) {
  Claim claim = new_claim("(c)", "EE-Politex with first and every visits keeps the treasure at every N.",
                          "For both curves at each N: more than half of all seeds have an average cost nearer to the "
                          "optimum than to always-0, that is, below half the optimal cost. Only the treasure has a "
                          "negative cost, and a pass through the grid that ends in it cannot beat the optimum, so the "
                          "share of the optimum that a run reaches is at most the share of its passes that found the "
                          "treasure.");
  for (const DeepSeaCurve curve : {DeepSeaCurve::first_visit, DeepSeaCurve::every_visit}) {
    for (const int size : data.grid.sizes) claim.checks.push_back(keeps_treasure(data, curve, size));
  }
  for (const int size : data.grid.sizes) claim.also_measured.push_back(keeps_treasure(data, DeepSeaCurve::tuned, size));
  return claim;
}

Check deteriorates(const DeepSeaData& data, DeepSeaCurve curve, std::span<const int> sizes) {
  const std::vector<double> slopes = costs_per_doubling(data, curve, sizes);
  const auto rising = std::ranges::count_if(slopes, [](double slope) { return slope > 0.0; });
  return {named(curve) + ": deteriorates", fmt::format("N={} to {}", sizes.front(), sizes.back()),
          fmt::format("{}; median {} per doubling of N", count_text(rising, std::ssize(slopes)),
                      number_text(quantile(slopes, 0.5))),
          most_succeed(rising, std::ssize(slopes))};
}

Check costs_are_positive(const DeepSeaData& data, DeepSeaCurve curve, int size) {
  const DeepSeaCell& cell = data.at(curve, size);
  return most_seeds(named(curve) + ": positive", size, cell,
                    count_seeds(cell, [&](std::size_t seed) { return cell.average_cost[seed] > 0.0; }));
}

Claim one_visit_deteriorates(const DeepSeaData& data) {
  const std::vector<int> sizes = large_sizes(data.grid);
  Claim claim = new_claim(
      "(d)", "One-visit deteriorates with N, and its cost is positive at large N.",
      fmt::format("With s made coprime (see the row trap below), for both one-visit curves: for more than half of all "
                  "seeds the least-squares slope of the average cost against log2 N is above 0; and at each N in the "
                  "upper half of the sizes ({}) more than half of all seeds have an average cost above 0.",
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

std::int64_t seeds_that_keep_treasure(const DeepSeaCell& cell, int size) {
  const double half_way = 0.5 * (deep_sea_optimum(size) + deep_sea_always_zero);
  return std::ranges::count_if(cell.average_cost, [&](double cost) { return cost < half_way; });
}

std::vector<double> costs_per_doubling(const DeepSeaData& data, DeepSeaCurve curve, std::span<const int> sizes) {
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
  return slopes;
}

std::vector<Claim> deep_sea_claims(const DeepSeaData& data) {
  return {everybody_wins_small(data), others_give_up(data), exploration_keeps_treasure(data),
          one_visit_deteriorates(data)};
}

}  // namespace politex::inline figures
