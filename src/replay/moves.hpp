// What a learned explorer is given of the replay: where actions led, never what they cost.
#pragma once

#include <cstdint>
#include <vector>

#include "politex/network/lanes.hpp"

namespace politex::neural::inline replay {

/// n-step windows without their costs: from a state, by an action, `length` steps later, to the next state.
struct MoveBatch {
  std::vector<std::uint32_t> rows;  // of the replay: which windows
  Floats states, nexts;
  std::vector<int> actions, lengths;
  std::vector<std::uint8_t> terminal;  // nothing follows the next state

  void resize(int batch, int inputs) {
    const auto n = static_cast<std::size_t>(batch);
    rows.resize(n);
    states.resize(n * static_cast<std::size_t>(inputs));
    nexts.resize(states.size());
    actions.resize(n);
    lengths.resize(n);
    terminal.resize(n);
  }
};

}  // namespace politex::neural::inline replay
