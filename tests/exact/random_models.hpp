// Small random models and dense textbook answers for the tests of exact/.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "politex/base/rng.hpp"
#include "politex/env/finite_model.hpp"

namespace politex::exact::testing {

/// `successors` draws with repetition per pair; few of them make multichain and periodic chains likely.
inline FiniteModel random_model(std::uint64_t seed, int states, int actions, int successors, double teleport = 0.0) {
  Rng rng{seed, Use::test, 77};
  FiniteModel model;
  model.name = "random";
  model.states = states;
  model.actions = actions;
  model.size = states;
  model.teleport = teleport;
  model.first = {0};
  for (int pair = 0; pair < states * actions; ++pair) {
    std::vector<double> cuts = {0.0, 1.0};
    for (int i = 1; i < successors; ++i) cuts.push_back(rng.uniform());
    std::ranges::sort(cuts);
    for (int i = 0; i < successors; ++i) {
      model.next.push_back(static_cast<int>(rng.below(static_cast<std::uint64_t>(states))));
      model.probability.push_back(cuts[i + 1] - cuts[i]);
    }
    model.first.push_back(static_cast<std::int64_t>(model.next.size()));
    model.cost.push_back(2.0 * rng.uniform() - 1.0);
  }
  return model;
}

inline std::vector<double> random_policy(const FiniteModel& model, Rng& rng) {
  std::vector<double> policy(model.pairs());
  for (int x = 0; x < model.states; ++x) {
    double total = 0.0;
    for (int a = 0; a < model.actions; ++a) total += policy[model.pair(x, a)] = 0.05 + rng.uniform();
    for (int a = 0; a < model.actions; ++a) policy[model.pair(x, a)] /= total;
  }
  return policy;
}

inline std::vector<int> random_actions(const FiniteModel& model, Rng& rng) {
  std::vector<int> actions(model.states);
  for (int& a : actions) a = static_cast<int>(rng.below(static_cast<std::uint64_t>(model.actions)));
  return actions;
}

/// A model of one action: a chain.
inline FiniteModel chain_model(const Eigen::MatrixXd& p, const Eigen::VectorXd& cost) {
  FiniteModel model;
  model.name = "chain";
  model.states = static_cast<int>(p.rows());
  model.actions = 1;
  model.first = {0};
  for (int x = 0; x < model.states; ++x) {
    for (int y = 0; y < model.states; ++y) {
      if (p(x, y) == 0.0) continue;
      model.next.push_back(y);
      model.probability.push_back(p(x, y));
    }
    model.first.push_back(static_cast<std::int64_t>(model.next.size()));
    model.cost.push_back(cost[x]);
  }
  return model;
}

/// Transition matrix of all pairs, teleporting included.
inline Eigen::MatrixXd dense_pairs(const FiniteModel& model) {
  Eigen::MatrixXd p = Eigen::MatrixXd::Constant(model.pairs(), model.states, model.teleport / model.states);
  for (int pair = 0; pair < model.pairs(); ++pair) {
    for (auto e = model.first[pair]; e < model.first[pair + 1]; ++e) {
      p(pair, model.next[e]) += (1.0 - model.teleport) * model.probability[e];
    }
  }
  return p;
}

struct DenseChain {
  Eigen::MatrixXd p;
  Eigen::VectorXd cost;
};

inline DenseChain dense_chain(const FiniteModel& model, std::span<const double> policy) {
  const Eigen::MatrixXd pairs = dense_pairs(model);
  DenseChain chain{Eigen::MatrixXd::Zero(model.states, model.states), Eigen::VectorXd::Zero(model.states)};
  for (int x = 0; x < model.states; ++x) {
    for (int a = 0; a < model.actions; ++a) {
      chain.p.row(x) += policy[model.pair(x, a)] * pairs.row(model.pair(x, a));
      chain.cost[x] += policy[model.pair(x, a)] * model.cost[model.pair(x, a)];
    }
  }
  return chain;
}

/// Limit of the averaged powers, by repeated squaring of the lazy chain, which has the same limit and is aperiodic.
inline Eigen::MatrixXd dense_limit(const Eigen::MatrixXd& p) {
  Eigen::MatrixXd power = 0.5 * (p + Eigen::MatrixXd::Identity(p.rows(), p.cols()));
  for (int doubling = 0; doubling < 64; ++doubling) {
    power = (power * power).eval();
    for (int x = 0; x < power.rows(); ++x) power.row(x) /= power.row(x).sum();
  }
  return power;
}

struct DenseAnswer {
  Eigen::VectorXd gain, bias;
  Eigen::MatrixXd limit;
};

inline DenseAnswer dense_answer(const DenseChain& chain) {
  const auto n = chain.p.rows();
  const Eigen::MatrixXd limit = dense_limit(chain.p), one = Eigen::MatrixXd::Identity(n, n);
  const Eigen::VectorXd gain = limit * chain.cost;
  return {gain, (one - chain.p + limit).fullPivLu().solve(chain.cost - gain), limit};
}

}  // namespace politex::exact::testing
