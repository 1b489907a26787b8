#include "politex/report/bounds_section.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "politex/base/statistics.hpp"
#include "politex/report/claims.hpp"

namespace politex::inline report {

namespace {

constexpr std::size_t most_groups = 20;

/// The numbers of one group's summaries. summary.json has null both for infinite and for not computed; bounds are
/// infinite exactly if tau is 1.
class Facts {
 public:
  Facts(std::span<const RunRecord> runs, const RunGroup& group) : runs_(runs), group_(group) {}

  bool measured() const { return !values_of(runs_, group_, "bounds.delta").empty(); }
  std::vector<double> values(const std::string& key) const { return values_of(runs_, group_, key); }
  double mean_of(const std::string& key) const { return mean(values(key)); }
  double tau() const { return mean_of("bounds.tau"); }
  bool infinite() const { return tau() >= 1.0; }
  double steps() const { return mean_of("steps"); }
  double trivial() const { return steps() * mean_of("bounds.cost_range"); }
  std::string setting(const char* key) const { return runs_[group_.runs.front()].setting(key); }

 private:
  std::span<const RunRecord> runs_;
  const RunGroup& group_;
};

Html measured_cell(const std::vector<double>& values) {
  if (values.empty()) return "–";
  const Interval interval = t_interval(values);
  Html cell(number_text(interval.mean, 0));
  if (values.size() > 1) cell += Html::tag("small", " ± " + number_text(interval.half_width(), 0));
  return cell;
}

/// Compares a bound with the largest |term| of the runs.
std::string judged(const Facts& facts, const std::vector<double>& term, const std::string& bound) {
  if (facts.infinite() && !bound.starts_with("bounds.PR")) return "infinite: A2 fails";
  const std::vector<double> bounds = facts.values(bound);
  if (bounds.empty() || term.size() != bounds.size()) return "not computed";
  std::size_t exceeded = 0;
  for (std::size_t i = 0; i < term.size(); ++i) exceeded += std::abs(term[i]) > bounds[i] ? 1 : 0;
  const bool vacuous = mean(bounds) >= facts.trivial();
  const std::string holds = exceeded == 0 ? (vacuous ? "vacuous: no term can exceed it" : "holds")
                                          : fmt::format("exceeded in {} of {}", exceeded, term.size());
  return fmt::format("{:.3g}; {}", mean(bounds), holds);
}

HtmlTable bounds_table(const Facts& facts) {
  HtmlTable table{.caption =
                      "Mean over runs (± 95% interval over seeds, Student's t). Transient: the part explained by the "
                      "first state of every "
                      "segment; martingale: the rest, with mean 0. Corrected bounds hold with probability 95% "
                      "each; the deterministic one always holds; the printed ones are not theorems (see the notes "
                      "on the paper). Vacuous: not below T (max c − min c).",
                  .header = {"", "measured", "transient", "martingale", "bound", "value"},
                  .rows = {},
                  .words = true};
  const auto add = [&](const char* name, const std::string& term, const std::string& split,
                       const std::vector<std::pair<const char*, std::string>>& bounds) {
    const std::vector<double> values = facts.values(term);
    bool first = true;
    for (const auto& [words, key] : bounds) {
      table.rows.push_back({first ? name : "", first ? measured_cell(values) : Html(""),
                            first && !split.empty() ? measured_cell(facts.values(split + ".transient")) : Html(""),
                            first && !split.empty() ? measured_cell(facts.values(split + ".martingale")) : Html(""),
                            words, judged(facts, values, key)});
      first = false;
    }
  };
  add("PR, target steps of whole phases", "bounds.PR.pseudo_regret", "",
      {{"deterministic: this η, error and range of every phase", "bounds.PR.sure"},
       {"printed, Q_max = the measured range", "bounds.PR.printed"},
       {"printed, Q_max = 2 W_max max|ψ|", "bounds.PR.printed_q_max"}});
  add("V", "regret_terms.V", "regret_split.V",
      {{"corrected", "bounds.V.corrected"},
       {"printed, main text (line 346)", "bounds.V.printed_main_text"},
       {"printed, appendix (line 478)", "bounds.V.printed_appendix"},
       {"printed, end of its proof (line 507)", "bounds.V.printed_appendix_proof"}});
  add("W", "regret_terms.W", "regret_split.W", {{"corrected", "bounds.W.corrected"}, {"printed", "bounds.W.printed"}});
  if (facts.mean_of("segments.explorer.steps") > 0.0) {
    add("V_explore", "regret_terms.V_explore", "regret_split.V_explore",
        {{"corrected; none is printed", "bounds.V_explore.corrected"}});
    add("W_explore", "regret_terms.W_explore", "regret_split.W_explore",
        {{"corrected; none is printed", "bounds.W_explore.corrected"}});
  }
  return table;
}

std::string a2_words(const Facts& facts) {
  if (std::isnan(facts.tau()))
    return "A2 (mixing): not computed, the environment is too large; the bounds on V and W are unknown.";
  if (facts.infinite())
    return "A2 (mixing) fails: κ is infinite, and so is every bound on V and W. Teleporting (environment.teleport) "
           "makes κ finite.";
  return fmt::format("A2 (mixing) holds: τ = {}, κ = {}.", number_text(facts.tau(), 3),
                     number_text(facts.mean_of("bounds.kappa"), 3));
}

std::string a3_words(const Facts& facts) {
  const std::vector<double> sigma = facts.values("bounds.sigma");
  if (sigma.empty())
    return "A3 (excitation): not computed; there is no exploration policy, or there are too many features.";
  if (mean(sigma) > 0.0)
    return fmt::format("The premise of the lemma on the features holds: σ = {:.3g} under μ_e × uniform.", mean(sigma));
  return fmt::format(
      "The premise of the lemma on the features fails: σ = 0 under μ_e × uniform ({:.3g} on the span of the features).",
      facts.mean_of("bounds.sigma_on_span"));
}

/// A mean that may not exist for this learner.
std::string known(double value, const char* otherwise) {
  return std::isfinite(value) ? fmt::format("{:.3g}", value) : otherwise;
}

std::string error_words(const Facts& facts) {
  const double theorem = facts.mean_of("q_error.median.theorem");
  const double lemma = facts.mean_of("q_error.median.explore");
  const std::string eps =
      fmt::format("ε₀ over the policies of the run: {}.", known(facts.mean_of("eps_0"), "not computed"));
  const double hidden = facts.mean_of("q_error.phases") - facts.mean_of("q_error.known_phases");
  if (!std::isfinite(theorem) && !std::isfinite(lemma))
    return (hidden > 0.0 ? "Error of a phase's Q: unknown, rounding hides the exact Q in every phase. "
                         : "Error of a phase's Q: not measured, because this learner has no Q per phase. ") +
           eps;
  const std::string rest =
      hidden > 0.0 ? fmt::format(
                         " In {:.3g} phases of {:.3g} (means over runs) rounding hides the exact Q: the median "
                         "leaves them out, and what needs all phases is not reported.",
                         hidden, facts.mean_of("q_error.phases"))
                   : std::string();
  return fmt::format(
      "Error of a phase's Q, median over phases: {} in the theorem's norms (one constant for both), {} in the "
      "lemma's; largest density ratio between them: {}. {}{}",
      known(theorem, "unknown"), known(lemma, "unknown"),
      known(facts.mean_of("q_error.density_ratio"), "infinite or unknown"), eps, rest);
}

std::vector<Html> premises(const Facts& facts) {
  std::vector<Html> words = {a2_words(facts), a3_words(facts), error_words(facts)};
  const double premise = facts.mean_of("bounds.bias_premise");
  if (premise > facts.steps())
    words.emplace_back(fmt::format(
        "The premise of the bias lemma does not hold: it needs T of at least {:.2g}, this run has T = {:.2g}.", premise,
        facts.steps()));
  const std::string eta = facts.setting("algorithm.eta");
  const double theory_eta = facts.mean_of("bounds.theory_eta");
  if (eta.empty())
    words.emplace_back("The printed bound on PR assumes Politex with the η of the theorem; this learner has no η.");
  else if (eta != "theory")
    words.emplace_back(fmt::format(
        "The printed bound on PR assumes the η of the theorem{}; this run has η = {}.",
        std::isfinite(theory_eta) ? fmt::format(", which would be {:.2g} here", theory_eta) : std::string(), eta));
  if (facts.setting("exact.every") != "1")
    words.emplace_back(fmt::format(
        "Only every {}th phase was evaluated: V and PR are approximate, and the bounds do not strictly apply "
        "(exact.every = 1 is exact).",
        facts.setting("exact.every")));
  return words;
}

}  // namespace

void add_bounds(HtmlPage& page, std::span<const RunRecord> runs, std::span<const RunGroup> groups) {
  std::vector<const RunGroup*> measured;
  for (const RunGroup& group : groups) {
    if (Facts(runs, group).measured()) measured.push_back(&group);
  }
  if (measured.empty()) return;
  page.heading("Regret terms compared with their bounds");
  for (std::size_t i = 0; i < std::min(most_groups, measured.size()); ++i) {
    const Facts facts(runs, *measured[i]);
    if (measured.size() > 1) page.add(Html::tag("h3", measured[i]->label()));
    page.table(bounds_table(facts));
    page.list(premises(facts));
  }
  if (measured.size() > most_groups)
    page.paragraph(fmt::format("{} more are not shown; report fewer runs at a time.", measured.size() - most_groups));
}

}  // namespace politex::inline report
