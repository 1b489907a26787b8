// Least-squares Monte Carlo: regression of the returns of visited pairs on their features (equation estQ of the paper).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/value/normal_equations.hpp"
#include "politex/value/phase.hpp"

namespace politex::inline value {

/// Which pairs of a rollout become regression rows. one: its first pair (the probe), with the whole rollout.
enum class Visits { one, first, every };
/// The estimate of the average cost lambda: mean target cost of the phase, of the rollout, or the rollout's last cost.
enum class Average { phase, rollout, last_cost };

struct LsmcOptions {
  Visits visits = Visits::every;
  Average average = Average::phase;
  std::int64_t horizon = 0;  // costs in a return; 0: to the end of the rollout
  double ridge = 0.01;
  bool centre = false;  // subtract the mean from the returns, so that ridge shrinks to the mean instead of 0
};

class Lsmc {
 public:
  Lsmc(const LsmcOptions& options, const FeatureStructure& structure) : options_(options), equations_(structure) {}

  /// Computes the weights of the phase's Q.
  void estimate(const Phase& phase, std::span<double> weights);

  /// The mean target cost of the last phase, which the estimate uses if Average::phase is set.
  double average() const noexcept { return average_; }

 private:
  void add_rollout(const Phase& phase, std::size_t begin, std::size_t end);
  void mark_first_visits(const Phase& phase, std::size_t begin, std::size_t end);
  void add_visit(std::int32_t pair, double costs, double length);

  LsmcOptions options_;
  NormalEquations equations_;
  double average_ = 0.0;
  // Sums over the visits of each pair, and the visited pairs in order of their first visit.
  std::vector<double> visits_, costs_, lengths_;
  std::vector<std::int32_t> touched_;
  std::vector<double> prefix_;
  std::vector<unsigned char> is_first_;
  std::vector<std::int64_t> seen_in_;  // pair -> last rollout that visited it
  std::int64_t rollout_ = 0;
};

}  // namespace politex::inline value
