// Politex and EE-Politex.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "politex/algorithm/learner.hpp"
#include "politex/base/length.hpp"
#include "politex/value/learner_entry.hpp"
#include "politex/value/lsmc.hpp"
#include "politex/value/lspe.hpp"

namespace politex::inline algorithm {

/// How the Qs of the phases become a policy. sum: Politex, Boltzmann in the sum of all Qs. adaptive: AAPI, Boltzmann in
/// the sum with the newest Q counted twice, with a step size per state that follows the changes from Q to Q.
/// replay: one Q on the data of all phases; it is a learner of its own.
enum class Combine { sum, adaptive, replay };

/// The policy is Boltzmann in the sum of the Qs of all phases, which for linear Q is one weight vector.
class PolitexLearner final : public Learner {
 public:
  using Estimator = std::variant<Lsmc, Lspe>;
  /// `eta`; if it is 0 and `q_max` positive, the theorem's sqrt(8 log A / n) / q_max. `scale_free`: SOLO FTRL's
  /// sqrt(11 log A / sum over phases of mean_x range_a Q_i(x, .)^2), the mean over the states of the phase's steps;
  /// `eta` is not used. With Combine::adaptive `eta` is 1 / c, and `scale_free` means 1.
  struct StepSize {
    double eta = 0.1;
    double q_max = 0.0;
    bool scale_free = false;
    double of(double phases, int actions) const;
  };

  PolitexLearner(Estimator estimator, const FeatureStructure& structure, StepSize step_size, int actions, double phases,
                 Combine combine = Combine::sum);

  void learn(const Phase& phase) override;
  std::span<const double> weights() const override { return adaptive() ? optimistic_ : sum_; }
  std::span<const double> newest() const override { return newest_; }
  Rule rule() const override { return Rule::boltzmann(eta_, norms_); }
  const Solved* solved() const override {
    return std::visit([](const auto& estimator) { return &estimator.solved(); }, estimator_);
  }
  bool knows_masks() const override { return true; }
  void restart(double phases) override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;

 private:
  bool adaptive() const noexcept { return combine_ == Combine::adaptive; }
  bool scale_free() const noexcept { return step_size_.scale_free && !adaptive(); }
  void add_changes();
  void set_step();

  Estimator estimator_;
  StepSize step_size_;
  Combine combine_;
  int actions_, columns_;
  double eta_;
  std::vector<double> sum_, newest_;
  double squares_ = 0.0;  // scale_free: the sum under the root
  std::vector<double> ranges_;
  // adaptive: the last Q, the sum with the newest counted twice, and for each column the sum of squared changes.
  std::vector<double> before_, optimistic_, changes_, norms_;
  std::int64_t learned_ = 0;
};

/// The mean over the phase's steps of the squared range of Q(x, .); `ranges` is working memory.
double mean_squared_range(const Phase& phase, std::span<const double> weights, std::vector<double>& ranges);

/// The keys of [algorithm].
struct PolitexOptions {
  enum class Kind { lsmc, lspe };
  enum class LspeForm { fixed_point, iterated };
  Kind estimator = Kind::lsmc;
  Visits visits = Visits::every;
  Average average = Average::phase;
  Length horizon = Length::steps(0);  // costs in a return; 0: to the end of the rollout
  LspeForm lspe = LspeForm::fixed_point;
  std::int64_t lspe_iterations = 20;
  double lspe_step = 0.5;
  Value eta = 0.1;  // a number, "theory" or "scale_free"
  double q_max = 0.0;
  Combine combine = Combine::sum;
  Baseline baseline = Baseline::none;
  Value ridge = 0.01;  // a number, or "count"
  TdSolve solve = TdSolve::ridge;
  std::int64_t buffer = 20'000;
};

const LearnerEntry& ee_politex_entry();
const LearnerEntry& politex_entry();

}  // namespace politex::inline algorithm
