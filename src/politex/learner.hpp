// A learner: told the data of a phase, it says how to act in the next one. Called once a phase, never inside a step.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/policy/rule.hpp"
#include "politex/value/lsmc.hpp"
#include "politex/value/lspe.hpp"
#include "politex/value/lspi.hpp"
#include "politex/value/rlsvi.hpp"

namespace politex {

class Learner {
 public:
  virtual ~Learner() = default;
  /// Learn from a whole phase that was played with the current policy.
  virtual void learn(const Phase& phase) = 0;
  /// The policy of the next phase is rule() applied to psi(x, .) . weights().
  virtual std::span<const double> weights() const = 0;
  virtual Rule rule() const = 0;
  /// The weights of the newest single estimate (for Politex the last Q, not the sum).
  virtual std::span<const double> newest() const { return weights(); }
  /// Forget everything (doubling); `phases` is the new n.
  virtual void restart(double phases) = 0;
  virtual void save(ByteWriter& to) const = 0;
  virtual void restore(ByteReader& from) = 0;
};

/// Politex and EE-Politex: the policy is Boltzmann in the sum of all phases' Q, which for linear Q is one vector.
class PolitexLearner final : public Learner {
 public:
  using Estimator = std::variant<Lsmc, Lspe>;
  /// eta of the theorem, sqrt(8 log A / n) / q_max, where `eta` is 0 and `q_max` positive.
  struct StepSize {
    double eta = 0.1;
    double q_max = 0.0;
    double of(double phases, int actions) const;
  };

  PolitexLearner(Estimator estimator, const FeatureStructure& structure, StepSize step_size, int actions,
                 double phases);

  void learn(const Phase& phase) override;
  std::span<const double> weights() const override { return sum_; }
  std::span<const double> newest() const override { return newest_; }
  Rule rule() const override { return Rule::boltzmann(eta_); }
  void restart(double phases) override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;

 private:
  Estimator estimator_;
  StepSize step_size_;
  int actions_;
  double eta_;
  std::vector<double> sum_, newest_;
};

/// Greedy in a fresh posterior sample every phase; in the first one the posterior is the prior.
class RlsviLearner final : public Learner {
 public:
  /// `start` gives the features of the start state, one row per action.
  RlsviLearner(const RlsviOptions& options, const FeatureStructure& structure, std::int64_t buffer, Features start,
               const Features* finite, std::uint64_t seed);

  void learn(const Phase& phase) override;
  std::span<const double> weights() const override { return sample_; }
  Rule rule() const override { return Rule::greedy(0.0); }
  void restart(double phases) override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;

 private:
  void sample_prior();

  Rlsvi rlsvi_;
  std::int64_t buffer_;
  Transitions data_;
  Features start_;
  const Features* finite_;
  Rng rng_;
  double prior_deviation_;
  std::vector<double> sample_;
};

/// Epsilon-greedy in the newest Q.
class LspiLearner final : public Learner {
 public:
  LspiLearner(const LspiOptions& options, const FeatureStructure& structure, std::int64_t buffer, double epsilon,
              const Features* finite);

  void learn(const Phase& phase) override;
  std::span<const double> weights() const override { return weights_; }
  Rule rule() const override { return Rule::greedy(epsilon_); }
  void restart(double phases) override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;

 private:
  Lspi lspi_;
  std::int64_t buffer_;
  Transitions data_;
  double epsilon_;
  const Features* finite_;
  std::vector<double> weights_;
};

}  // namespace politex
