// The data of a phase whose slots are its time steps: features and the target policy's law of every state met.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/env/environment.hpp"
#include "politex/policy/rule.hpp"
#include "politex/value/phase.hpp"

namespace politex {

class SeenPhase {
 public:
  SeenPhase(int actions, int columns, int exclusive, bool replicated);

  FeatureStructure structure() const noexcept { return features_.structure(); }
  int actions() const noexcept { return features_.actions; }
  void follow(const Rule& rule, std::span<const double> weights);

  void begin();
  std::size_t steps() const noexcept { return pairs_.size(); }
  /// Whether the present state has its slot already: the last part of the phase ended here.
  bool seen() const noexcept { return policy_.size() > pairs_.size() * q_.size(); }
  /// Where the features of the present state are appended; see() then takes its slot.
  SparseRows& rows() noexcept { return features_.rows; }
  void see();
  /// Takes the present state's slot back: the world moved on without an action.
  void forget();
  /// The target policy's action in the present state, and a uniformly random one.
  Action target(Rng& rng);
  Action uniform(Rng& rng);
  void took(Action action, double cost);
  void took(Action action, double cost, std::int32_t model_pair);

  /// The present state must be seen.
  Phase phase(const Lengths& lengths, std::int32_t last_state = 0) const;

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  Rule rule_;
  std::vector<double> weights_;
  std::vector<double> q_, cumulative_;
  Features features_;
  std::vector<double> policy_;
  std::vector<std::int32_t> pairs_, model_pairs_;
  std::vector<double> costs_;
};

}  // namespace politex
