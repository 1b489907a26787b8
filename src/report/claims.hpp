// Claims of the paper, the checks they consist of, and the verdicts that follow from the checks alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "politex/base/statistics.hpp"

namespace politex::inline report {

enum class Answer { yes, no, undecided };

/// Yes if the whole interval is in the range, no if none of it is, undecided if it crosses a border.
Answer is_below(const Interval& interval, double limit);
Answer is_above(const Interval& interval, double limit);
Answer is_within(const Interval& interval, double low, double high);
/// Yes if both are yes, no if either is no.
Answer both(Answer first, Answer second);
const char* to_text(Answer answer);

/// One measurement and whether it agrees with the claim.
struct Check {
  std::string subject;   // "RLSVI"
  std::string where;     // "N=20", or empty
  std::string measured;  // "-0.01 ± 0.02"
  Answer answer = Answer::undecided;
};

struct Claim {
  std::string name;       // "(a)"
  std::string statement;  // the paper's sentence
  std::string criterion;  // the condition of a check, in words
  std::vector<Check> checks;
  std::vector<Check> also_measured;  // shown, without effect on the verdict
};

enum class Finding { holds, holds_except, not_established, fails };

struct Verdict {
  Finding finding = Finding::fails;
  std::string word;    // "holds", "holds except", "not established", "fails"
  std::string detail;  // "RLSVI at N=20 (undecided), N=50; LSPI", "0 of 6 checks are as claimed", or empty

  std::string text() const {
    return detail.empty() ? word : word + (finding == Finding::holds_except ? " " : ": ") + detail;
  }
};

/// All checks yes: holds. More than half yes: holds except the others, which are named. No check no: not established.
/// Otherwise: fails.
Verdict judge(const Claim& claim);

/// The rule of judge() in words, for reports; `over` is what the intervals are taken over.
std::string verdict_rule(std::string_view over = "the seeds");

/// "−1.43 ± 0.02".
std::string interval_text(const Interval& interval, int digits = 2);
/// A number with a typographic minus sign and without negative zero; a dash if it is not finite.
std::string number_text(double value, int digits = 2);
/// Decimals needed for two digits of an interval's half-width, or three of a number: 2 for 1.43 ± 0.21, 6 for 1e-4.
int decimals_for(const Interval& interval);
int decimals_for(double value);

}  // namespace politex::inline report
