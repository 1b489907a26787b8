// The general path: data collection in any environment, with features computed state by state. A phase's slots are its
// time steps. Termination is part of the continuing problem: the environment restarts within the step that ended, and
// the next state is the new start. A truncation is a new start too, never an end.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "politex/algorithm/collector.hpp"
#include "politex/algorithm/exploration.hpp"
#include "politex/algorithm/seen_phase.hpp"
#include "politex/algorithm/streams.hpp"
#include "politex/env/block.hpp"
#include "politex/env/restart_cost.hpp"
#include "politex/features/feature_map.hpp"
#include "politex/policy/explorer.hpp"

namespace politex::inline algorithm {

struct BlockCollectorOptions {
  RestartCost restart_cost{};
  const std::atomic<bool>* stop = nullptr;  // true: the phase ends after the step that is being played
  bool states = false;                      // phases list the pairs of states and actions; the states are listed
  bool cells = false;                       // the same for the cells of the features (FeatureMap::cells)
  bool observations = false;                // phases have the observations
  // Where the target policy has no preference at all, because nothing was learned yet, it is uniform: then a random
  // action is held, for 20 steps on average. A new action in each step would go nowhere.
  bool hold = false;
};

class BlockCollector final : public Collector {
 public:
  using Options = BlockCollectorOptions;
  /// The block must hold one environment.
  BlockCollector(std::unique_ptr<EnvironmentBlock> block, std::unique_ptr<FeatureMap> map,
                 std::shared_ptr<const Explorer> explorer, std::uint64_t seed, const Options& options = {});
  /// From now on segments vary in length.
  void explore_by(std::unique_ptr<Exploration> exploration) { exploration_ = std::move(exploration); }

  void follow(const Rule& rule, std::span<const double> weights) override { seen_.follow(rule, weights); }
  /// What the environment throws ends the phase and becomes failure(); continued, it begins with a new start.
  Phase collect(const Part& part) override;
  std::exception_ptr failure() const override { return failure_; }
  FeatureStructure structure() const override { return seen_.structure(); }
  int actions() const override { return seen_.actions(); }
  void respect_masks() override;
  void start_from(std::shared_ptr<const Explorer> incumbent, double weight) override;
  void probabilities(const Rule& rule, std::span<const double> observation, std::span<const double> q,
                     std::span<double> p) const override;
  void describe(std::span<const double> observation, SparseRows& into) const override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;
  void save_phase(ByteWriter& to) const override;
  std::int64_t restore_phase(ByteReader& from) override;

  /// The present observation, and its features.
  std::span<const double> observation() const noexcept { return observation_; }
  Features present() const { return features_at(*map_, observation_, actions()); }
  const FeatureMap& map() const noexcept { return *map_; }
  const EnvironmentBlock& block() const noexcept { return *block_; }
  const Exploration* exploration() const noexcept { return exploration_.get(); }
  std::int64_t terminations() const noexcept { return terminations_; }
  std::int64_t truncations() const noexcept { return truncations_; }
  /// Whether every step so far cost the same: then there is nothing to learn.
  const RestartCost& restart_cost() const noexcept { return options_.restart_cost; }
  bool constant_cost() const noexcept { return lowest_ == highest_; }
  double lowest_cost() const noexcept { return lowest_; }

 private:
  struct Player;
  struct Stopped {};

  void see();
  void append_row();
  void set_logits(std::span<const double> observation, ExplorerMemory& memory, Rng& draws,
                  std::span<double> logits) const;
  /// The number of the present state, or cell; 0 where neither is listed.
  std::int32_t listed() const;
  void step(By by);
  /// One step with this action; without one, the acting policy chooses.
  void step(By by, const Action* given);
  Action choose(By by, Rng& rng);

  std::unique_ptr<EnvironmentBlock> block_;
  std::unique_ptr<FeatureMap> map_;
  std::shared_ptr<const Explorer> explorer_;
  Options options_;
  std::int32_t first_cell_;
  ActionStreams streams_;
  ExplorerMemory memory_;
  SeenPhase seen_;
  std::vector<double> observation_;
  std::unique_ptr<Exploration> exploration_;  // null: segments as the lengths say
  std::exception_ptr failure_;
  std::vector<std::uint8_t> possible_;          // in the present state; empty: every action is
  std::shared_ptr<const Explorer> incumbent_;   // null: the target policy begins uniform
  std::optional<PolicyTable> incumbent_table_;  // where it is a fixed policy over listed states
  double incumbent_weight_ = 0.0;
  ExplorerMemory incumbent_memory_;
  Rng incumbent_draws_;
  std::vector<double> logits_;
  bool stale_ = false;  // the environment was not where the saved observation says
  std::int64_t steps_ = 0, terminations_ = 0, truncations_ = 0;
  double lowest_, highest_;
};

}  // namespace politex::inline algorithm
