// Speed of learning on Ms. Pac-Man beside the emulator's own.
#pragma once

#include <vector>

#include "politex/lab/bench_neural.hpp"

namespace politex::lab {

/// One core emulates, the others learn; by the clock, the emulator alone and the learner in turns. Where there is no
/// second core or no emulator the row tells why it is skipped. Half a minute.
void add_games(std::vector<NeuralBenchRow>& rows);

}  // namespace politex::lab
