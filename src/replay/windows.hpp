// From single transitions to n-step windows, for one logical environment. A window stops early at a truncation (it
// bootstraps from the last observation), where another policy takes over (it bootstraps from the state where the other
// one begins), and where the caller ends all returns (the value beyond is 0; it does not bootstrap).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/replay/replay.hpp"

namespace politex::neural::inline replay {

class WindowMaker {
 public:
  /// Called for every finished window; the spans live during the call. `policy` is that of the phase at window.next.
  using Sink = std::function<void(const Window& window, std::span<const float> policy)>;

  WindowMaker(int inputs, double discount, int length, int explorer_length);

  /// The environment is at `state`, where the phase's policy is `policy`, and takes `action` by the policy numbered
  /// `chooser` (the caller numbers the policies; `exploring`: it is an explorer).
  void step(std::span<const float> state, std::span<const float> policy, int action, int chooser, bool exploring,
            double cost, const Sink& sink);
  /// The time limit truncated the step just taken, at `last`.
  void truncate(std::span<const float> last, std::span<const float> policy, const Sink& sink);

  /// The step just taken, at `state`, ends all returns: the value beyond it is 0.
  void terminate(std::span<const float> state, std::span<const float> policy, const Sink& sink);
  /// Drops what is not finished.
  void forget() { pending_.clear(); }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from, int actions);

 private:
  struct Pending {
    std::vector<float> state;
    double cost = 0.0, factor = 1.0;  // factor: discount of the next cost
    int action = 0, length = 0, most = 1;
  };
  void emit(const Pending& pending, std::span<const float> next, std::span<const float> policy, int next_action,
            const Sink& sink, bool terminal = false) const;

  std::size_t inputs_;
  double discount_;
  int length_, explorer_length_;
  int chooser_ = -1;
  std::deque<Pending> pending_;
};

}  // namespace politex::neural::inline replay
