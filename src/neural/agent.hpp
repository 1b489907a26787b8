// Neural (EE-)Politex: the appendix's learner and actors, as one deterministic loop. The learner at its k-th step of a
// phase sees exactly the first k * transitions_per_step transitions of that phase, whatever thread made them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "politex/neural/actors.hpp"
#include "politex/neural/learner.hpp"
#include "politex/neural/remote.hpp"
#include "politex/neural/windows.hpp"

namespace politex::neural {

struct Settings {
  std::int64_t steps = 1'000'000;
  std::uint64_t seed = 1;
  std::vector<int> hidden = {512};
  bool nature = false;  // convolutions before the hidden layers; needs pictures
  std::int64_t replay = 1'000'000;
  int n_step = 10;
  int n_step_explorer = 0;  // 0: as n_step
  enum class Transform { none, root, sign };
  Transform transform = Transform::none;  // what the learner sees; root: 0.2 sqrt(|c| / 10) with the sign of c
  double cost_scale = 0.0;                // 0: 10 (1 - discount), or 1 with a transform
  int transitions_per_step = 16;
  double phase_scale = 100.0;    // a phase ends after phase_scale * sqrt(all learner steps) learner steps
  std::int64_t phase_steps = 0;  // above 0: after so many learner steps instead
  double follow_scale = 1.0;     // mini-phase: whole episodes covering follow_scale * sqrt(the phase's transitions)
  LearnerSettings learner;
  PolicySettings policy;
  ActorSettings actors;
};

/// An episode that ended, by a clock or by the rules.
struct Episode {
  std::int64_t step = 0;  // transitions of the run when it ended
  double reward = 0.0;    // as the environment counts it
  enum class By : std::uint8_t { policy, explorer, both } by = By::policy;
};

class Agent {
 public:
  /// Throws ConfigError when a setting is out of range.
  Agent(const Settings& settings, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer);
  /// The other ranks of the fleet act (see ActingRank), this one learns. A fleet of one, or none: it does both.
  Agent(const Settings& settings, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer, Fleet* fleet);

  bool done() const noexcept { return steps_done_ == settings_.steps; }
  /// Up to 512 learner steps, never across the end of a phase. Afterwards every thread is quiet.
  void advance();
  /// Lets the run go on to `steps` in all, to the bits of a run that had this length from its beginning. Environments
  /// that are stepped together must be at the end of a round.
  void extend(std::int64_t steps);

  std::int64_t steps_done() const noexcept { return steps_done_; }
  std::int64_t learner_steps() const noexcept { return learner_steps_; }
  /// Of the present phase, counted from 1.
  std::int64_t phase() const noexcept { return phase_; }
  /// Whether the last advance() ended a phase.
  bool phase_ended() const noexcept { return phase_done_ == 0; }

  struct Costs {
    double all = 0.0, last_tenth = 0.0, policy = 0.0, explorer = 0.0;  // sums
    std::int64_t policy_steps = 0, explorer_steps = 0, last_tenth_steps = 0;
    double mean() const noexcept { return all / static_cast<double>(policy_steps + explorer_steps); }
  };
  const Costs& costs() const noexcept { return costs_; }
  const std::vector<Episode>& episodes() const noexcept { return episodes_; }
  /// In the units of the environment's cost a step (differential mode), transformed where that is asked for.
  double gain() const noexcept { return learner_.gain() / cost_scale_; }
  Learner& learner() noexcept { return learner_; }
  const Learner& learner() const noexcept { return learner_; }
  const RingPolicy& policy() const noexcept { return policy_; }
  /// What the learner's thread spends on what others could do, once switched on.
  struct Shared {
    PartClock& acting;
    PartClock& refreshing;
  };
  Shared shared_work() noexcept { return {actors_.clock(), learner_.clock()}; }
  std::string signature() const;

  /// Blocks and bytes that came from acting ranks.
  RemoteActors::Traffic traffic() const { return remote_ ? remote_->traffic() : RemoteActors::Traffic{}; }

  /// Whether save() carries the environments too. Where it cannot, a restored run goes on from new starts.
  bool saves_environments() const { return actors_.can_save(); }
  /// A saved ring, replay and everything else; restore() expects the same settings (threads may differ).
  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  void begin_phase();
  void end_phase();
  void tell_remote();
  void learn(std::int64_t first, std::int64_t last);
  void ingest(std::int64_t number);
  void count(std::int64_t number, const Transition& t);

  Settings settings_;
  double cost_scale_;
  Actors actors_;
  std::unique_ptr<RemoteActors> remote_;
  bool told_ = false;  // the acting ranks know of this phase
  Replay replay_;
  Learner learner_;
  RingPolicy policy_;
  std::vector<DuelingNetwork> ring_;  // the weights behind the policy, to be saved
  std::vector<double> ring_lengths_;
  std::vector<WindowMaker> windows_;
  struct Running {
    double reward = 0.0;
    bool by_policy = false, by_explorer = false;
  };
  std::vector<Running> running_;

  std::int64_t chunk_ = 1;  // learner steps of an advance(), at most
  std::int64_t steps_done_ = 0, learner_steps_ = 0;
  std::int64_t phase_ = 1;
  std::int64_t phase_length_ = 0, phase_done_ = 0;  // learner steps
  std::int64_t follow_ = 1;
  Costs costs_;
  std::vector<Episode> episodes_;
  Signature signature_;
  std::vector<float> to_sign_;
};

/// Of the networks of a run. Throws ConfigError (network.kind) where they do not fit what the environment shows.
Shape shape_of(const Settings& settings, const WorldSpace& space);

/// A cost as the learner sees it, before it is scaled.
double transformed(Settings::Transform transform, double cost);

/// Smallest k with k >= scale sqrt(before + k): learner steps of the phase that begins after `before` of them.
std::int64_t phase_length(double scale, std::int64_t before);

}  // namespace politex::neural
