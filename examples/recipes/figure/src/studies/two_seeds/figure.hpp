// How much the average cost on DeepSea differs between two seeds.
#pragma once

#include "politex/figures/figure.hpp"

namespace politex::inline studies {

Figure two_seeds_figure();

}  // namespace politex::inline studies
