// How much the average cost on DeepSea differs between two seeds.
#pragma once

#include "politex/figures/figure.hpp"

namespace politex::inline figures {

Figure two_seeds_figure();

}  // namespace politex::inline figures
