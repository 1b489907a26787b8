// The fast path: a finite world walked through its flat tables.
#pragma once

#include <array>
#include <vector>

#include "politex/base/rng.hpp"
#include "politex/env/finite_world.hpp"
#include "politex/policy/policy_table.hpp"
#include "politex/politex/collector.hpp"

namespace politex {

/// The random streams of one run, one per use.
struct Streams {
  explicit Streams(std::uint64_t seed)
      : environment(seed, Use::environment),
        by{Rng(seed, Use::explorer), Rng(seed, Use::probe), Rng(seed, Use::action)} {}
  Rng& actions(By who) noexcept { return by[static_cast<std::size_t>(who)]; }
  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

  Rng environment;
  std::array<Rng, 3> by;
};

class FiniteCollector final : public Collector {
 public:
  FiniteCollector(const FiniteWorld& world, Features features, PolicyTable explorer, std::uint64_t seed);

  void follow(const Rule& rule, std::span<const double> weights) override;
  Phase play(const Lengths& lengths, std::int64_t played, std::int64_t steps) override;
  FeatureStructure structure() const override { return features_.structure(); }
  int actions() const override { return world_.actions(); }
  void describe(std::span<const double> observation, SparseRows& into) const override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;
  void save_phase(ByteWriter& to) const override;
  void restore_phase(ByteReader& from) override;

  const FiniteWorld& world() const noexcept { return world_; }
  const Features& features() const noexcept { return features_; }
  const PolicyTable& target() const noexcept { return tables_[2]; }
  const PolicyTable& explorer() const noexcept { return tables_[0]; }
  int state() const noexcept { return state_; }

 private:
  FiniteWorld world_;
  Features features_;
  std::array<PolicyTable, 3> tables_;  // by who: explorer, uniform, target
  Streams streams_;
  int state_;
  std::vector<double> q_;
  std::vector<std::int32_t> pairs_;
  std::vector<double> costs_;
  std::size_t played_ = 0;  // steps of the newest phase
};

/// Walks `count` steps of a frozen policy and writes the pairs; returns the state after them. The bare step that
/// `politex bench` measures.
int walk(const FiniteWorld& world, const PolicyTable& policy, int state, std::int64_t count, Rng& actions,
         Rng& environment, std::int32_t* pairs) noexcept;

}  // namespace politex
