// Acting in this process. The policy is frozen within a phase, so that acting threads may run ahead of the learner
// without changing a bit. Threads with nothing to act on refresh the replay's stale policies.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "politex/base/thread_clock.hpp"
#include "politex/neural/actor_threads.hpp"
#include "politex/neural/blocks.hpp"
#include "politex/neural/chunk.hpp"
#include "politex/neural/mini_phase.hpp"
#include "politex/neural/policy_refresh.hpp"
#include "politex/neural/ring_policy.hpp"
#include "politex/policy/explorer.hpp"
#include "politex/replay/replay.hpp"

namespace politex::neural {

struct ActorSettings {
  int environments = 16;        // logical environments: they change the bits
  int threads = 0;              // next to the learner's, which acts if no other does: they do not change the bits
  std::int64_t explore = 1000;  // steps of the explorer in a mini-phase
  bool whole_episodes = false;  // the segments of a mini-phase also wait for the end of their episode
};

class Actors {
 public:
  /// Throws ConfigError when a setting is out of range. `explorer` may be null: then the policy always acts.
  Actors(const ActorSettings& settings, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer,
         std::uint64_t seed);
  /// Only the environments of `here` exist and are stepped.
  Actors(const ActorSettings& settings, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer,
         std::uint64_t seed, EnvironmentRange here);

  const Space& space() const noexcept { return space_; }
  /// What networks see of an observation.
  const Observation& input() const noexcept { return input_; }
  /// May be null.
  const Explorer* explorer() const noexcept { return explorer_.get(); }
  /// Whether save() includes the environments; if not, restore() leaves them at new starts.
  bool can_save() const;

  /// What a chunk needs. It must not change until finish().
  struct Orders {
    std::int64_t first = 0, last = 0;  // transitions [first, last) of the run
    const RingPolicy* policy = nullptr;
    Replay* replay = nullptr;  // its policies are refreshed by idle threads; may be null
    std::uint32_t phase = 1;
    std::int64_t follow = 1000;  // steps of the policy in a mini-phase that begins now
  };
  /// Starts a chunk: the acting threads begin to work.
  void begin(const Orders& orders);
  /// Returns when all transitions before `count` exist; acts itself while it waits. Throws what an actor threw.
  void wait_for(std::int64_t count);
  /// Returns when every thread is quiet. Only then may anything be saved or changed.
  void finish() { threads_->finish(); }

  /// The time that the learner's thread spends on acting, once switched on.
  PartClock& clock() noexcept { return clock_; }

  /// The current chunk, complete as far as wait_for() was called.
  Chunk& chunk() noexcept { return chunk_; }
  const Chunk& chunk() const noexcept { return chunk_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

  /// From now on other processes step all environments, and nothing is stepped here.
  void step_nothing() noexcept { idle_ = true; }
  /// The state of one environment between two chunks.
  void save_environment(int environment, ByteWriter& to) const;
  void restore_environment(int environment, ByteReader& from);

 private:
  /// The memory of one thread.
  struct Workspace : PolicyRefresh::Workspace {
    std::vector<Action> actions;
    std::vector<StepResult> steps;
    std::vector<float> observation;   // as the environment shows it
    std::vector<Action> all_actions;  // of a block that is only stepped as a whole
    std::vector<StepResult> all_steps;
  };
  /// A few neighbouring environments that are stepped together, by one thread at a time.
  struct alignas(64) Group {
    EnvironmentRange range;
    std::shared_ptr<EnvironmentBlock> block;
    std::atomic<bool> busy = false;
    std::atomic<std::int64_t> rounds = 0;  // rounds of the run that are complete
  };
  struct Slot {
    MiniPhase mini_phase;
    Recall recall = {};  // not part of the state: it changes the time that acting takes, never the bits
    Group* group = nullptr;
  };

  void make_groups(const BlockMaker& maker, EnvironmentRange here);
  Slot& slot(int environment) { return slots_[static_cast<std::size_t>(environment)]; }
  const Slot& slot(int environment) const { return slots_[static_cast<std::size_t>(environment)]; }
  bool work(Workspace& workspace);
  bool act_somewhere(Workspace& workspace, std::int64_t rounds);
  void observe(const Group& group, int environment, std::size_t at);
  Action choose(const Group& group, int environment, std::size_t at, const MiniPhaseLengths& lengths,
                Workspace& workspace);
  void step(const Group& group, EnvironmentRange range, Workspace& workspace);
  void play_round(const Group& group, std::int64_t round, Workspace& workspace);
  void throw_if_failed();

  ActorSettings settings_;
  std::shared_ptr<const Explorer> explorer_;
  Space space_;
  Observation input_;
  bool external_ = false;  // environments of other processes: the time of a step is not known
  bool idle_ = false;
  std::vector<Slot> slots_;
  std::vector<std::unique_ptr<Group>> groups_;
  Workspace workspace_;  // of the learner's thread
  PartClock clock_;

  Orders orders_;
  Chunk chunk_;
  PolicyRefresh refresh_;
  alignas(64) std::atomic<std::int64_t> needed_ = 0;  // rounds that the learner has asked for
  std::unique_ptr<ActorThreads> threads_;             // last: it ends before what it works on
};

}  // namespace politex::neural
