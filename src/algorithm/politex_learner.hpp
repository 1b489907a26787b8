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

/// The policy is Boltzmann in the sum of the Qs of all phases, which for linear Q is one weight vector.
class PolitexLearner final : public Learner {
 public:
  using Estimator = std::variant<Lsmc, Lspe>;
  /// `eta`; if it is 0 and `q_max` positive, the theorem's sqrt(8 log A / n) / q_max.
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
  Value eta = 0.1;  // a number, or "theory"
  double q_max = 0.0;
  bool centre = false;
  double ridge = 0.01;
  TdSolve solve = TdSolve::ridge;
};

const LearnerEntry& ee_politex_entry();
const LearnerEntry& politex_entry();

}  // namespace politex::inline algorithm
