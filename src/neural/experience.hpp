// From transitions to the replay: n-step windows of every logical environment, with the costs that the learner sees.
#pragma once

#include <cstdint>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/neural/network_learner.hpp"
#include "politex/neural/settings.hpp"
#include "politex/neural/transition.hpp"
#include "politex/replay/replay.hpp"
#include "politex/replay/windows.hpp"

namespace politex::neural {

class Experience {
 public:
  /// Throws ConfigError when a setting is out of range.
  Experience(const Settings& settings, const Space& space);

  /// Adds transition `number` of the run; reports the rows that it writes to the learner.
  void store(std::int64_t number, const Transition& t, std::uint32_t phase, NetworkLearner& learner);
  Replay& replay() noexcept { return replay_; }
  const Replay& replay() const noexcept { return replay_; }

  /// The windows that are not finished; the replay is saved by itself.
  void save_windows(ByteWriter& to) const;
  void restore_windows(ByteReader& from);
  /// The environments are at new starts.
  void forget_windows();

 private:
  Settings::Transform transform_;
  double cost_scale_;
  Replay replay_;
  std::vector<WindowMaker> windows_;  // by environment
};

}  // namespace politex::neural
