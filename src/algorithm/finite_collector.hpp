// The fast path: a finite environment, walked through its flat tables.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "politex/algorithm/collector.hpp"
#include "politex/algorithm/exploration.hpp"
#include "politex/algorithm/streams.hpp"
#include "politex/base/rng.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/policy/policy_table.hpp"

namespace politex::inline algorithm {

class FiniteCollector final : public Collector {
 public:
  FiniteCollector(const TableEnvironment& environment, Features features, PolicyTable explorer, std::uint64_t seed);
  /// With an explorer that learns, or segments that vary in length.
  FiniteCollector(const TableEnvironment& environment, Features features, std::unique_ptr<Exploration> exploration,
                  std::uint64_t seed);

  void follow(const Rule& rule, std::span<const double> weights) override;
  Phase collect(const Part& part) override;
  FeatureStructure structure() const override { return features_.structure(); }
  int actions() const override { return environment_.actions(); }
  void respect_masks() override;
  void start_from(std::shared_ptr<const Explorer> incumbent, double weight) override;
  void probabilities(const Rule& rule, std::span<const double> observation, std::span<const double> q,
                     std::span<double> p) const override;
  void describe(std::span<const double> observation, SparseRows& into) const override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;
  void save_phase(ByteWriter& to) const override;
  std::int64_t restore_phase(ByteReader& from) override;

  const TableEnvironment& environment() const noexcept { return environment_; }
  const Features& features() const noexcept { return features_; }
  const PolicyTable& target() const noexcept { return tables_[2]; }
  const PolicyTable& explorer() const noexcept { return tables_[0]; }
  int state() const noexcept { return state_; }
  const Exploration* exploration() const noexcept { return exploration_.get(); }

 private:
  struct Player;
  void play(const Part& part);
  void bind(PolicyBounds bounds);
  std::span<const std::uint8_t> possible() const noexcept;

  TableEnvironment environment_;
  Features features_;
  std::array<PolicyTable, 3> tables_;  // indexed by By: explorer, uniform, target
  ActionStreams streams_;
  Rng transitions_;
  int state_;
  std::vector<double> q_;
  std::vector<std::int32_t> pairs_;
  std::vector<double> costs_;
  std::unique_ptr<Exploration> exploration_;  // null: segments as the lengths say, with tables_[0] as explorer
  bool complete_ = false;                     // the newest phase, where there is an exploration_
  std::size_t played_ = 0;                    // steps of the newest phase
};

/// Walks `count` steps of a frozen policy and writes the pairs; returns the state after them. `politex bench` measures
/// this step alone.
int walk(const TableEnvironment& environment, const PolicyTable& policy, int state, std::int64_t count, Rng& actions,
         Rng& transitions, std::int32_t* pairs) noexcept;

}  // namespace politex::inline algorithm
