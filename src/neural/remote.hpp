// Acting in other processes. The learner's process tells the acting ranks a phase at its beginning (the new network,
// how far to go); they step their share of the environments and stream blocks of transitions, at most `credits` of them
// before the learner has taken the first. A chunk's last block also tells where the environments stand, so that the
// learner's checkpoint is the one it would write alone.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "politex/base/fleet.hpp"
#include "politex/neural/actors.hpp"
#include "politex/neural/network.hpp"

namespace politex::neural {

struct Settings;

/// The environments that a rank steps, in whole blocks of `together` (0: of one); rank 0 learns and has none. Ranks
/// beyond the blocks have none either.
EnvironmentRange share_of(const Fleet& fleet, int rank, int environments, int together);

/// Throws ConfigError where environments outside the program would have to be stepped by several ranks and cannot be.
void refuse_ranks(const BlockMaker& maker, const Fleet* fleet);

/// The learner's side.
class RemoteActors {
 public:
  RemoteActors(Fleet& fleet, int environments, int together);

  struct Phase {
    std::int64_t first = 0, last = 0;  // transitions of the run that are still to come in this phase
    std::int64_t chunk = 1;            // how they are divided
    std::int64_t number = 1, follow = 1;
  };
  /// `networks` have joined the ring since the last call. After forget(), and the first time: all of the ring, and the
  /// environments as they stand in `actors`.
  void begin_phase(const Phase& phase, std::span<const DuelingNetwork> networks, std::span<const double> lengths,
                   const Actors& actors);
  /// The run has been moved: what was told no longer holds.
  void forget();
  /// Whether the next begin_phase() tells everything.
  bool fresh() const noexcept { return fresh_; }

  void begin_chunk(std::int64_t first, Actors& actors);
  /// Until every environment has completed so many rounds of the run. Throws Error when a rank tells of trouble.
  void wait(std::int64_t rounds, Actors& actors);

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
  std::deque<Fleet::Message> early_;  // blocks of chunks to come
  Traffic traffic_;
};

/// The other side: one rank that acts, until the learner lets it go.
class ActingRank {
 public:
  /// Throws ConfigError as Agent does.
  ActingRank(Fleet& fleet, const Settings& settings, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer);
  ~ActingRank();
  void serve();

 private:
  struct Part;
  void play(const RemoteActors::Phase& phase, std::uint64_t epoch);
  bool play_chunk(std::int64_t first, std::int64_t last, std::uint64_t epoch);
  bool may_send(std::uint64_t epoch);

  Fleet& fleet_;
  std::unique_ptr<Part> part_;  // null where there is nothing to step
  int credits_ = 0;
};

/// Lets the acting ranks go when it ends, however that comes. Made once they serve.
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
