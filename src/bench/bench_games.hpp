// Speed of learning on Ms. Pac-Man compared with the emulator alone.
#pragma once

#include <vector>

#include "politex/bench/bench_neural.hpp"

namespace politex::inline bench {

/// What is measured in rounds: the emulator alone before and after each learning.
struct GameTimes {
  std::vector<double> alone, learning;            // steps per second; two of `alone` per round
  std::vector<double> emulating_us, learning_us;  // CPU time per game step
};
/// The rows that follow from the times.
std::vector<NeuralBenchRow> game_rows(const GameTimes& times);

/// One core emulates, the others learn. Measures wall time, alternating between the emulator alone and learning.
/// Without a second core or an emulator the row says why it is skipped. Takes half a minute.
void add_games(std::vector<NeuralBenchRow>& rows);

}  // namespace politex::inline bench
