// Assumption A2: how much one step contracts, in closed form, and how fast one policy really mixes.
#pragma once

#include <span>
#include <vector>

#include "politex/env/finite_model.hpp"

namespace politex::exact {

/// tau is half the largest L1 distance between the laws of two states' successors; kappa = -1 / log(tau). Only pairs
/// of which one state is recurrent count: the assumption compares with stationary laws.
struct Mixing {
  double tau = 1.0;
  double kappa = 0.0;                         // infinite where tau is 1
  int first_state = -1, second_state = -1;    // where tau is attained
  int first_action = -1, second_action = -1;  // -1 for one policy
};

/// Over all policies: a policy chooses at two states independently, so that all pairs of actions count.
Mixing mixing(const FiniteModel& model);

/// Of one policy. Infinite where it has more than one recurrent class.
Mixing mixing(const FiniteModel& model, std::span<const double> policy);

/// Second largest modulus of the eigenvalues of a policy's chain: the rate at which it mixes in the long run.
/// Throws Error above 1000 states.
double second_eigenvalue(const FiniteModel& model, std::span<const double> policy);

/// S_delta(A, mu*) of the regret theorem.
double s_delta(int actions, std::span<const double> stationary, double delta);

}  // namespace politex::exact
