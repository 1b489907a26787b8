#include "politex/report/claims.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "politex/base/error.hpp"

namespace politex::inline report {

namespace {

/// The test of "the mean is below the limit"; `expected` is below the limit.
struct MeanTest {
  double p_below = 1.0, p_above = 1.0;  // of data this far below, or above, if the mean is at the limit
  double best_p = 1.0;
};

MeanTest test_mean(std::span<const double> values, double limit, double expected) {
  if (values.size() < 2) return {};
  const double centre = mean(values);
  const auto count = static_cast<double>(values.size());
  const double error = standard_deviation(values) / std::sqrt(count);
  if (!std::isfinite(centre) || !std::isfinite(error)) return {};
  // Equal values on the limit are not below it.
  if (error == 0.0)
    return {.p_below = centre < limit ? 0.0 : 1.0, .p_above = centre < limit ? 1.0 : 0.0, .best_p = 0.0};
  return {.p_below = student_tail((limit - centre) / error, count - 1.0),
          .p_above = student_tail((centre - limit) / error, count - 1.0),
          .best_p = student_tail((limit - expected) / error, count - 1.0)};
}

}  // namespace

Evidence mean_below(std::span<const double> values, double limit, double expected) {
  const MeanTest test = test_mean(values, limit, expected);
  return {.p_if_false = test.p_below, .p_if_true = test.p_above, .best_p = test.best_p};
}

Evidence mean_above(std::span<const double> values, double limit, double expected) {
  std::vector<double> negated(values.begin(), values.end());
  for (double& value : negated) value = -value;
  return mean_below(negated, -limit, -expected);
}

Evidence mean_within(std::span<const double> values, double low, double high) {
  const double middle = 0.5 * (low + high);
  const Evidence sides[] = {mean_above(values, low, middle), mean_below(values, high, middle)};
  return all_of(sides);
}

Evidence most_succeed(std::int64_t successes, std::int64_t seeds) {
  if (seeds < 1) return {.best_p = 1.0};
  return {.p_if_false = binomial_tail(successes, seeds, 0.5),
          .p_if_true = binomial_tail(seeds - successes, seeds, 0.5),
          .best_p = binomial_tail(seeds, seeds, 0.5)};
}

Evidence certain(bool holds) { return {.p_if_false = holds ? 0.0 : 1.0, .p_if_true = holds ? 1.0 : 0.0}; }

// All are established only if each is (no correction); one that is contradicted contradicts all (Bonferroni).
Evidence all_of(std::span<const Evidence> statements) {
  Evidence all{.p_if_false = 0.0};
  for (const Evidence& one : statements) {
    all.p_if_false = std::max(all.p_if_false, one.p_if_false);
    all.p_if_true = std::min(all.p_if_true, one.p_if_true * static_cast<double>(statements.size()));
    all.best_p = std::max(all.best_p, one.best_p);
  }
  return all;
}

Evidence cannot_contradict(Evidence evidence) {
  evidence.p_if_true = 1.0;
  return evidence;
}

const char* to_text(Answer answer) {
  switch (answer) {
    case Answer::yes:
      return "yes";
    case Answer::no:
      return "no";
    case Answer::undecided:
      return "undecided";
    case Answer::no_power:
      break;
  }
  return "no power";
}

std::vector<CheckAnswer> answers_of(const Claim& claim) {
  std::vector<double> if_false, if_true;
  for (const Check& check : claim.checks) {
    if_false.push_back(check.evidence.p_if_false);
    if_true.push_back(check.evidence.p_if_true);
  }
  const std::vector<double> corrected_false = holm(if_false), corrected_true = holm(if_true);
  std::vector<CheckAnswer> answers;
  for (std::size_t i = 0; i < claim.checks.size(); ++i) {
    CheckAnswer one{.p_if_false = corrected_false[i], .p_if_true = corrected_true[i]};
    const double best = claim.checks[i].evidence.best_p * static_cast<double>(claim.checks.size());
    if (one.p_if_false <= claim_alpha)
      one.answer = Answer::yes;
    else if (one.p_if_true <= claim_alpha)
      one.answer = Answer::no;
    else if (best > claim_alpha)
      one.answer = Answer::no_power;
    answers.push_back(one);
  }
  return answers;
}

namespace {

/// The checks with this answer. Consecutive ones share the name of their subject: "RLSVI at N=20, N=50; LSPI".
std::string names_of(const Claim& claim, std::span<const CheckAnswer> answers, Answer wanted) {
  std::string text;
  const Check* before = nullptr;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].answer != wanted) continue;
    const Check& check = claim.checks[i];
    if (before != nullptr && before->subject == check.subject && !check.where.empty())
      text += ", " + check.where;
    else
      text += (text.empty() ? "" : "; ") + check.subject + (check.where.empty() ? "" : " at " + check.where);
    before = &check;
  }
  return text;
}

}  // namespace

Verdict judge(const Claim& claim) {
  if (claim.checks.empty()) throw Error(fmt::format("claim {} has no checks", claim.name));
  const std::vector<CheckAnswer> answers = answers_of(claim);
  const auto count = [&](Answer answer) { return std::ranges::count(answers, answer, &CheckAnswer::answer); };
  if (count(Answer::yes) == std::ssize(answers)) return {.finding = Finding::holds, .word = "holds", .detail = ""};
  Verdict verdict{.finding = Finding::no_power, .word = "no power", .detail = ""};
  if (count(Answer::undecided) > 0)
    verdict = {.finding = Finding::not_established, .word = "not established", .detail = ""};
  if (count(Answer::no) > 0) verdict = {.finding = Finding::fails, .word = "fails", .detail = ""};
  const std::pair<Answer, const char*> groups[] = {
      {Answer::no, "contradicted by "}, {Answer::undecided, "undecided: "}, {Answer::no_power, "no power: "}};
  for (const auto& [answer, words] : groups)
    if (count(answer) > 0) verdict.detail += words + names_of(claim, answers, answer) + "; ";
  verdict.detail += fmt::format("{} of {} checks are as claimed", count(Answer::yes), answers.size());
  return verdict;
}

std::string verdict_rule(std::string_view over) {
  return fmt::format(
      "The criteria were written before these data. A check is yes if data that agree with it so well have a "
      "probability of at most {0:g} if it is false, and no if data that disagree with it so much have a probability of "
      "at most {0:g} if it is true (one-sided tests over {1}; both probabilities are corrected for the number of "
      "checks of the claim by Holm's method). Otherwise it is undecided, or without power if these data could not have "
      "answered yes even if it were clearly true. A claim holds if every check is yes and fails if some check is no. "
      "Otherwise it is not established, or without power if no check that has no answer had power.",
      claim_alpha, over);
}

std::string count_text(std::int64_t successes, std::int64_t of, std::string_view what) {
  if (of < 1) return fmt::format("no {}", what);
  const Interval share = share_interval(successes, of);
  return fmt::format("{} of {} {} [{:.0f}%, {:.0f}%]", successes, of, what, 100.0 * share.low, 100.0 * share.high);
}

const char* drawn_interval_words(std::size_t seeds) {
  return seeds < fewest_for_bands ? "range of the seeds" : "95% interval";
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
