#include "politex/exact/bounds.hpp"

#include <cmath>
#include <limits>

namespace politex::exact {

PrintedNoise printed_noise(double kappa, double largest_cost, const RunShape& shape, double delta) {
  const double restarts = shape.phases * shape.rollouts;
  const auto v = [&](double first, double inside_log) {
    const double spread = std::sqrt(4.0 * shape.rollouts * shape.follow * std::log(inside_log / delta));
    return largest_cost * (first * kappa + 4.0 * shape.phases * kappa * spread);
  };
  return {.w = largest_cost * (kappa + 4.0 * kappa * std::sqrt(2.0 * shape.steps * std::log(2.0 / delta))),
          .v_main_text = v(restarts, 2.0 * shape.rollouts * shape.follow),
          .v_appendix = v(restarts, 2.0 * shape.steps),
          .v_appendix_proof = v(2.0 * restarts, 2.0 * shape.rollouts * (shape.follow + shape.explore))};
}

Noise noise_bound(double tau, double cost_range, double steps, double runs, double delta) {
  if (!(tau < 1.0)) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    return {infinite, infinite};
  }
  const double value_range = cost_range / (1.0 - tau);
  return {.transient = runs * value_range,
          .martingale = (cost_range + value_range) * std::sqrt(steps * std::log(2.0 / delta) / 2.0)};
}

RolloutBias printed_rollout_bias(double kappa, double largest_cost, double follow) {
  const double decay = std::exp(-follow / kappa);
  return {.gain = 2.0 * largest_cost * decay, .value = 2.0 * largest_cost * (1.0 + follow) * decay};
}

RolloutBias rollout_bias_bound(double tau, double cost_range, double largest_value, double follow) {
  const double gain = cost_range * std::pow(tau, follow - 1.0);
  return {.gain = gain, .value = 2.0 * largest_value * std::pow(tau, follow) + follow * gain};
}

double bias_premise(double kappa) {
  if (!std::isfinite(kappa)) return kappa;
  // T^(1/5) = u >= 2 kappa log(4 u) holds beyond the larger root, which the fixed-point iteration reaches from above.
  double u = 1.0 + 16.0 * (kappa + 1.0) * (kappa + 1.0);
  for (int i = 0; i < 10'000; ++i) {
    const double next = 2.0 * kappa * std::log(4.0 * u);
    if (!(next > 0.25)) return 0.0;  // no root: the premise holds for every T
    if (u - next <= 1e-15 * u) break;
    u = next;
  }
  return std::pow(u, 5.0);
}

double pseudo_regret_bound(const RunShape& shape, double error, double q_max, double s_delta) {
  return 2.0 * shape.steps * error + std::sqrt(shape.phases) * shape.rollouts * shape.follow * q_max * s_delta;
}

double weights_bound(const RunShape& shape, double eta, int actions, double squared_ranges, double errors) {
  return shape.rollouts * shape.follow * (std::log(actions) / eta + eta / 8.0 * squared_ranges + 2.0 * errors);
}

}  // namespace politex::exact
