#include "politex/figures/theory/figure.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "politex/report/claims_html.hpp"

namespace politex::inline figures {
namespace {

/// What a point and its interval show; drawn_interval() says what the interval is.
enum class Summarised { mean, geometric };

Interval summarised(const std::vector<double>& values, Summarised how) {
  if (how == Summarised::mean) return drawn_interval(values);
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(std::max(std::abs(value), 1e-300)));
  const Interval interval = drawn_interval(logs);
  return {std::exp(interval.mean), std::exp(interval.low), std::exp(interval.high)};
}

Series series_of(const Samples& samples, std::string label, std::size_t index, Summarised how) {
  Series series;
  series.label = std::move(label);
  series.look = look(index);
  for (std::size_t i = 0; i < samples.x.size(); ++i) {
    const Interval interval = summarised(samples.values[i], how);
    series.x.push_back(samples.x[i]);
    series.y.push_back(interval.mean);
    series.low.push_back(interval.low);
    series.high.push_back(interval.high);
  }
  return series;
}

/// A power of x through a series' first point from `from` on: a bound without a constant has only this shape.
Reference shape(const Series& series, double power, std::string label, double from = 0.0) {
  Reference reference{.label = std::move(label), .x = {}, .y = {}};
  for (const double x : series.x) {
    if (x < from) continue;
    reference.x.push_back(x);
    const auto first = static_cast<std::size_t>(std::ranges::find(series.x, reference.x.front()) - series.x.begin());
    reference.y.push_back(series.y[first] * std::pow(x / reference.x.front(), power));
  }
  return reference;
}

Plot plot_of(std::string title, std::string x_label, std::string y_label, bool log_x, bool log_y) {
  Plot plot;
  plot.title = std::move(title);
  plot.x_label = std::move(x_label);
  plot.y_label = std::move(y_label);
  plot.log_x = log_x;
  plot.log_y = log_y;
  return plot;
}

/// The next curve of a plot.
Series& add_series(Plot& plot, const Samples& samples, std::string label, Summarised how) {
  plot.series.push_back(series_of(samples, std::move(label), plot.series.size(), how));
  return plot.series.back();
}

/// Space on the right for the names of the references.
void widen(Plot& plot, double factor) {
  for (const Series& series : plot.series) {
    for (const double x : series.x) {
      plot.x_low = plot.x_low == 0.0 ? x : std::min(plot.x_low, x);
      plot.x_high = std::max(plot.x_high, x);
    }
  }
  if (plot.log_x) plot.x_low /= 1.1;
  plot.x_high *= factor;
}

FigurePicture rollouts_picture(const TheoryTable& table) {
  Plot plot = plot_of("(a) LSMC error against the number of rollouts, s = 40, one visit", "rollouts m (logarithmic)",
                      "error in the norm of μ_e × uniform, less its constant", true, true);
  for (const char* environment : theory_environments)
    for (const char* curve : {"last cost", "phase mean"}) {
      const Series& series = add_series(plot, table.samples("a", environment, curve, "error"),
                                        fmt::format("{}, {}", environment, curve), Summarised::geometric);
      plot.references.push_back(shape(series, -0.5, "∝ m^(-1/2)", 400.0));
    }
  widen(plot, 2.2);
  return {"a_rollouts",
          "Geometric mean over seeds with 95% intervals (Student's t of the logarithms). The lemma has no constant: "
          "its shape is drawn "
          "through the first point with m ≥ 400.",
          plot};
}

FigurePicture lambda_picture(const TheoryTable& table) {
  Plot plot = plot_of("(b) Exact bias of λ* against the rollout length", "costs in a rollout, s",
                      "|E λ* − λ|, largest over first states", false, true);
  for (const char* curve : {"last cost", "phase mean", "rollout mean"})
    for (const char* environment : theory_environments) {
      add_series(plot, table.samples("b", environment, curve, "lambda"), fmt::format("{}, {}", environment, curve),
                 Summarised::geometric)
          .markers = false;
    }
  Reference decay{.label = "∝ e^(-s/κ)", .x = {}, .y = {}};
  const double rate = -std::log(1.0 - theory_teleport);
  for (const double s : plot.series.front().x) {
    decay.x.push_back(s);
    decay.y.push_back(plot.series.front().y.front() * std::exp(-rate * (s - 1.0)));
  }
  plot.references.push_back(decay);
  widen(plot, 1.15);
  return {"b_lambda",
          "Exact, no sampling: geometric mean over random policies and its 95% interval. With the last cost the bias "
          "falls exponentially (to 1e-16, where rounding begins), with means over s costs like 1/s.",
          plot};
}

FigurePicture value_picture(const TheoryTable& table, const std::string& environment) {
  Plot plot = plot_of(fmt::format("(b) Exact bias of V* on {}", environment), "costs in a rollout, s",
                      "|E V* − V|, largest over first states", false, true);
  const auto add = [&](const char* curve, const char* quantity, const char* label) {
    add_series(plot, table.samples("b", environment, curve, quantity), label, Summarised::geometric).markers = false;
  };
  add("last cost", "value", "last cost");
  add("phase mean", "value", "phase mean");
  add("phase mean", "value_centred", "phase mean, less its constant");
  add("rollout mean", "value_centred", "rollout mean, less its constant");
  add("printed", "value", "printed bound, 2 max|c| (1+s) e^(-s/κ)");
  plot.height = 440;
  return {fmt::format("b_value_{}", environment),
          "The phase mean leaves a constant and nothing else; the rollout's own mean leaves the whole of V, because V* "
          "then sums to 0.",
          plot};
}

FigurePicture terms_picture(const TheoryTable& table, const std::string& environment) {
  Plot plot = plot_of(fmt::format("(c) Regret terms against T on {}", environment), "steps T (logarithmic)",
                      "geometric mean of |term| over seeds", true, true);
  for (const char* schedule : {"theory", "theory_text"}) {
    std::size_t colour = 0;
    for (const char* term : {"regret_to_gain", "E", "PR", "V", "V_explore"}) {
      plot.series.push_back(series_of(
          table.samples("c", environment, schedule, term),
          fmt::format("{}, {}", term, std::string_view(schedule) == "theory" ? "Algorithm 1" : "text's schedule"),
          colour++, Summarised::geometric));
      plot.series.back().look.dashed = std::string_view(schedule) != "theory";
    }
  }
  plot.references.push_back(shape(plot.series.front(), 0.8, "∝ T^(4/5)"));
  widen(plot, 1.5);
  return {fmt::format("c_terms_{}", environment),
          "Solid: s = T^(1/5) − log T as in Algorithm 1; dashed: s = T^(1/5) as in the text. T^(4/5) is drawn through "
          "the first point of the regret.",
          plot};
}

FigurePicture eta_picture(const TheoryTable& table) {
  Plot plot = plot_of("(d) Regret against the step size", "η (logarithmic)", "regret, in units of the uniform policy's",
                      true, false);
  std::vector<Series> theorems;  // on top of the curves
  for (const char* environment : theory_environments) {
    const std::size_t index = plot.series.size();
    plot.series.push_back(
        series_of(table.samples("d", environment, "grid", "regret_share"), environment, index, Summarised::mean));
    Series theorem = series_of(table.samples("d", environment, "theorem", "regret_share"),
                               fmt::format("{}, the theorem's η", environment), index, Summarised::mean);
    const Samples eta = table.samples("d", environment, "theorem", "eta");
    theorem.x.assign(1, eta.values.empty() ? 1.0 : mean(eta.values.front()));
    theorem.look.marker = 13;
    theorem.look.width = 3.0;
    theorems.push_back(theorem);
  }
  plot.series.insert(plot.series.end(), theorems.begin(), theorems.end());
  return {"d_eta",
          "Mean and 95% interval over seeds; the grid's best η is chosen on other seeds. Diamonds: the theorem's η, "
          "for Q_max twice the exact range of Q (every "
          "Garnet has its own; the mean is drawn).",
          plot};
}

FigurePicture teleport_picture(const TheoryTable& table) {
  Plot plot =
      plot_of("(e) Regret against the teleport probability", "teleport probability p (logarithmic); κ ≤ −1/log(1−p)",
              "in units of the uniform policy's regret", true, false);
  for (const char* environment : theory_environments)
    for (const char* quantity : {"regret_share", "PR_share"})
      add_series(plot, table.samples("e", environment, "teleport", quantity),
                 fmt::format("{}, {}", environment, std::string_view(quantity) == "PR_share" ? "PR" : "regret"),
                 Summarised::mean);
  return {"e_teleport", "Mean and 95% interval over seeds, the theorem's η for every p.", plot};
}

/// x is itself measured: the mean of sigma over the seeds.
Series& add_against_sigma(Plot& plot, const TheoryTable& table, const std::string& environment, const char* quantity,
                          const char* words) {
  Series& series = add_series(plot, table.samples("e", environment, "sigma", quantity),
                              fmt::format("{}, {}", environment, words), Summarised::mean);
  const Samples sigma = table.samples("e", environment, "sigma", "sigma");
  for (std::size_t i = 0; i < series.x.size(); ++i) series.x[i] = mean(sigma.values.at(i));
  return series;
}

std::vector<FigurePicture> sigma_pictures(const TheoryTable& table) {
  Plot regret = plot_of("(e) Regret against the explorer's excitation", "σ under μ_e × uniform (logarithmic)",
                        "in units of the uniform policy's regret", true, false);
  Plot error = plot_of("(e) Error of Q against the explorer's excitation", "σ under μ_e × uniform (logarithmic)",
                       "error of a phase's Q, median over phases", true, true);
  for (const char* environment : theory_environments) {
    add_against_sigma(regret, table, environment, "regret_share", "regret");
    add_against_sigma(regret, table, environment, "PR_share", "PR");
    const Series& first = add_against_sigma(error, table, environment, "error_theorem", "theorem's norms");
    error.references.push_back(shape(first, -0.5, "∝ σ^(-1/2)"));
    add_against_sigma(error, table, environment, "error_explore", "its own μ_e × uniform");
  }
  widen(error, 1.6);
  const std::string how =
      fmt::format("Explorers take action 0, and with a share of 2% to 100% any action; teleport probability {}.",
                  excitation_teleport);
  return {{"e_sigma_regret", how + " Mean and 95% interval over seeds.", regret},
          {"e_sigma_error", how + " The lemma's σ^(-1/2) is drawn through the first points.", error}};
}

FigurePicture length_picture(const TheoryTable& table, const std::string& environment) {
  Plot plot =
      plot_of(fmt::format("(f) LSMC error against the rollout length on {}, m = {}", environment, theory_samples),
              "target steps of a rollout, s (logarithmic)", "error in the norm of μ_e × uniform", true, true);
  const auto add = [&](const char* curve, const std::string& label) {
    add_series(plot, table.samples("f", environment, curve, "error"), label, Summarised::geometric);
  };
  add("last cost", "one visit, last cost");
  plot.references.push_back(shape(plot.series.back(), 1.0, "∝ s", 40.0));
  add("phase mean", "one visit, phase mean");
  plot.references.push_back(shape(plot.series.back(), 0.5, "∝ s^(1/2)", 40.0));
  add("rollout mean", "one visit, rollout mean");
  add("fixed horizon", fmt::format("every visit, horizon ⌈κ log m⌉ = {}", theory_horizon()));
  widen(plot, 1.6);
  plot.height = 440;
  return {fmt::format("f_length_{}", environment),
          "What O() hides: at fixed m the error grows like s with the last cost as λ*, like √s with the phase mean, "
          "and not at all with a fixed horizon (which also has more visits to use the longer a rollout is). Rollouts "
          "shorter than the horizon are used whole.",
          plot};
}

HtmlTable verdict_table(std::span<const Claim> claims) {
  HtmlTable table{.caption =
                      "Slopes and ratios, one per seed or policy: mean with 95% interval (Student's t); all "
                      "checks are listed further down.",
                  .header = {"the paper says", "we measured", "verdict"},
                  .rows = {},
                  .words = true};
  for (const Claim& claim : claims) {
    Html measured;
    for (const Check& check : claim.checks) {
      measured += Html::tag(
          "div", Html::tag("small", fmt::format("{}{}: {}", check.subject,
                                                check.where.empty() ? "" : ", " + check.where, check.measured)));
    }
    const Verdict verdict = judge(claim);
    table.rows.push_back({claim.name + " " + claim.statement, measured,
                          verdict_badge(verdict) + Html::tag("small", " " + verdict.detail)});
  }
  return table;
}

void add_settings(HtmlPage& page, const TheoryGrid& grid) {
  page.heading("Settings");
  page.list(
      {fmt::format("Environments: DeepSea N = 6 (additive features), RiverSwim with 6 states and Garnets of 20 states, "
                   "3 actions, 3 successors (tabular features; each seed has its own Garnet), all with teleport "
                   "probability {}, so that A1 holds and κ ≤ {:.3g}; features reduced to a basis of their span and a "
                   "uniform explorer, so that A3 holds.",
                   theory_teleport, -1.0 / std::log(1.0 - theory_teleport)),
       fmt::format(
           "{} seeds. (a), (f): one random Boltzmann policy per seed, s' = {}. (b): the same policies, exactly.",
           grid.seeds, theory_settle),
       fmt::format(
           "(c): T = {} to {}, one visit, λ* the last cost, the theorem's η with Q_max twice the larger range of Q of "
           "the uniform and an optimal policy, exact gains of every phase. (d), (e): T = {}, the text's schedule.",
           grid.steps.front(), grid.steps.back(), grid.short_steps),
       fmt::format("Seeds {} to {}; the η of (d) is chosen on seeds 1 to {}. Regret is the regret to the optimal gain "
                   "(regret_to_gain). Each interval is for one number; the verdicts are corrected for their number. "
                   "Pictures cut intervals at the least and the largest seed, and with fewer than {} seeds draw the "
                   "range of the seeds.",
                   first_judged_seed, judged_seed(grid.seeds - 1), grid.seeds, fewest_for_bands)});
}

std::vector<FigurePicture> theory_pictures(const TheoryTable& table) {
  std::vector<FigurePicture> pictures = {rollouts_picture(table), lambda_picture(table)};
  for (const char* environment : theory_environments) pictures.push_back(value_picture(table, environment));
  for (const char* environment : theory_environments) pictures.push_back(terms_picture(table, environment));
  pictures.push_back(eta_picture(table));
  pictures.push_back(teleport_picture(table));
  for (FigurePicture& picture : sigma_pictures(table)) pictures.push_back(std::move(picture));
  for (const char* environment : theory_environments) pictures.push_back(length_picture(table, environment));
  return pictures;
}

}  // namespace

FigureReport theory_report(const TheoryTable& table, const TheoryGrid& grid) {
  FigureReport report{
      .title = "The theory of Exploration-Enhanced Politex, measured",
      .introduction =
          "Every quantity of the paper's theorem and lemmas in environments where its assumptions hold: computed "
          "exactly where that is possible, and over seeds otherwise. Costs are negated rewards."};
  if (grid.quick)
    report.notice = fmt::format(
        "A quick version, not the figure: {} seeds and fewer points, T up to {}. The verdicts are about these; omit "
        "--quick for the figure.",
        grid.seeds, grid.steps.back());
  report.claims = theory_claims(table);
  report.intervals_over = "seeds or policies";
  report.verdicts = table_html(verdict_table(report.claims));
  report.pictures = theory_pictures(table);
  add_settings(report.notes, grid);
  report.example = run_command(theory_cell("DeepSea", first_judged_seed, "theory", grid.steps.front()));
  report.contents = "All numbers are in data.csv: figure, environment, curve, quantity, x, seed, value.";
  report.files = {{"data.csv", theory_csv(table)}};
  return report;
}

}  // namespace politex::inline figures
