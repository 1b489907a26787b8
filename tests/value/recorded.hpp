// Recorded phases and dense textbook algebra for the tests of value/. Nothing here calls an estimator.
#pragma once

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "politex/base/rng.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/garnet.hpp"
#include "politex/env/river_swim.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/features/additive.hpp"
#include "politex/features/features.hpp"
#include "politex/features/tabular.hpp"
#include "politex/value/phase.hpp"

namespace politex::testing {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// psi(pair) from its definition: phi(x) in the block of action a, or a row per pair.
inline Vector dense_psi(const Features& features, int pair) {
  Vector psi = Vector::Zero(features.replicated ? features.actions * features.rows.columns : features.rows.columns);
  const int row = features.replicated ? pair / features.actions : pair;
  const int offset = features.replicated ? (pair % features.actions) * features.rows.columns : 0;
  const auto begin = static_cast<std::size_t>(features.rows.first[static_cast<std::size_t>(row)]);
  const auto end = static_cast<std::size_t>(features.rows.first[static_cast<std::size_t>(row) + 1]);
  for (std::size_t k = begin; k < end; ++k) psi[offset + features.rows.index[k]] = features.rows.value[k];
  return psi;
}

/// A phase and everything it refers to.
struct Recorded {
  Features features;
  Lengths lengths;
  std::vector<std::int32_t> pairs;
  std::vector<double> costs;
  std::vector<double> policy;
  std::int32_t last_slot = 0;
  bool slots_are_states = true;

