// The report of `politex exact` about a finite environment and one policy.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/env/finite_model.hpp"
#include "politex/exact/approximation.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/excitation.hpp"
#include "politex/exact/mixing.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/exact/recurrence.hpp"
#include "politex/features/features.hpp"
#include "politex/report/truncation.hpp"

namespace politex::inline report {

struct ExactReport {
  std::string environment;
  std::string policy_name;
  int states = 0, actions = 0, start = 0;
  std::vector<double> policy;  // the policy given, one row per state
  exact::Evaluation evaluation;
  exact::Optimum optimum;
  exact::SingleClass a1;
  std::optional<exact::Mixing> mixing, mixing_of_policy;  // empty if there are too many pairs of states
  std::optional<exact::Excitation> lemma, a3;             // empty if there are too many features
  std::optional<exact::Fit> fit;            // of the policy's Q in the norm of mu x uniform; empty as above
  std::optional<exact::TdComparison> td;    // exploration: the uniform policy; empty as above
  std::optional<double> second_eigenvalue;  // empty if there are too many states
  std::optional<Truncation> truncation;     // networks of queues
  double s_delta = 0.0;                     // S_delta(A, mu*) at delta = .05
  std::vector<std::string> notes;           // how answers were found, and why some are missing
};

/// "optimal", "uniform", "always:A", a heuristic such as "threshold:11", or the path of a policy file, as
/// probabilities. Throws ConfigError.
std::vector<double> named_policy(const std::string& name, const FiniteModel& model);

/// With more states the questions about features and about pairs of states are not asked.
inline constexpr int most_states_with_theory = 200'000;

/// `features` are not looked at above that many states. `whole`: the features by pair before a basis was chosen among
/// them; null: the same. `show` is called while an iteration runs.
ExactReport exact_report(const FiniteModel& model, const Features& features, const std::string& policy,
                         const SparseRows* whole = nullptr, const ShowIteration& show = {});
/// The same for a policy given as probabilities, one row per state; `name` is only shown.
ExactReport exact_report(const FiniteModel& model, const Features& features, std::string name,
                         std::vector<double> policy, const SparseRows* whole = nullptr, const ShowIteration& show = {});

/// One JSON object; infinite numbers are null.
std::string exact_json(const ExactReport& report);
/// A table for the terminal.
std::string exact_text(const ExactReport& report);

}  // namespace politex::inline report
