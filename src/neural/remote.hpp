// Acting in other processes. When a phase begins, the learner's process sends the acting ranks an order (the new
// network, the transitions to make). They step their share of the environments and stream blocks of transitions, at
// most `credits` of them before the learner has taken the first. The last block of a chunk also has the state of the
// environments, so that the learner's checkpoint is the one it would write alone.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "politex/base/fleet.hpp"
#include "politex/network/network.hpp"
#include "politex/neural/actors.hpp"
#include "politex/neural/settings.hpp"

namespace politex::neural {

/// The environments that a rank steps, in whole blocks of `together` (0: of one). Rank 0 learns and has none; neither
/// have ranks beyond the number of blocks.
EnvironmentRange share_of(const Fleet& fleet, int rank, int environments, int together);

/// The learner's side.
class RemoteActors {
 public:
  RemoteActors(Fleet& fleet, int environments, int together);

  /// What an order says about a phase.
  struct PhaseOrder {
    std::int64_t first = 0, last = 0;  // transitions of the run that are still to come in this phase
    std::int64_t chunk = 1;            // how they are divided
    std::int64_t number = 1, follow = 1;
  };
  /// `networks` joined the ring since the last call. The first time, and after forget(), they are the whole ring, and
  /// the state of the environments in `actors` is sent too.
  void begin_phase(const PhaseOrder& phase, std::span<const DuelingNetwork> networks, std::span<const double> lengths,
                   const Actors& actors);
  /// The run was restored: the last order is void.
  void forget();
  /// Whether the next begin_phase() sends everything.
  bool fresh() const noexcept { return fresh_; }

  /// Call it after actors.begin().
  void begin_chunk(std::int64_t first, Actors& actors);
  /// Returns when all transitions before `count` are in the chunk of `actors`. Throws Error if a rank reports one.
  void wait_for(std::int64_t count, Actors& actors);

  struct Traffic {
    std::int64_t blocks = 0, bytes = 0;
  };
  const Traffic& traffic() const noexcept { return traffic_; }

 private:
  void take(Fleet::Message message, Actors& actors);
  void place(const Fleet::Message& message, Actors& actors);

  Fleet& fleet_;
  int environments_, together_;
  std::uint64_t epoch_ = 0;  // counts begin_phase()
  bool fresh_ = true;
  std::int64_t chunk_first_ = 0;
  std::vector<std::int64_t> rounds_;  // complete in the present chunk, by rank
  std::deque<Fleet::Message> early_;  // blocks of later chunks
  Traffic traffic_;
};

/// The other side: one rank that acts until the learner dismisses it.
class ActingRank {
 public:
  /// Throws ConfigError as NeuralPolitex does.
  ActingRank(Fleet& fleet, const Settings& settings, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer);
  ~ActingRank();
  void serve();

 private:
  struct Share;
  void play(const RemoteActors::PhaseOrder& phase, std::uint64_t epoch);
  bool play_chunk(std::int64_t first, std::int64_t last, std::uint64_t epoch);
  bool may_send(std::uint64_t epoch);

  Fleet& fleet_;
  std::unique_ptr<Share> share_;  // null if this rank has no environments
  int credits_ = 0;
};

/// Its destructor dismisses the acting ranks. Make it when they serve.
class Dismissal {
 public:
  explicit Dismissal(Fleet* fleet) : fleet_(fleet) {}
  ~Dismissal();
  Dismissal(const Dismissal&) = delete;
  Dismissal& operator=(const Dismissal&) = delete;

 private:
  Fleet* fleet_;
};

}  // namespace politex::neural
