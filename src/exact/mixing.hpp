// Assumption A2: the one-step contraction in closed form, and the actual mixing rate of one policy.
#pragma once

#include <span>
#include <vector>

#include "politex/env/finite_model.hpp"

namespace politex::exact {

/// tau is half the largest L1 distance between the successor distributions of two states; kappa = -1 / log(tau). At
/// least one of the two states is recurrent, because the assumption compares with stationary distributions.
struct Mixing {
  double tau = 1.0;
  double kappa = 0.0;                         // infinite if tau is 1
  int first_state = -1, second_state = -1;    // where tau is attained
  int first_action = -1, second_action = -1;  // -1 for one policy
};

/// The worst case over all policies: all pairs of actions count, because a policy chooses independently in each state.
Mixing mixing(const FiniteModel& model);

/// For one policy. Infinite if it has more than one recurrent class.
Mixing mixing(const FiniteModel& model, std::span<const double> policy);

/// Second largest eigenvalue modulus of a policy's chain: its asymptotic mixing rate.
/// Throws Error above most_eigen_states.
inline constexpr int most_eigen_states = 1000;
double second_eigenvalue(const FiniteModel& model, std::span<const double> policy);

/// S_delta(A, mu*) of the regret theorem.
double s_delta(int actions, std::span<const double> stationary, double delta);

}  // namespace politex::exact
