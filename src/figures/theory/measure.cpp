// From the summaries of the theory figure's runs, and from estimates of its own, to the table of measurements.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "politex/base/error.hpp"
#include "politex/base/pool.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/figures/theory/figure.hpp"
#include "politex/record/live_line.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/parts.hpp"
#include "politex/sweep/sweep.hpp"
#include "politex/theory/estimates.hpp"

namespace politex::inline figures {
namespace {

using Points = std::vector<TheoryPoint>;

struct Job {
  double work = 0.0;  // in steps
  std::function<Points()> measure;
};

Cell short_cell(const TheoryGrid& grid, const std::string& environment, int seed) {
  return theory_cell(environment, static_cast<std::uint64_t>(seed), "theory_text", grid.short_steps);
}

struct Estimate {
  const char* curve;
  LsmcOptions options;
};

LsmcOptions one_visit(Average average) {
  return {.visits = Visits::one, .average = average, .horizon = 0, .ridge = 1e-6};
}

void add_estimates(std::vector<Job>& jobs, const TheoryGrid& grid, const std::string& environment, int seed) {
  const Config config = config_of(short_cell(grid, environment, seed));
  const auto add = [&](const char* figure, const Estimate& estimate, const std::vector<std::int64_t>& all,
                       auto lengths) {
    double work = 0.0;
    for (const std::int64_t x : all) work += static_cast<double>(lengths(x).total());
    jobs.push_back({work, [=] {
                      Points points;
                      for (const std::int64_t x : all) {
                        LsmcOptions options = estimate.options;
                        options.horizon = std::min(options.horizon, lengths(x).follow + 1);
                        points.push_back({figure, environment, estimate.curve, "error", static_cast<double>(x), seed,
                                          estimation_error(config, lengths(x), options)});
                      }
                      return points;
                    }});
  };
  const auto of_rollouts = [](std::int64_t m) {
    return Lengths{.rollouts = m, .explore = theory_settle, .probe = 1, .follow = theory_rollout};
  };
  const auto of_length = [](std::int64_t s) {
    return Lengths{.rollouts = theory_samples, .explore = theory_settle, .probe = 1, .follow = s};
  };
  const Estimate last{"last cost", one_visit(Average::last_cost)}, phase{"phase mean", one_visit(Average::phase)};
  LsmcOptions horizon = one_visit(Average::phase);
  horizon.visits = Visits::every;
  horizon.horizon = theory_horizon();
  for (const Estimate& estimate : {last, phase}) add("a", estimate, grid.rollouts, of_rollouts);
  for (const Estimate& estimate :
       {last, phase, Estimate{"rollout mean", one_visit(Average::rollout)}, Estimate{"fixed horizon", horizon}})
    add("f", estimate, grid.lengths, of_length);
}

constexpr struct {
  const char *curve, *quantity;
  double RolloutBiases::*member;
} bias_quantities[] = {{"last cost", "lambda", &RolloutBiases::lambda_last},
                       {"phase mean", "lambda", &RolloutBiases::lambda_phase},
                       {"rollout mean", "lambda", &RolloutBiases::lambda_rollout},
                       {"last cost", "value", &RolloutBiases::value_last},
                       {"phase mean", "value", &RolloutBiases::value_phase},
                       {"rollout mean", "value", &RolloutBiases::value_rollout},
                       {"phase mean", "value_centred", &RolloutBiases::value_phase_centred},
                       {"rollout mean", "value_centred", &RolloutBiases::value_rollout_centred},
                       {"printed", "lambda", &RolloutBiases::printed_lambda},
                       {"printed", "value", &RolloutBiases::printed_value}};

void add_biases(std::vector<Job>& jobs, const TheoryGrid& grid, const std::string& environment, int seed) {
  const Config config = config_of(short_cell(grid, environment, seed));
  jobs.push_back({2e5, [=] {
                    const PolicyBias bias = policy_bias(config, theory_bias_length);
                    Points points;
                    const auto put = [&](const char* curve, const char* quantity, double x, double value) {
                      points.push_back({"b", environment, curve, quantity, x, seed, value});
                    };
                    for (std::size_t i = 0; i < bias.by_length.size(); ++i)
                      for (const auto& [curve, quantity, member] : bias_quantities)
                        put(curve, quantity, static_cast<double>(i + 1), bias.by_length[i].*member);
                    put("rates", "kappa", 0.0, bias.kappa_rate);
                    put("rates", "second", 0.0, bias.second_rate);
                    return points;
                  }});
}

/// What the uniform policy loses per step: regrets in different environments are compared in this unit.
double uniform_loss(const Config& config) {
  const FiniteModel model = make_model(config);
  const auto start = static_cast<std::size_t>(model.start);
  return exact::evaluate(model, exact::uniform_policy(model)).gain[start] - exact::optimal_gain(model);
}

/// A quantity of the table: a number of a run's summary, over another where one is named.
struct Quantity {
  const char* name;
  std::string_view number;
  std::string_view over = {};
};
constexpr std::string_view uniform_regret = "uniform";  // not in the summary: the regret of the uniform policy

constexpr Quantity quantities[] = {
    {"regret_to_gain", "regret_to_gain"},
    {"regret_share", "regret_to_gain", uniform_regret},
    {"PR_share", "regret_terms.PR", uniform_regret},
    {"E", "regret_terms.E"},
    {"PR", "regret_terms.PR"},
    {"V", "regret_terms.V"},
    {"W", "regret_terms.W"},
    {"V_explore", "regret_terms.V_explore"},
    {"W_explore", "regret_terms.W_explore"},
    {"V_transient", "regret_split.V.transient"},
    {"V_martingale", "regret_split.V.martingale"},
    {"error_theorem", "q_error.median.theorem"},
    {"error_explore", "q_error.median.explore"},
    {"density_ratio", "q_error.density_ratio"},
    {"eps_0", "eps_0"},
    {"eta", "bounds.eta"},
    {"kappa", "bounds.kappa"},
    {"sigma", "bounds.sigma"},
    {"V_over_corrected", "regret_terms.V", "bounds.V.corrected"},
    {"V_explore_over_corrected", "regret_terms.V_explore", "bounds.V_explore.corrected"},
    {"W_over_corrected", "regret_terms.W", "bounds.W.corrected"},
    {"V_over_main_text", "regret_terms.V", "bounds.V.printed_main_text"},
    {"V_over_appendix", "regret_terms.V", "bounds.V.printed_appendix"},
    {"V_over_proof", "regret_terms.V", "bounds.V.printed_appendix_proof"},
    {"W_over_printed", "regret_terms.W", "bounds.W.printed"},
    {"PR_over_sure", "bounds.PR.pseudo_regret", "bounds.PR.sure"},
    {"PR_over_printed", "bounds.PR.pseudo_regret", "bounds.PR.printed"},
};

Points run_points(const TheoryRun& run, const std::string& summary) {
  const Config config = config_of(run.cell);
  const double unit = static_cast<double>(config.steps) * uniform_loss(config);
  std::vector<std::string_view> numbers, overs;
  for (const Quantity& quantity : quantities) {
    numbers.push_back(quantity.number);
    overs.push_back(quantity.over);
  }
  const std::vector<double> above = summary_numbers(summary, numbers), below = summary_numbers(summary, overs);
  Points points;
  for (std::size_t i = 0; i < above.size(); ++i) {
    points.push_back(run.point);
    points.back().quantity = quantities[i].name;
    points.back().value = overs[i].empty() ? above[i] : above[i] / (overs[i] == uniform_regret ? unit : below[i]);
  }
  return points;
}

}  // namespace

TheoryTable measure_theory(const TheoryGrid& grid, std::span<const TheoryRun> runs,
                           std::span<const std::string> summaries, int jobs, const std::atomic<int>* stop) {
  std::vector<Job> all;
  for (const char* environment : theory_environments) {
    for (int i = 0; i < grid.seeds; ++i) {
      const auto seed = static_cast<int>(judged_seed(i));
      add_estimates(all, grid, environment, seed);
      add_biases(all, grid, environment, seed);
    }
  }
  for (std::size_t i = 0; i < runs.size(); ++i)
    all.push_back({1e3, [&, i] { return run_points(runs[i], summaries[i]); }});
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return all[a].work > all[b].work; });
  const double work =
      std::accumulate(all.begin(), all.end(), 0.0, [](double sum, const Job& job) { return sum + job.work; });
  std::vector<Points> results(all.size());
  JobsLine progress("theory, estimates", all.size(), work);
  run_jobs(order, jobs, [&](std::size_t i) {
    if (stop != nullptr && stop->load() != 0) throw Error("stopped before its end");
    results[i] = all[i].measure();
    progress.done(all[i].work);
  });
  TheoryTable table{.points = {}, .quick = grid.quick, .seeds = grid.seeds};
  for (const Points& points : results) table.points.insert(table.points.end(), points.begin(), points.end());
  std::ranges::stable_sort(table.points, {}, &TheoryPoint::figure);
  return table;
}

}  // namespace politex::inline figures
