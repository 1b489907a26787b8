// A claim of the paper, the checks it consists of, and the verdict that follows from them and from nothing else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "politex/base/statistics.hpp"

namespace politex::lab {

enum class Answer { yes, no, undecided };

/// Yes when the whole interval lies in the range, no when it lies wholly outside, undecided when it crosses a border.
Answer is_below(const Interval& interval, double limit);
Answer is_above(const Interval& interval, double limit);
Answer is_within(const Interval& interval, double low, double high);
/// Yes when both are, no when either is not.
Answer both(Answer first, Answer second);
const char* to_text(Answer answer);

/// One thing that was measured and whether it is as the claim says.
struct Check {
  std::string subject;   // "RLSVI"
  std::string where;     // "N=20", or empty
  std::string measured;  // "-0.01 ± 0.02"
  Answer answer = Answer::undecided;
};

struct Claim {
  std::string name;       // "(a)"
  std::string statement;  // the paper's sentence
  std::string criterion;  // what a check asks, in words
  std::vector<Check> checks;
  std::vector<Check> beside;  // measured with them and shown, not judged
};

enum class Outcome { holds, holds_except, not_established, fails };

struct Verdict {
  Outcome outcome = Outcome::fails;
  std::string word;    // "holds", "holds except", "not established", "fails"
  std::string detail;  // "RLSVI at N=20 (undecided), N=50; LSPI", "0 of 6 checks are as claimed", or empty

  std::string text() const {
    return detail.empty() ? word : word + (outcome == Outcome::holds_except ? " " : ": ") + detail;
  }
};

/// Every check yes: holds. More than half of them yes: holds except the others, by name. No check no: not established.
/// Otherwise: fails.
Verdict judge(const Claim& claim);

/// The rule of judge() in words, for reports; `over` is what the intervals are taken over.
std::string verdict_rule(std::string_view over = "the seeds");

/// "−1.43 ± 0.02".
std::string interval_text(const Interval& interval, int digits = 2);
/// A number with a true minus sign and no negative zero; a dash where it is not finite.
std::string number_text(double value, int digits = 2);
/// Decimals that show two digits of an interval's half-width, or three of a number: 2 for 1.43 ± 0.21, 6 for 1e-4.
int decimals_for(const Interval& interval);
int decimals_for(double value);

}  // namespace politex::lab
