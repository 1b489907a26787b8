// Neural (EE-)Politex: the learner and the actors of the paper's appendix, as one deterministic loop. The learner's
// k-th step of a phase sees exactly the first k * transitions_per_step transitions of that phase, on any number of
// threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "politex/neural/acting.hpp"
#include "politex/neural/episode_ledger.hpp"
#include "politex/neural/experience.hpp"
#include "politex/neural/network_learner.hpp"
#include "politex/neural/network_ring.hpp"
#include "politex/neural/novelty.hpp"
#include "politex/neural/phase_plan.hpp"
#include "politex/neural/run_signature.hpp"
#include "politex/neural/settings.hpp"

namespace politex::neural {

class NeuralPolitex {
 public:
  /// Throws ConfigError when a setting is out of range. A null explorer: Politex without exploration. A NoveltyExplorer
  /// learns while the run continues. If the fleet has several ranks, the others act (ActingRank) and this one learns;
  /// else it does both.
  NeuralPolitex(const Settings& settings, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer,
                Fleet* fleet = nullptr);

  bool done() const noexcept { return steps_done_ == settings_.steps; }
  /// Up to 512 learner steps, never across the end of a phase. Afterwards every thread is quiet.
  void advance();
  /// Sets the number of steps of the run, which then has the same bits as one of this length from the start.
  /// Environments that are stepped together must be at the end of a round.
  void extend(std::int64_t steps);

  std::int64_t steps_done() const noexcept { return steps_done_; }
  std::int64_t learner_steps() const noexcept { return phase_.learner_steps(); }
  /// The number of the current phase, counted from 1.
  std::int64_t phase() const noexcept { return phase_.number(); }
  /// Whether the last advance() ended a phase.
  bool phase_ended() const noexcept { return phase_.done() == 0; }

  using Costs = EpisodeCosts;
  const Costs& costs() const noexcept { return ledger_.costs(); }
  const std::vector<Episode>& episodes() const noexcept { return ledger_.episodes(); }
  /// Differential mode: the average cost per step, in units of the environment (transformed if that is configured).
  double gain() const noexcept { return learner_.gain() / cost_scale(settings_); }
  NetworkLearner& learner() noexcept { return learner_; }
  const NetworkLearner& learner() const noexcept { return learner_; }
  const RingPolicy& policy() const noexcept { return ring_.policy(); }
  /// The learning part of a NoveltyExplorer; null with any other explorer.
  const Novelty* novelty() const noexcept { return novelty_.get(); }
  /// The time that the learner's thread spends on work that other threads could do, once switched on.
  struct SharedWork {
    PartClock& acting;
    PartClock& refreshing;
  };
  SharedWork shared_work() noexcept { return {acting_.clock(), learner_.clock()}; }
  std::string signature() const { return signature_.text(); }

  /// Blocks and bytes that came from acting ranks.
  RemoteActors::Traffic traffic() const { return acting_.traffic(); }

  /// Whether save() includes the environments. If not, a restored run continues from new starts.
  bool saves_environments() const { return acting_.can_save(); }
  /// restore() needs the same settings; the number of threads may differ.
  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  void begin_chunk(std::int64_t last);
  void learn(std::int64_t last);
  void teach_explorer();
  void store(std::int64_t number);
  void end_phase();
  std::int64_t chunk_end() const noexcept;

  Settings settings_;
  std::unique_ptr<Novelty> novelty_;
  Acting acting_;
  Experience experience_;
  NetworkLearner learner_;
  NetworkRing ring_;
  PhasePlan phase_;
  EpisodeLedger ledger_;
  RunSignature signature_;
  std::int64_t chunk_ = 1;  // learner steps of an advance(), at most
  std::int64_t steps_done_ = 0;
};

}  // namespace politex::neural
