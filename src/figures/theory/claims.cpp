#include "politex/figures/theory/figure.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "politex/algorithm/schedule.hpp"

namespace politex::inline figures {
namespace {

constexpr double fit_from = 5.0;  // (b): below it the first steps' own costs show
constexpr double many_rollouts = 400.0;
constexpr double long_rollout = 40.0;  // (f): from here on the bias is below the noise
constexpr const char* schedules[] = {"theory", "theory_text"};

const char* schedule_words(std::string_view schedule) {
  return schedule == "theory" ? "Algorithm 1, s = T^(1/5) − log T" : "the text, s = T^(1/5)";
}

std::string slope_text(const Interval& slope) {
  return fmt::format("{} [{}, {}]", number_text(slope.mean), number_text(slope.low), number_text(slope.high));
}

std::vector<double> scaled(std::vector<double> values, double factor, double shift = 0.0) {
  for (double& value : values) value = shift + factor * value;
  return values;
}

/// One replicate's value at the x given, for each replicate.
std::vector<double> at(const Samples& samples, double x) {
  const auto found = std::ranges::find(samples.x, x);
  return found == samples.x.end() ? std::vector<double>{}
                                  : samples.values[static_cast<std::size_t>(found - samples.x.begin())];
}

std::vector<double> ratios(const std::vector<double>& above, const std::vector<double>& below) {
  std::vector<double> each;
  for (std::size_t k = 0; k < std::min(above.size(), below.size()); ++k) each.push_back(above[k] / below[k]);
  return each;
}

/// A check of the mean of one number per replicate.
Check check(std::string subject, std::string where, std::span<const double> values, const Evidence& evidence = {}) {
  return {std::move(subject), std::move(where), slope_text(t_interval(values)), evidence};
}

Claim error_claim(const TheoryTable& table) {
  Claim claim = new_claim(
      "(a)", "The least-squares Monte-Carlo error, in the norm of μ_e × uniform, is O(1/√m) (lemma at line 400).",
      "Slope of log error on log m for m ≥ 400 (below, some features are hardly seen), seed by seed: below −0.4. "
      "Steeper "
      "than −1/2 is allowed by O().");
  for (const char* environment : theory_environments)
    for (const char* curve : {"last cost", "phase mean"}) {
      const auto slopes = powers_of(table.samples("a", environment, curve, "error"), many_rollouts);
      claim.checks.push_back(check(environment, curve, slopes, mean_below(slopes, -0.4, -0.5)));
    }
  return claim;
}

Claim bias_claim(const TheoryTable& table) {
  Claim claim = new_claim("(b)",
                          "With λ* the last cost, the biases of λ* and V* are exponentially small in s: λ*'s at the "
                          "rate 1/κ, V*'s at 1/(2κ) (lemma at line 386).",
                          "Exact biases, largest over first states; the rate fitted over s = 5..40, times κ, policy by "
                          "policy: above 0.9 for λ*, above 0.45 for V*. A faster decay is allowed.");
  for (const char* environment : theory_environments) {
    const double kappa_rate = mean(at(table.samples("b", environment, "rates", "kappa"), 0.0));
    const double second_rate = mean(at(table.samples("b", environment, "rates", "second"), 0.0));
    for (const bool value : {false, true}) {
      const auto rates = decays_of(table.samples("b", environment, "last cost", value ? "value" : "lambda"), fit_from,
                                   static_cast<double>(theory_bias_length));
      const auto shares = scaled(rates, 1.0 / kappa_rate);
      claim.checks.push_back(check(environment, value ? "V*, rate × κ" : "λ*, rate × κ", shares,
                                   value ? mean_above(shares, 0.45, 0.5) : mean_above(shares, 0.9, 1.0)));
      claim.also_measured.push_back(check(environment, value ? "V*, rate" : "λ*, rate", rates));
      claim.also_measured.back().measured +=
          fmt::format("; −log|λ₂| {}, 1/κ {}", number_text(second_rate, 3), number_text(kappa_rate, 3));
    }
    for (const bool value : {false, true}) {
      const char* quantity = value ? "value" : "lambda";
      const double largest = largest_of(ratio(table.samples("b", environment, "last cost", quantity),
                                              table.samples("b", environment, "printed", quantity)));
      claim.also_measured.push_back({environment,
                                     value ? "V*, bias over the printed bound" : "λ*, bias over the printed bound",
                                     fmt::format("at most {}", number_text(largest))});
    }
  }
  return claim;
}

Claim own_mean_claim(const TheoryTable& table) {
  Claim claim = new_claim("(b′)", "The mean of the rollout's own costs may serve as λ* (line 380).",
                          "Exact bias of V* after removing its best constant, at s = 40 as a part of that at s = 1, "
                          "policy by policy: below 0.1.");
  for (const char* environment : theory_environments) {
    const Samples centred = table.samples("b", environment, "rollout mean", "value_centred");
    const auto left = ratios(at(centred, 40.0), at(centred, 1.0));
    claim.checks.push_back(check(environment, "V*", left, mean_below(left, 0.1, 0.0)));
    claim.also_measured.push_back(check(environment, "λ*: slope of its bias in log s, s ≥ 10",
                                        powers_of(table.samples("b", environment, "rollout mean", "lambda"), 10.0)));
  }
  return claim;
}

Claim phase_mean_claim(const TheoryTable& table) {
  Claim claim = new_claim(
      "(b″)", "Ours: with the mean over the phase λ* is off by O(1/s), V* by a constant only, which no policy sees.",
      "Exact biases, policy by policy: slope of λ*'s in log s below −0.85 for s ≥ 10; V*'s at s = 40 over s = 20 "
      "within "
      "0.8..1.25; V*'s less its constant falls at a rate × κ above 0.9.");
  for (const char* environment : theory_environments) {
    const auto slopes = powers_of(table.samples("b", environment, "phase mean", "lambda"), 10.0);
    claim.checks.push_back(check(environment, "λ*, slope", slopes, mean_below(slopes, -0.85, -1.0)));
    const Samples before = table.samples("b", environment, "phase mean", "value");
    const auto constant = ratios(at(before, 40.0), at(before, 20.0));
    claim.checks.push_back(check(environment, "V* before", constant, mean_within(constant, 0.8, 1.25)));
    const double kappa_rate = mean(at(table.samples("b", environment, "rates", "kappa"), 0.0));
    const auto rates = scaled(decays_of(table.samples("b", environment, "phase mean", "value_centred"), fit_from, 40.0),
                              1.0 / kappa_rate);
    claim.checks.push_back(check(environment, "V* after, rate × κ", rates, mean_above(rates, 0.9, 1.0)));
  }
  return claim;
}

/// Slopes of regret over the bound's own expression, whose lengths are rounded and whose logarithms count.
std::vector<double> excess_powers(const Samples& regret, const std::string& schedule) {
  return scaled(powers_of(regret), 1.0, -expression_slope("regret", schedule, regret.x));
}

Claim regret_claim(const TheoryTable& table) {
  Claim claim = new_claim(
      "(c)", "With n = m = T^(2/5), s' = log T, s = T^(1/5) the regret is Õ(T^(4/5)).",
      "Regret to the optimal gain over the bound's own expression n m s' + m s √n + n √m s + n m (with the lengths as "
      "they are rounded), as a power of T, seed by seed: below 0.05. Faster growth at these T would not contradict an "
      "asymptotic bound, so this claim cannot fail here; its explicit form is judged in (c″).");
  for (const char* environment : theory_environments)
    for (const char* schedule : schedules) {
      const Samples regret = table.samples("c", environment, schedule, "regret_to_gain");
      const auto excess = excess_powers(regret, schedule);
      claim.checks.push_back(
          check(environment, schedule_words(schedule), excess, cannot_contradict(mean_below(excess, 0.05, 0.0))));
      claim.checks.back().measured += fmt::format("; the regret's own power {}, the expression's {}",
                                                  number_text(t_interval(powers_of(regret)).mean),
                                                  number_text(expression_slope("regret", schedule, regret.x)));
      for (const char* term : {"E", "PR", "V", "W", "V_explore"}) {
        Check one = check(fmt::format("{}, {}", environment, term), schedule_words(schedule),
                          powers_of(table.samples("c", environment, schedule, term)));
        if (const double expression = expression_slope(term, schedule, regret.x); std::isfinite(expression))
          one.measured += fmt::format("; the bound's expression {}", number_text(expression));
        claim.also_measured.push_back(one);
      }
    }
  return claim;
}

struct Bound {
  const char* words;
  const char* quantity;
};

Claim bounds_claim(const TheoryTable& table, const char* name, const char* statement, std::span<const Bound> bounds) {
  Claim claim = new_claim(name, statement, "The largest |term| / bound over all runs of (c) is below 1.");
  for (const char* environment : theory_environments)
    for (const Bound& bound : bounds) {
      double largest = 0.0;
      for (const char* schedule : schedules)
        largest = std::max(largest, largest_of(table.samples("c", environment, schedule, bound.quantity)));
      claim.checks.push_back(
          {environment, bound.words, fmt::format("at most {:.2g} of it", largest), certain(largest < 1.0)});
    }
  return claim;
}

Claim step_size_claim(const TheoryTable& table) {
  Claim claim = new_claim("(d)", "Ours: the theorem's η = √(8 log A / n) / Q_max (line 316) is near the best fixed η.",
                          "The best η of the grid is chosen on seeds 1, 2, ...; on the figure's seeds, the regret with "
                          "the theorem's η over "
                          "that with the chosen η, seed by seed: below 1.1.");
  for (const char* environment : theory_environments) {
    const Samples choice = table.samples("d", environment, "choice", "regret_to_gain");
    if (choice.x.empty()) continue;
    const auto best = std::ranges::min_element(choice.values, {}, [](const auto& values) { return mean(values); });
    const double best_eta = choice.x[static_cast<std::size_t>(best - choice.values.begin())];
    const auto excess = ratios(at(table.samples("d", environment, "theorem", "regret_to_gain"), 0.0),
                               at(table.samples("d", environment, "grid", "regret_to_gain"), best_eta));
    claim.checks.push_back(check(environment, "", excess, mean_below(excess, 1.1, 1.0)));
    const double eta = mean(at(table.samples("d", environment, "theorem", "eta"), 0.0));
    const bool edge = best_eta == choice.x.front() || best_eta == choice.x.back();
    claim.also_measured.push_back({environment, "η",
                                   fmt::format("the theorem's {:.2g}, best on the grid {:.2g}{}", eta, best_eta,
                                               edge ? ", which is the edge of the grid" : "")});
  }
  return claim;
}

Claim mixing_claim(const TheoryTable& table) {
  Claim claim = new_claim(
      "(e)", "Ours: the bounds grow with κ; where chains mix faster the regret is smaller.",
      "Regret against the teleport probability, slope in log-log, seed by seed: below −0.05, both for the regret and "
      "for the regret in units of the uniform policy's (costs differ less the more is teleported).");
  for (const char* environment : theory_environments) {
    for (const bool share : {true, false}) {
      const auto slopes =
          powers_of(table.samples("e", environment, "teleport", share ? "regret_share" : "regret_to_gain"));
      claim.checks.push_back(check(environment, share ? "in units of the uniform policy's" : "regret itself", slopes,
                                   mean_below(slopes, -0.05, -0.25)));
    }
    claim.also_measured.push_back(
        check(environment, "error of Q", powers_of(table.samples("e", environment, "teleport", "error_theorem"))));
  }
  return claim;
}

/// The bound's own statement, or ours that exploration well spread is worth it.
Claim excitation_claim(const TheoryTable& table, bool helps) {
  Claim claim =
      helps ? new_claim("(e″)", "Ours: excitation helps.",
                        "Pseudo-regret against σ of the explorer, slope in log-log, seed by seed: below −0.1 (a "
                        "tenth of the excitation costs a quarter more).")
            : new_claim("(e′)",
                        "The bounds grow like σ^(−1/2): with less excitation the pseudo-regret and the error of "
                        "Q grow no faster.",
                        "Slopes in log-log against σ of the explorer, seed by seed: above −0.6. Slower growth is "
                        "allowed.");
  for (const char* environment : theory_environments) {
    const Samples sigma = table.samples("e", environment, "sigma", "sigma");
    const auto slopes = [&](const char* quantity) {
      return powers_between(sigma, table.samples("e", environment, "sigma", quantity));
    };
    const auto regret = slopes("PR");
    if (helps) {
      claim.checks.push_back(check(environment, "", regret, mean_below(regret, -0.1, -0.3)));
      claim.also_measured.push_back(check(environment, "error of Q in the theorem's norms", slopes("error_theorem")));
    } else {
      const auto error = slopes("error_explore");
      claim.checks.push_back(check(environment, "pseudo-regret", regret, mean_above(regret, -0.6, -0.5)));
      claim.checks.push_back(
          check(environment, "error in the norm of μ_e × uniform", error, mean_above(error, -0.6, -0.5)));
    }
  }
  return claim;
}

Claim length_claim(const TheoryTable& table, bool implied) {
  Claim claim = new_claim(implied ? "(f′)" : "(f)",
                          implied ? "With the error of the lemma the schedule's estimation part of PR is T^(4/5)."
                                  : "The error of the lemma at line 400 does not depend on the rollout length s.",
                          implied ? "4/5 + g/5, where g is the slope of (f): below 0.85."
                                  : "Slope g of log error on log s, for s ≥ 40 at fixed m, seed by seed: below 0.1.");
  for (const char* environment : theory_environments)
    for (const char* curve : {"last cost", "phase mean", "fixed horizon"}) {
      const auto slopes = powers_of(table.samples("f", environment, curve, "error"), long_rollout);
      const auto shown = implied ? scaled(slopes, 0.2, 0.8) : slopes;
      claim.checks.push_back(
          check(environment, curve, shown, implied ? mean_below(shown, 0.85, 0.8) : mean_below(shown, 0.1, 0.0)));
    }
  if (!implied)
    for (const char* environment : theory_environments)
      claim.also_measured.push_back(
          check(environment, "rollout mean: V* is 0, the error stays",
                powers_of(table.samples("f", environment, "rollout mean", "error"), long_rollout)));
  return claim;
}

}  // namespace

std::vector<double> powers_between(const Samples& x, const Samples& y) {
  std::vector<double> slopes;
  const std::size_t replicates = x.values.empty() ? 0 : x.values.front().size();
  for (std::size_t k = 0; k < replicates; ++k) {
    std::vector<double> log_x, log_y;
    for (std::size_t i = 0; i < x.x.size(); ++i) {
      log_x.push_back(std::log(x.values[i].at(k)));
      log_y.push_back(std::log(y.values.at(i).at(k)));
    }
    slopes.push_back(slope_of(log_x, log_y));
  }
  return slopes;
}

double expression_slope(const std::string& term, const std::string& schedule, const std::vector<double>& steps) {
  std::vector<double> log_x, log_y;
  for (const double T : steps) {
    ScheduleOptions options;
    options.kind = schedule == "theory" ? ScheduleOptions::Kind::theory : ScheduleOptions::Kind::theory_text;
    options.steps = static_cast<std::int64_t>(T);
    const Schedule lengths(options);
    const Lengths l = lengths.next(0).lengths;
    const double n = lengths.phases(0), m = static_cast<double>(l.rollouts), s = static_cast<double>(l.follow);
    const double explored = n * m * static_cast<double>(l.explore),
                 learned = m * s * std::sqrt(n) + n * std::sqrt(m) * s;
    log_x.push_back(std::log(T));
    log_y.push_back(std::log(term == "E"        ? explored
                             : term == "PR"     ? learned
                             : term == "V"      ? n * m
                             : term == "W"      ? std::sqrt(T)
                             : term == "regret" ? explored + learned + n * m
                                                : std::nan("")));
  }
  return slope_of(log_x, log_y);
}

std::vector<Claim> theory_claims(const TheoryTable& table) {
  constexpr Bound printed[] = {{"V, main text (line 346)", "V_over_main_text"},
                               {"V, appendix (line 478)", "V_over_appendix"},
                               {"V, end of its proof (line 507)", "V_over_proof"},
                               {"W", "W_over_printed"}};
  constexpr Bound corrected[] = {{"V", "V_over_corrected"},
                                 {"V_explore", "V_explore_over_corrected"},
                                 {"W", "W_over_corrected"},
                                 {"PR, sure form", "PR_over_sure"}};
  constexpr Bound theorem[] = {{"PR, Q_max = the measured range", "PR_over_printed"}};
  return {error_claim(table),
          bias_claim(table),
          own_mean_claim(table),
          phase_mean_claim(table),
          regret_claim(table),
          bounds_claim(table, "(c′)", "The noise terms obey lem:bound-VW as printed, at this κ.", printed),
          bounds_claim(table, "(c″)", "The pseudo-regret obeys the theorem, with the measured error and range of Q.",
                       theorem),
          bounds_claim(table, "(c‴)", "Ours: the terms obey the corrected bounds.", corrected),
          step_size_claim(table),
          mixing_claim(table),
          excitation_claim(table, false),
          excitation_claim(table, true),
          length_claim(table, false),
          length_claim(table, true)};
}

}  // namespace politex::inline figures
