// Speed of learning on Ms. Pac-Man compared with the emulator alone.
#pragma once

#include <vector>

#include "politex/bench/bench_neural.hpp"

namespace politex::inline bench {

/// One core emulates, the others learn. Measures wall time, alternating between the emulator alone and learning.
/// Without a second core or an emulator the row says why it is skipped. Takes half a minute.
void add_games(std::vector<NeuralBenchRow>& rows);

}  // namespace politex::inline bench