  Phase phase() const {
    return {.lengths = lengths,
            .pairs = pairs,
            .costs = costs,
            .last_slot = last_slot,
            .features = &features,
            .policy = policy,
            .slots_are_states = slots_are_states,
            .model_pairs = {},
            .last_state = 0};
  }
  int slot_after(std::size_t t) const { return t + 1 < pairs.size() ? pairs[t + 1] / features.actions : last_slot; }
  bool is_target(std::size_t t) const {
    return static_cast<std::int64_t>(t) % lengths.rollout() >= lengths.explore + lengths.probe;
  }
};

inline std::vector<double> random_distribution(int states, int actions, Rng& rng) {
  std::vector<double> policy;
  for (int x = 0; x < states; ++x) {
    double total = 0.0;
    for (int a = 0; a < actions; ++a) total += policy.emplace_back(0.05 + rng.uniform());
    for (auto a = policy.end() - actions; a != policy.end(); ++a) *a /= total;
  }
  return policy;
}

/// Walks through a model with a random target policy, a fixed explorer (the last action) and uniform probes.
inline Recorded record(const FiniteModel& model, Features features, const Lengths& lengths, std::uint64_t seed) {
  const TableEnvironment environment(model);
  Rng rng(seed);
  Recorded recorded{.features = std::move(features),
                    .lengths = lengths,
                    .pairs = {},
                    .costs = {},
                    .policy = random_distribution(model.states, model.actions, rng)};
  int x = model.start;
  for (std::int64_t t = 0; t < lengths.total(); ++t) {
    const auto place = t % lengths.rollout();
    int a = model.actions - 1;
    if (place >= lengths.explore) a = static_cast<int>(rng.below(static_cast<std::uint64_t>(model.actions)));
    if (place >= lengths.explore + lengths.probe) {
      double left = rng.uniform();
      for (a = 0; a + 1 < model.actions; ++a)
        if ((left -= recorded.policy[static_cast<std::size_t>(model.pair(x, a))]) < 0.0) break;
    }
    recorded.pairs.push_back(model.pair(x, a));
    recorded.costs.push_back(environment.step(x, a, rng).cost);
  }
  recorded.last_slot = x;
  return recorded;
}

/// The same phase as on the general path: every step has a separate slot.
inline Recorded with_slots_by_step(const Recorded& by_state) {
  Recorded steps{.features = by_state.features,
                 .lengths = by_state.lengths,
                 .pairs = {},
                 .costs = by_state.costs,
                 .policy = {},
                 .last_slot = static_cast<std::int32_t>(by_state.pairs.size()),
                 .slots_are_states = false};
  const int actions = by_state.features.actions, each = by_state.features.replicated ? 1 : actions;
  SparseRows& rows = steps.features.rows;
  rows = {};
  rows.columns = by_state.features.rows.columns;
  const auto see = [&](int state) {
    for (int r = state * each; r < (state + 1) * each; ++r) {
      const auto indices = by_state.features.rows.indices(r);
      const auto values = by_state.features.rows.values(r);
      for (std::size_t k = 0; k < indices.size(); ++k) rows.append(indices[k], values[k]);
      rows.end_row();
    }
    for (int a = 0; a < actions; ++a)
      steps.policy.push_back(by_state.policy[static_cast<std::size_t>(state * actions + a)]);
  };
  for (std::size_t t = 0; t < by_state.pairs.size(); ++t) {
    see(by_state.pairs[t] / actions);
    steps.pairs.push_back(static_cast<std::int32_t>(t) * actions + by_state.pairs[t] % actions);
  }
  see(by_state.last_slot);
  return steps;
}

/// Dense random features, one row per state or per pair.
inline Features random_features(const FiniteModel& model, int columns, bool per_pair, std::uint64_t seed) {
  Rng rng(seed);
  Features features;
  features.actions = model.actions;
  features.replicated = !per_pair;
  features.rows.columns = columns;
  for (int r = 0; r < (per_pair ? model.pairs() : model.states); ++r) {
    for (int k = 0; k < columns; ++k) features.rows.append(k, 2.0 * rng.uniform() - 1.0);
    features.rows.end_row();
  }
  return features;
}

/// An environment with a feature map, used to test every estimator.
struct Case {
  std::string name;
  FiniteModel model;
  Features features;
};

inline FiniteModel river_swim_model() { return compile(RiverSwim(6), "river_swim", 6, 0); }

/// States share coordinates, so that several of them have equal features.
inline FiniteModel aliased_garnet(std::uint64_t seed) {
  FiniteModel model = garnet_model({.states = 12, .actions = 3, .branching = 3, .model_seed = seed});
  std::vector<int> one, other, third;
  for (int x = 0; x < model.states; ++x) {
    one.push_back(x % 3);
    other.push_back((x / 3) % 2);
    third.push_back(x % 2);
  }
  model.axes = {one, other, third};
  return model;
}

inline std::vector<Case> cases() {
  const FiniteModel sea = deep_sea_model(DeepSea(4)), river = river_swim_model(), garnet = aliased_garnet(3);
  return {{"deep_sea additive", sea, additive_features(sea)},
          {"deep_sea tabular", sea, tabular_features(sea)},
          {"river_swim tabular", river, tabular_features(river)},
          {"river_swim dense", river, random_features(river, 4, false, 5)},
          {"garnet aliased", garnet, additive_features(garnet)},
          {"garnet per pair", garnet, random_features(garnet, 7, true, 6)}};
}

/// All test phases: all cases, with and without exploration and probe, slots by state and by step.
inline std::vector<std::pair<std::string, Recorded>> recorded_phases() {
  std::vector<std::pair<std::string, Recorded>> all;
  for (const Case& each : cases())
    for (const bool explores : {true, false}) {
      const Lengths lengths = explores ? Lengths{.rollouts = 5, .explore = 3, .probe = 1, .follow = 13}
                                       : Lengths{.rollouts = 5, .explore = 0, .probe = 0, .follow = 17};
      const Recorded states = record(each.model, each.features, lengths, 11);
      all.emplace_back(each.name + (explores ? " exploring" : ""), states);
      all.emplace_back(all.back().first + " by step", with_slots_by_step(states));
    }
  return all;
}

/// argmin |y - X w|^2 + ridge |w|^2; ridge 0: the minimum-norm solution, from the singular values of X.
inline Vector ridge_regression(const Matrix& x, const Vector& y, double ridge) {
  if (ridge > 0.0) {
    Matrix normal = x.transpose() * x;
    normal.diagonal().array() += ridge;
    return normal.ldlt().solve(x.transpose() * y);
  }
  Eigen::JacobiSVD<Matrix> svd(x, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(1e-10);
  return svd.solve(y);
}

inline Matrix stack(const std::vector<Vector>& rows, int columns) {
  Matrix all(static_cast<Eigen::Index>(rows.size()), columns);
  for (std::size_t r = 0; r < rows.size(); ++r) all.row(static_cast<Eigen::Index>(r)) = rows[r].transpose();
  return all;
}

/// The largest difference relative to the largest entry.
inline double distance(std::span<const double> w, const Vector& expected) {
  const Eigen::Map<const Vector> got(w.data(), static_cast<Eigen::Index>(w.size()));
  if (got.size() != expected.size() || !got.allFinite()) return 1e300;
  return (got - expected).cwiseAbs().maxCoeff() / std::max(1.0, expected.cwiseAbs().maxCoeff());
}

}  // namespace politex::testing
