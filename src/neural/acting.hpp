// Where transitions come from: the threads of this process, or other ranks if the fleet has some. The bits are the
// same.
#pragma once

#include <cstdint>
#include <memory>

#include "politex/base/fleet.hpp"
#include "politex/neural/actors.hpp"
#include "politex/neural/network_ring.hpp"
#include "politex/neural/phase_plan.hpp"
#include "politex/neural/remote.hpp"
#include "politex/neural/settings.hpp"

namespace politex::neural {

class Acting {
 public:
  /// A null fleet, or one of a single rank: this process acts. Throws ConfigError when a setting is out of range.
  Acting(const Settings& settings, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer, Fleet* fleet);

  const Space& space() const noexcept { return actors_.space(); }

  /// Starts a chunk of the phase: transitions [first, last) of the run. Until `end` neither the policy nor the explorer
  /// changes, so that other ranks run ahead to there. `chunk` is the number of transitions of a whole chunk.
  struct Orders {
    std::int64_t first = 0, last = 0, end = 0, chunk = 1;
    Replay* replay = nullptr;  // its policies are refreshed by idle threads; may be null
  };
  void begin(const Orders& orders, const PhasePlan& phase, const NetworkRing& ring);
  /// Returns when all transitions before `count` exist. Throws what an actor threw.
  void wait_for(std::int64_t count);
  Transition transition(std::int64_t number) const { return actors_.chunk().transition(number); }
  /// Returns when every thread is quiet. Only then may anything be saved or changed.
  void finish() { actors_.finish(); }
  /// The ring has a new network.
  void end_phase() noexcept {
    joined_ = true;
    ordered_ = 0;
  }

  /// The time that the learner's thread spends on acting, once switched on.
  PartClock& clock() noexcept { return actors_.clock(); }
  RemoteActors::Traffic traffic() const { return remote_ ? remote_->traffic() : RemoteActors::Traffic{}; }

  /// Whether save() includes the environments; if not, restore() leaves them at new starts.
  bool can_save() const { return actors_.can_save(); }
  void save(ByteWriter& to) const { actors_.save(to); }
  void restore(ByteReader& from);

 private:
  Actors actors_;
  std::unique_ptr<RemoteActors> remote_;
  std::int64_t ordered_ = 0;  // the other ranks have orders for the transitions before this one
  bool joined_ = false;       // a network joined the ring since the last order
};

}  // namespace politex::neural
