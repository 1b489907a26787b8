#include "politex/report/claims.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "politex/base/error.hpp"

namespace politex::inline report {

Answer is_below(const Interval& interval, double limit) {
  if (interval.high < limit) return Answer::yes;
  return interval.low >= limit ? Answer::no : Answer::undecided;
}

Answer is_above(const Interval& interval, double limit) {
  return is_below({-interval.mean, -interval.high, -interval.low}, -limit);
}

Answer is_within(const Interval& interval, double low, double high) {
  if (interval.low >= low && interval.high <= high) return Answer::yes;
  return interval.high < low || interval.low > high ? Answer::no : Answer::undecided;
}

Answer both(Answer first, Answer second) {
  if (first == Answer::no || second == Answer::no) return Answer::no;
  return first == Answer::yes && second == Answer::yes ? Answer::yes : Answer::undecided;
}

const char* to_text(Answer answer) {
  switch (answer) {
    case Answer::yes:
      return "yes";
    case Answer::no:
      return "no";
    case Answer::undecided:
      break;
  }
  return "undecided";
}

namespace {

/// Consecutive checks share the name of their subject: "RLSVI at N=20 (undecided), N=50; LSPI".
std::string exceptions_of(const std::vector<Check>& checks) {
  std::string text;
  const Check* before = nullptr;
  for (const Check& check : checks) {
    if (check.answer == Answer::yes) continue;
    if (before != nullptr && before->subject == check.subject && !check.where.empty()) {
      text += ", " + check.where;
    } else {
      text += (text.empty() ? "" : "; ") + check.subject + (check.where.empty() ? "" : " at " + check.where);
    }
    if (check.answer == Answer::undecided) text += " (undecided)";
    before = &check;
  }
  return text;
}

}  // namespace

Verdict judge(const Claim& claim) {
  if (claim.checks.empty()) throw Error(fmt::format("claim {} has no checks", claim.name));
  Verdict verdict;
  const auto yes = static_cast<std::size_t>(std::ranges::count(claim.checks, Answer::yes, &Check::answer));
  if (yes == claim.checks.size()) {
    verdict.finding = Finding::holds;
    verdict.word = "holds";
  } else if (2 * yes > claim.checks.size()) {
    verdict.finding = Finding::holds_except;
    verdict.word = "holds except";
    verdict.detail = exceptions_of(claim.checks);
  } else {
    const bool contradicted = std::ranges::count(claim.checks, Answer::no, &Check::answer) > 0;
    verdict.finding = contradicted ? Finding::fails : Finding::not_established;
    verdict.word = contradicted ? "fails" : "not established";
    verdict.detail = fmt::format("{} of {} checks are as claimed", yes, claim.checks.size());
  }
  return verdict;
}

std::string verdict_rule(std::string_view over) {
  return fmt::format(
      "Each check uses a 95% interval over {}: yes if the whole interval is on the claimed side, no if the whole "
      "interval is on the other side, undecided if it crosses the border. All checks yes: the claim holds. More than "
      "half of them yes: it holds except the others, which are named. No check answered no: it is not established. "
      "Otherwise it fails.",
      over);
}

std::string number_text(double value, int digits) {
  if (!std::isfinite(value)) return "–";
  const std::string plain = fmt::format("{:.{}f}", std::abs(value), digits);
  const bool zero = plain.find_first_of("123456789") == std::string::npos;
  return value < 0 && !zero ? "−" + plain : plain;
}

namespace {

int decimals_showing(double value, int digits) {
  constexpr int most = 12;
  if (!std::isfinite(value) || value == 0.0) return 0;
  return std::clamp(digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value)))), 0, most);
}

}  // namespace

int decimals_for(double value) { return decimals_showing(value, 3); }

int decimals_for(const Interval& interval) {
  constexpr int most_digits = 8;  // smaller differences between seeds are rounding
  const double half = interval.half_width();
  if (!std::isfinite(half) || half <= 0.0) return decimals_for(interval.mean);
  const int wanted = decimals_showing(half, 2);
  return interval.mean == 0.0 ? wanted : std::min(wanted, decimals_showing(interval.mean, most_digits));
}

std::string interval_text(const Interval& interval, int digits) {
  return number_text(interval.mean, digits) + " ± " + number_text(interval.half_width(), digits);
}

}  // namespace politex::inline report
