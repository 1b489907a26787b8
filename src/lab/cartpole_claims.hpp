// What the paper says about its cartpole figure, judged seed by seed.
#pragma once

#include <span>
#include <vector>

#include "politex/lab/cartpole_grid.hpp"
#include "politex/lab/claims.hpp"

namespace politex::lab {

/// An upright pole pays 1 a step, so that an episode can pay at most this.
constexpr double cartpole_most = 1000.0;
/// "Nothing": at most a hundredth of it, found or paid. Moving at every step costs a tenth.
constexpr double cartpole_nothing = 0.01 * cartpole_most;
/// "Collects the reward": at least a tenth of it.
constexpr double cartpole_collects = 0.1 * cartpole_most;

/// Claims (a) and (b), from runs of the figure's two curves.
std::vector<Claim> cartpole_claims(std::span<const CartpoleRun> runs, const CartpoleGrid& grid);

}  // namespace politex::lab
