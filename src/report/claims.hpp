// Claims of the paper, the checks they consist of, and the verdicts that follow from the checks alone.
//
// A check is a statement about what would be measured on infinitely many seeds. Its Evidence has two p values, one for
// each way of being wrong. judge() corrects both for the number of checks of the claim (Holm) and gives the verdict.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/base/statistics.hpp"

namespace politex::inline report {

/// The probability that some check of a claim is answered wrongly is at most this in each direction, so that an
/// uncorrected single check is read off a 95% interval.
inline constexpr double claim_alpha = 0.025;

/// What the data say about one statement.
struct Evidence {
  double p_if_false = 1.0;  // the probability of data that agree with the statement at least this well if it is false
  double p_if_true = 1.0;   // the probability of data that disagree at least this much if it is true
  double best_p = 0.0;      // the p_if_false of this many seeds with this spread if the statement is clearly true
};

/// The mean over all seeds is below the limit, by Student's t. `expected` is a value at which the statement is clearly
/// true: if the seeds are too few or spread too much to establish it there, the check has no power.
Evidence mean_below(std::span<const double> values, double limit, double expected);
Evidence mean_above(std::span<const double> values, double limit, double expected);
/// The mean lies in the range (two one-sided tests); clearly true in its middle.
Evidence mean_within(std::span<const double> values, double low, double high);
/// More than half of all seeds are successes, by the exact binomial test; clearly true if every seed is.
Evidence most_succeed(std::int64_t successes, std::int64_t seeds);
/// Something that was computed, not sampled.
Evidence certain(bool holds);
/// All statements are true.
Evidence all_of(std::span<const Evidence> statements);
/// For a statement that finite data cannot contradict, such as an asymptotic rate.
Evidence cannot_contradict(Evidence evidence);

enum class Answer { yes, no, undecided, no_power };
const char* to_text(Answer answer);

/// One measurement and what it says about the claim.
struct Check {
  std::string subject;   // "RLSVI"
  std::string where;     // "N=20", or empty
  std::string measured;  // "−0.01 ± 0.02"
  Evidence evidence = {};
};

struct Claim {
  std::string name;       // "(a)"
  std::string statement;  // the paper's sentence
  std::string criterion;  // the condition of a check, in words; written before the data
  std::vector<Check> checks;
  std::vector<Check> also_measured;  // shown, without effect on the verdict
};

/// The answer to each check, and its p values after Holm's correction over all checks of the claim.
struct CheckAnswer {
  Answer answer = Answer::undecided;
  double p_if_false = 1.0, p_if_true = 1.0;
};
std::vector<CheckAnswer> answers_of(const Claim& claim);

enum class Finding { holds, fails, not_established, no_power };

struct Verdict {
  Finding finding = Finding::no_power;
  std::string word;    // "holds", "fails", "not established", "no power"
  std::string detail;  // "contradicted by RLSVI at N=20, N=50; 7 of 9 checks are as claimed", or empty

  std::string text() const { return detail.empty() ? word : word + ": " + detail; }
};

/// Every check yes: holds. Some check no: fails, whatever the others say. Otherwise not established, or no power if
/// every check without an answer had none.
Verdict judge(const Claim& claim);

/// The rule of judge() in words, for reports; `over` is what the tests are taken over.
std::string verdict_rule(std::string_view over = "the seeds");

/// "−1.43 ± 0.02".
std::string interval_text(const Interval& interval, int digits = 2);
/// "18 of 20 seeds [68%, 99%]", with the exact 95% interval of the share; `what` is "seeds".
std::string count_text(std::int64_t successes, std::int64_t of, std::string_view what = "seeds");
/// What drawn_interval() is for this many seeds, for titles: "95% interval" or "range of the seeds".
const char* drawn_interval_words(std::size_t seeds);
/// A number with a typographic minus sign and without negative zero; a dash if it is not finite.
std::string number_text(double value, int digits = 2);
/// Decimals needed for two digits of an interval's half-width, or three of a number: 2 for 1.43 ± 0.21, 6 for 1e-4.
int decimals_for(const Interval& interval);
int decimals_for(double value);

}  // namespace politex::inline report
