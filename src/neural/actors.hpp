// The acting side of a run. The policy is frozen within a phase, so that acting threads may run ahead of the learner:
// transition number g of a run is step g / environments of logical environment g % environments, whatever thread makes
// it and whenever. Threads with nothing to act on refresh the replay's stale policies.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "politex/base/thread_clock.hpp"
#include "politex/neural/explorer.hpp"
#include "politex/neural/replay.hpp"
#include "politex/neural/ring_policy.hpp"
#include "politex/neural/world.hpp"

namespace politex::neural {

struct ActorSettings {
  int environments = 16;        // logical environments: part of the bits
  int threads = 0;              // beside the learner's own, which acts when nobody else does: not part of the bits
  std::int64_t explore = 1000;  // steps of a mini-phase's exploration
  bool whole_episodes = false;  // a mini-phase also waits for the end of its episode
};

class RemoteActors;

/// One step of one logical environment.
struct Transition {
  std::span<const float> state, policy;      // the phase's policy at `state`, whoever chose the action
  std::span<const float> last, last_policy;  // where truncated
  int action = 0;
  float cost = 0.0F, score = 0.0F;
  bool exploring = false;
  bool truncated = false, terminated = false, skipped = false, lost_life = false;  // as OutsideStep tells
};

class Actors {
 public:
  /// Throws ConfigError when a setting is out of range. `explorer` may be null: then the policy always acts.
  Actors(const ActorSettings& settings, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer,
         std::uint64_t seed);
  /// Only the environments of `here` exist and are stepped: a part of the work of another process.
  Actors(const ActorSettings& settings, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer,
         std::uint64_t seed, EnvironmentRange here);
  Actors(const Actors&) = delete;
  Actors& operator=(const Actors&) = delete;
  ~Actors();

  const WorldSpace& space() const noexcept { return space_; }
  /// Whether save() carries the environments themselves; if not, restore() leaves them at new starts.
  bool can_save() const;

  /// What a chunk needs to know; it stays unchanged until finish().
  struct Orders {
    std::int64_t first = 0, last = 0;  // transitions [first, last) of the run
    const RingPolicy* policy = nullptr;
    Replay* replay = nullptr;  // its policies are refreshed by idle threads; may be null
    std::uint32_t phase = 1;
    std::int64_t follow = 1000;  // steps of the policy in a mini-phase that begins now
  };
  /// Lets the acting threads loose on a chunk.
  void begin(const Orders& orders);
  /// Waits until all transitions before `count` are there, and acts itself while it waits. Throws what an actor threw.
  void wait_for(std::int64_t count);
  /// Waits until the chunk is complete and every thread is quiet: only then may anything be saved or changed.
  void finish();

  /// What the learner's thread spends on acting, once switched on.
  PartClock& clock() noexcept { return clock_; }

  /// Of the present chunk, after wait_for().
  Transition transition(std::int64_t number) const;

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

  /// From now on others step all environments: wait_for() lets them, and nothing is stepped here.
  void leave_to(RemoteActors& remote);
  /// The transitions of these environments in rounds [from, to) of the run, as far as they belong to the chunk.
  void pack(EnvironmentRange range, std::int64_t from, std::int64_t to, ByteWriter& into) const;
  void unpack(EnvironmentRange range, std::int64_t from, std::int64_t to, ByteReader& packed);
  /// Where an environment stands between two chunks.
  void save_environment(int environment, ByteWriter& to) const;
  void restore_environment(int environment, ByteReader& from);

 private:
  struct Room;
  /// A few neighbouring environments that are stepped together, by one thread at a time.
  struct alignas(64) Group {
    EnvironmentRange range;
    std::unique_ptr<WorldBlock> block;
    std::atomic<bool> busy = false;
    std::atomic<std::int64_t> rounds = 0;  // rounds of the run that are complete
  };
  struct Slot {
    Rng choose, explore;
    ExplorerMemory memory = {};
    Recall recall = {};  // no state: it changes the time that acting takes, never the bits
    bool exploring = false;
    bool ended = true;      // it stands at a start
    std::int64_t left = 0;  // steps of the present segment still to take; 0 before the first one
    Group* group = nullptr;
  };

  void make_groups(const BlockMaker& maker, EnvironmentRange here);
  void start_threads();
  void end_threads();
  EnvironmentRange in_chunk(EnvironmentRange range, std::int64_t round) const;
  void work();
  bool act_somewhere(Room& room, std::int64_t rounds);
  bool refresh_somewhere(Room& room);
  bool refresh_wanted(Room& room);
  void refresh(std::span<const std::uint32_t> rows, Room& room);
  void play_round(const Group& group, std::int64_t round, Room& room);
  Action choose(int environment, std::size_t at);
  void record(int environment, std::size_t at, Action action, const OutsideStep& moved);
  void rethrow();

  ActorSettings settings_;
  std::shared_ptr<const Explorer> explorer_;
  WorldSpace space_;
  std::size_t inputs_ = 0, actions_ = 0;
  bool outside_ = false;  // environments of other processes: a step takes as long as it takes
  std::vector<Slot> slots_;
  std::vector<std::unique_ptr<Group>> groups_;
  std::unique_ptr<Room> room_;  // of the learner's thread
  PartClock clock_;
  RemoteActors* remote_ = nullptr;

  Orders orders_;
  std::int64_t last_round_ = 0;
  Floats states_, policies_, lasts_, last_policies_;
  std::vector<float> costs_, scores_;
  std::vector<std::uint16_t> taken_;
  std::vector<std::uint8_t> flags_;

  std::vector<std::thread> threads_;
  std::atomic<std::uint64_t> chunk_ = 0;              // counts begin(); threads sleep on it
  alignas(64) std::atomic<std::int64_t> needed_ = 0;  // rounds that the learner has asked for
  std::atomic<int> working_ = 0;
  std::atomic<bool> closing_ = false, stopping_ = false, failed_ = false;
  std::mutex problem_lock_;
  std::exception_ptr problem_;
};

}  // namespace politex::neural
