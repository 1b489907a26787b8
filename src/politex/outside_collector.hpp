// Data collection in an environment that lives outside this program. Termination is part of the continuing problem: the
// world restarts within the step that ended, and the next state is the new start. A truncation is a new start too,
// never an end.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "politex/env/outside.hpp"
#include "politex/politex/collector.hpp"
#include "politex/politex/finite_collector.hpp"
#include "politex/politex/seen_phase.hpp"

namespace politex {

/// From what the environment shows to features, replicated per action. Called at every step: a virtual call is little
/// beside the wall that the step crosses.
class ObservationMap {
 public:
  virtual ~ObservationMap() = default;
  virtual int columns() const = 0;
  virtual int exclusive() const = 0;
  virtual void append(std::span<const double> observation, SparseRows& into) const = 0;
};

/// A basis of value/basis.hpp.
template <class Basis>
class BasisMap final : public ObservationMap {
 public:
  explicit BasisMap(Basis basis) : basis_(std::move(basis)) {}
  int columns() const override { return basis_.columns(); }
  int exclusive() const override { return basis_.exclusive(); }
  void append(std::span<const double> observation, SparseRows& into) const override {
    basis_.append(observation, into);
  }

 private:
  Basis basis_;
};

/// One indicator per state.
std::unique_ptr<ObservationMap> tabular_map(int states);
/// The numbers as they are: the observation is a feature vector.
std::unique_ptr<ObservationMap> identity_map(int size);

/// Chooses the exploration policy's action.
using OutsideExplorer = std::function<Action(std::span<const double> observation, Rng&)>;

class OutsideCollector final : public Collector {
 public:
  struct Options {
    double restart_cost = 0.0;                // added to the cost of a step that ends by the rules
    const std::atomic<bool>* stop = nullptr;  // true: the phase ends after the step that is being played
  };
  /// The block must hold one environment.
  OutsideCollector(std::unique_ptr<OutsideBlock> block, std::unique_ptr<ObservationMap> map, OutsideExplorer explorer,
                   std::uint64_t seed, const Options& options);

  void follow(const Rule& rule, std::span<const double> weights) override { seen_.follow(rule, weights); }
  /// What the environment throws ends the phase and becomes failure(); carried on, it begins with a new start.
  Phase play(const Lengths& lengths, std::int64_t played, std::int64_t steps) override;
  std::exception_ptr failure() const override { return failure_; }
  FeatureStructure structure() const override { return seen_.structure(); }
  int actions() const override { return seen_.actions(); }
  void describe(std::span<const double> observation, SparseRows& into) const override {
    map_->append(observation, into);
  }
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;
  void save_phase(ByteWriter& to) const override { seen_.save(to); }
  void restore_phase(ByteReader& from) override;

  /// Features of what the environment shows now.
  Features present() const;
  const ObservationMap& map() const noexcept { return *map_; }
  std::int64_t terminations() const noexcept { return terminations_; }
  /// Whether every step so far cost the same: then there is nothing to learn.
  bool constant_cost() const noexcept { return lowest_ == highest_; }
  double lowest_cost() const noexcept { return lowest_; }

 private:
  void see();
  void step(By by);

  std::unique_ptr<OutsideBlock> block_;
  std::unique_ptr<ObservationMap> map_;
  OutsideExplorer explorer_;
  Options options_;
  Streams streams_;
  SeenPhase seen_;
  std::vector<double> observation_;
  std::exception_ptr failure_;
  bool stale_ = false;  // the environment was not where the saved observation says
  std::int64_t terminations_ = 0;
  double lowest_, highest_;
};

}  // namespace politex
