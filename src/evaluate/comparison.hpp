// The average cost of a policy, alone or compared with another one: exactly where the environment is finite, else from
// long paired simulations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "politex/evaluate/confidence_sequence.hpp"
#include "politex/evaluate/simulation.hpp"

namespace politex::inline evaluate {

/// The average cost of one policy.
struct AverageCost {
  Interval interval;       // NaN bounds where it was refused
  std::int64_t steps = 0;  // simulated; 0: exact
  std::string method;      // exact, regenerative, batch_means
  std::string refusal;     // why there is no interval
};

/// Policy minus reference.
struct Difference {
  Interval interval;  // NaN bounds: refused
  Verdict verdict = Verdict::not_yet;
  std::string refusal;
};

struct Comparison {
  AverageCost policy;
  std::optional<AverageCost> reference{};
  std::optional<Difference> difference{};
};

struct EvaluationOptions {
  std::int64_t steps = 0;  // of every policy; 0: the default for the kind of environment
  std::uint64_t seed = 1;
  double alpha = 0.05;    // the intervals cover with probability 1 - alpha
  bool simulate = false;  // also where an exact answer is possible
  int jobs = 0;           // threads; does not affect results
};

/// Whether the exact answer is cheap enough to be the default.
bool exact_is_possible(const FiniteModel& model);

/// On a finite environment. `reference` may be nullptr. Throws ConfigError where the policies do not fit.
Comparison compare(const FiniteModel& model, const PolicyTable& policy, const PolicyTable* reference,
                   const EvaluationOptions& options);

/// How environments that are not finite are simulated.
struct BlockPlan {
  MakeBlock make;
  int runs = 8;
  std::int64_t batch_steps = 64;
  std::int64_t default_steps = 2'000'000;
};

/// In any environment.
Comparison compare(const BlockPlan& plan, const Explorer& policy, const Explorer* reference,
                   const EvaluationOptions& options);

/// What two recorded simulations with the same seed show.
Comparison compare(const Recorded& policy, const Recorded* reference, double alpha);

/// One JSON object: average_cost, interval, steps, method; with a reference also difference, difference_interval and
/// verdict. `facts` are names and values that come first, as JSON members ("\"seed\": 1, ").
std::string comparison_json(const Comparison& comparison, const std::string& facts);
std::string comparison_text(const Comparison& comparison, const std::string& policy, const std::string& reference);

}  // namespace politex::inline evaluate
