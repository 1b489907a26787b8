// Estimates of one policy's Q compared with the exact one: parts (a), (b) and (f) of the theory figure.
#pragma once

#include <cstdint>
#include <vector>

#include "politex/run/config.hpp"
#include "politex/value/lsmc.hpp"
#include "politex/value/phase.hpp"

namespace politex::inline theory {

/// LSMC error of one phase of these lengths: the norm of Psi (w - w~) under mu_e x uniform, less its best constant. The
/// policy is drawn by the seed: Boltzmann in a random Q of the features' class.
double estimation_error(const Config& config, const Lengths& lengths, const LsmcOptions& options);

/// The exact biases of rollouts of s costs, for the three choices of lambda*; largest over first states.
struct RolloutBiases {
  double lambda_last = 0.0, lambda_phase = 0.0, lambda_rollout = 0.0;
  double value_last = 0.0, value_phase = 0.0, value_rollout = 0.0;
  double value_phase_centred = 0.0, value_rollout_centred = 0.0;  // half the range: after removing the best constant
  double printed_lambda = 0.0, printed_value = 0.0;               // the lemma's bounds, with kappa of all policies
};
struct PolicyBias {
  std::vector<RolloutBiases> by_length;  // s = 1, 2, ...
  double kappa_rate = 0.0;               // 1 / kappa
  double second_rate = 0.0;              // -log |lambda_2|
};
PolicyBias policy_bias(const Config& config, std::int64_t longest);

}  // namespace politex::inline theory
