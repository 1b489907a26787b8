// Which rollouts explore, and how: the rollouts of a phase whose segments vary in length. The schedule owns how much is
// explored, the explorer where it goes. Everything is saved, so that a run resumes in the middle of a segment.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "politex/algorithm/collect_data.hpp"
#include "politex/algorithm/learning_explorer.hpp"
#include "politex/algorithm/streams.hpp"
#include "politex/base/bytes.hpp"
#include "politex/settings/key.hpp"

namespace politex::inline algorithm {

/// schedule.exploration. every: as in the paper. With n rollouts so far, e of them with exploration, and F features:
/// lean: e < F^0.9 (n + 1)^0.1. sustained: e < max(F, 3 sqrt(n + 1)). vanishing: counted in steps, see explores().
enum class ExplorationKind { every, lean, sustained, vanishing };

struct ExplorationOptions {
  ExplorationKind kind = ExplorationKind::every;
};
/// schedule.exploration.
Keys exploration_kind_keys();

class Exploration {
 public:
  struct Options {
    ExplorationKind kind = ExplorationKind::vanishing;
    std::int64_t longest = 1000;  // steps of a segment of the explorer
    bool by_steps = true;         // phases end after a number of steps; else after `rollouts`
    std::int64_t rollouts = 1;
    std::int64_t follow = 1;  // target steps of a rollout; by steps: at most this many between two decisions
  };
  Exploration(std::unique_ptr<LearningExplorer> explorer, const Options& options);

  /// Plays a part of a phase. `player` has here(), step(action, by), walk(count) for the target policy, uniform(rng),
  /// and trace(count): the last `count` steps of the phase. Returns whether the phase is complete.
  template <class Player>
  bool play(Player& player, const Part& part, ActionStreams& streams);
  /// The segments of the phase so far.
  std::span<const Segment> segments() const noexcept { return segments_; }
  const LearningExplorer& explorer() const noexcept { return *explorer_; }
  /// Rollouts with exploration, and all.
  std::int64_t explored_rollouts() const noexcept { return now_.explored; }
  std::int64_t rollouts() const noexcept { return now_.rollouts; }
  /// Of the run.
  std::int64_t steps() const noexcept { return now_.steps; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);
  void save_phase(ByteWriter& to) const;
  /// Returns the steps of the phase.
  std::int64_t restore_phase(ByteReader& from);

 private:
  enum class Stage : std::int64_t { decide, explore, probe, follow };
  /// Everything that changes from step to step.
  struct Now {
    Stage stage = Stage::decide;
    std::int64_t left = 0;      // steps of the segment
    std::int64_t begun = 0;     // steps of the segment that were played
    std::int64_t rollout = 0;   // steps of the rollout from its probe on
    std::int64_t chained = 0;   // steps of the explorer and of probes since the target policy's last
    std::int64_t steps = 0;     // of the run
    std::int64_t explorer = 0;  // of them by the explorer and the probe
    std::int64_t rollouts = 0;  // of the run
    std::int64_t explored = 0;  // of them with exploration
    std::int64_t in_phase = 0;  // rollouts that ended in this phase
  };
  bool explores() const;
  /// An explorer that does not know masks may choose a masked action; a random possible one takes its place.
  template <class Player>
  static std::optional<Action> possible(std::optional<Action> chosen, Player& player, By by, ActionStreams& streams) {
    if (!chosen) return chosen;
    const std::span<const std::uint8_t> flags = player.here().possible;
    if (flags.empty() || flags[static_cast<std::size_t>(*chosen)] != 0) return chosen;
    return player.uniform(streams.of(by));
  }
  void decide();
  void enter(Stage stage, std::int64_t left) noexcept;
  void took(By by, std::int64_t count);
  /// The rollout's probe was taken; `fresh`: its pair was never tried before.
  void probed(bool fresh);

  std::unique_ptr<LearningExplorer> explorer_;
  Options options_;
  Now now_;
  std::vector<Segment> segments_;
};

template <class Player>
bool Exploration::play(Player& player, const Part& part, ActionStreams& streams) {
  if (part.played == 0) {
    segments_.clear();
    now_.in_phase = 0;
    explorer_->begin_phase();
  }
  const auto observe = [&](std::int64_t steps) { explorer_->observe(player.trace(steps)); };
  const auto done = [&] { return !options_.by_steps && now_.in_phase == options_.rollouts; };
  for (std::int64_t left = part.steps - part.played; left > 0 && !done();) {
    if (now_.stage == Stage::decide) {
      decide();
      if (now_.stage == Stage::explore) explorer_->begin(player.here(), streams.of(By::explorer));
    } else if (now_.stage == Stage::explore) {
      const auto action = now_.left > 0 ? possible(explorer_->act(player.here(), streams.of(By::explorer)), player,
                                                   By::explorer, streams)
                                        : std::nullopt;
      if (!action) {
        enter(Stage::probe, 1);
        continue;
      }
      player.step(*action, By::explorer);
      took(By::explorer, 1);
      observe(1);
      --left;
    } else if (now_.stage == Stage::probe) {
      Rng& rng = streams.of(By::probe);
      const auto chosen = possible(explorer_->probe(player.here(), rng), player, By::probe, streams);
      const Coverage before = explorer_->coverage();
      player.step(chosen ? *chosen : player.uniform(rng), By::probe);
      took(By::probe, 1);
      observe(1);
      // A pair that was tried for the first time: one fewer of the known ones is untried.
      const Coverage now = explorer_->coverage();
      probed(now.untried - (now.known - before.known) < before.untried);
      --left;
    } else {
      const std::int64_t count = std::min(now_.left, left);
      player.walk(count);
      took(By::target, count);
      observe(count);
      left -= count;
      if (now_.left == 0) {
        explorer_->sample(player.trace(now_.rollout));
        enter(Stage::decide, 0);
        ++now_.in_phase;
      }
    }
  }
  const bool complete = options_.by_steps ? part.steps == part.lengths.total() : done();
  return complete;
}

}  // namespace politex::inline algorithm
