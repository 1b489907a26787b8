#include "politex/lab/theory_grid.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/lab/catalogue.hpp"
#include "politex/lab/fields.hpp"
#include "politex/lab/live_line.hpp"
#include "politex/lab/pool.hpp"
#include "politex/lab/theory_estimates.hpp"
#include "politex/policy/policy_file.hpp"

namespace politex::lab {

namespace {

namespace fs = std::filesystem;
using Points = std::vector<TheoryPoint>;

struct Job {
  double work = 0.0;  // in steps
  std::function<Points()> measure;
};

struct Estimate {
  const char* curve;
  LsmcOptions options;
};

LsmcOptions one_visit(Average average) {
  return {.visits = Visits::one, .average = average, .horizon = 0, .ridge = 1e-6, .centre = false};
}

void add_estimates(std::vector<Job>& jobs, const TheoryGrid& grid, const std::string& world, int seed) {
  const Config config = theory_config(world, static_cast<std::uint64_t>(seed), "theory_text", grid.short_steps);
  const auto add = [&](const char* figure, const Estimate& estimate, const std::vector<std::int64_t>& all,
                       auto lengths) {
    double work = 0.0;
    for (const std::int64_t x : all) work += static_cast<double>(lengths(x).total());
    jobs.push_back({work, [=] {
                      Points points;
                      for (const std::int64_t x : all) {
                        LsmcOptions options = estimate.options;
                        options.horizon = std::min(options.horizon, lengths(x).follow + 1);
                        points.push_back({figure, world, estimate.curve, "error", static_cast<double>(x), seed,
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

void add_biases(std::vector<Job>& jobs, const TheoryGrid& grid, const std::string& world, int seed) {
  const Config config = theory_config(world, static_cast<std::uint64_t>(seed), "theory_text", grid.short_steps);
  jobs.push_back({2e5, [=] {
                    const PolicyBias bias = policy_bias(config, theory_bias_length);
                    Points points;
                    const auto put = [&](const char* curve, const char* quantity, double x, double value) {
                      points.push_back({"b", world, curve, quantity, x, seed, value});
                    };
                    for (std::size_t i = 0; i < bias.by_length.size(); ++i) {
                      const auto s = static_cast<double>(i + 1);
                      const RolloutBiases& b = bias.by_length[i];
                      put("last cost", "lambda", s, b.lambda_last);
                      put("phase mean", "lambda", s, b.lambda_phase);
                      put("rollout mean", "lambda", s, b.lambda_rollout);
                      put("last cost", "value", s, b.value_last);
                      put("phase mean", "value", s, b.value_phase);
                      put("rollout mean", "value", s, b.value_rollout);
                      put("phase mean", "value_centred", s, b.value_phase_centred);
                      put("rollout mean", "value_centred", s, b.value_rollout_centred);
                      put("printed", "lambda", s, b.printed_lambda);
                      put("printed", "value", s, b.printed_value);
                    }
                    put("rates", "kappa", 0.0, bias.kappa_rate);
                    put("rates", "second", 0.0, bias.second_rate);
                    return points;
                  }});
}

Summary finish(const Config& config, const std::atomic<int>* stop) {
  const auto run = make_run(config);
  while (!run->done()) {
    if (stop != nullptr && stop->load() != 0) throw Error("stopped before its end");
    run->advance();
  }
  return run->summary();
}

/// What the uniform policy would lose a step: regrets of different worlds are compared in this unit.
double uniform_loss(const Config& config) {
  const FiniteModel model = make_model(config.environment);
  const auto start = static_cast<std::size_t>(model.start);
  return exact::evaluate(model, exact::uniform_policy(model)).gain[start] - exact::optimal_gain(model);
}

/// The figure's quantities of one run.
Points run_points(const TheoryPoint& named, const Config& config, const std::atomic<int>* stop) {
  const FiniteSummary finite = *finish(config, stop).finite;
  const TheorySummary& theory = *finite.theory;
  const TheoryBounds& bounds = theory.bounds;
  const double unit = static_cast<double>(config.steps) * uniform_loss(config);
  Points points;
  const auto put = [&](const char* quantity, double value) {
    points.push_back(named);
    points.back().quantity = quantity;
    points.back().value = value;
  };
  put("regret", finite.regret_to_gain);
  put("regret_share", finite.regret_to_gain / unit);
  put("PR_share", finite.terms.PR / unit);
  put("E", finite.terms.E);
  put("PR", finite.terms.PR);
  put("V", finite.terms.V);
  put("W", finite.terms.W);
  put("V_explore", finite.terms.V_explore);
  put("W_explore", finite.terms.W_explore);
  put("V_transient", theory.split.V.transient);
  put("V_martingale", theory.split.V.martingale);
  put("error_theorem", theory.mean.theorem);
  put("error_explore", theory.mean.explore);
  put("density_ratio", theory.largest.density_ratio);
  put("eps_0", theory.eps_0);
  put("eta", bounds.eta);
  put("kappa", bounds.kappa);
  put("sigma", bounds.sigma);
  put("V_over_corrected", finite.terms.V / bounds.V.total());
  put("V_explore_over_corrected", finite.terms.V_explore / bounds.V_explore.total());
  put("W_over_corrected", (finite.terms.W) / bounds.W.total());
  put("V_over_main_text", finite.terms.V / bounds.printed.v_main_text);
  put("V_over_appendix", finite.terms.V / bounds.printed.v_appendix);
  put("V_over_proof", finite.terms.V / bounds.printed.v_appendix_proof);
  put("W_over_printed", finite.terms.W / bounds.printed.w);
  put("PR_over_sure", bounds.pseudo_regret / bounds.PR_sure);
  put("PR_over_printed", bounds.pseudo_regret / bounds.PR_printed);
  return points;
}

std::string explorer_file(const fs::path& directory, const std::string& world, double share) {
  return (directory / "explorers" / fmt::format("{}-{}.policy", world, share)).string();
}

/// (e): action 0, and with this share any action: the less uniform, the less it excites.
void write_explorers(const TheoryGrid& grid, const fs::path& directory) {
  fs::create_directories(directory / "explorers");
  for (const char* world : theory_worlds) {
    const FiniteModel model = make_model(theory_config(world, 1, "theory_text", grid.short_steps).environment);
    for (const double share : grid.mixtures) {
      std::vector<double> policy = exact::uniform_policy(model), lazy = exact::always(model, 0);
      for (std::size_t i = 0; i < policy.size(); ++i) policy[i] = share * policy[i] + (1.0 - share) * lazy[i];
      write_file(explorer_file(directory, world, share), policy_text(policy, model.states, model.actions));
    }
  }
}

void add_runs(std::vector<Job>& jobs, const TheoryGrid& grid, const std::string& world, int seed,
              const fs::path& directory, const std::atomic<int>* stop) {
  const auto config_of = [&](const char* schedule, std::int64_t steps, double teleport = theory_teleport) {
    return theory_config(world, static_cast<std::uint64_t>(seed), schedule, steps, teleport);
  };
  const auto add = [&](const char* figure, const char* curve, double x, const Config& config) {
    const TheoryPoint named{figure, world, curve, "", x, seed, 0.0};
    jobs.push_back({4.0 * static_cast<double>(config.steps), [=] { return run_points(named, config, stop); }});
  };
  for (const char* schedule : {"theory", "theory_text"})
    for (const std::int64_t steps : grid.steps)
      add("c", schedule, static_cast<double>(steps), config_of(schedule, steps));
  for (const double eta : grid.etas) {
    Config config = config_of("theory_text", grid.short_steps);
    config.algorithm.eta = fmt::format("{}", eta);
    add("d", "grid", eta, config);
  }
  add("d", "theorem", 0.0, config_of("theory_text", grid.short_steps));
  for (const double teleport : grid.teleports)
    add("e", "teleport", teleport, config_of("theory_text", grid.short_steps, teleport));
  for (const double share : grid.mixtures) {
    Config config = config_of("theory_text", grid.short_steps, excitation_teleport);
    config.explorer.name = "file";
    config.explorer.file = explorer_file(directory, world, share);
    add("e", "sigma", share, config);
  }
}

}  // namespace

TheoryGrid theory_grid(bool quick) {
  if (quick)
    return {.quick = true,
            .seeds = 5,
            .rollouts = {100, 400, 1600, 6400},
            .lengths = {10, 40, 80, 160},
            .steps = {500'000, 1'000'000},
            .etas = {0.01, 0.1, 1.0, 10.0},
            .teleports = {0.1, 0.3, 0.8},
            .mixtures = {0.05, 0.2, 1.0},
            .short_steps = 100'000};
  return {.quick = false,
          .seeds = 20,
          .rollouts = {50, 100, 200, 400, 800, 1600, 3200, 6400, 12'800},
          .lengths = {5, 10, 20, 40, 80, 160, 320},
          .steps = {500'000, 1'000'000, 2'000'000, 4'000'000, 8'000'000},
          .etas = {0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0},
          .teleports = {0.05, 0.1, 0.2, 0.4, 0.8},
          .mixtures = {0.02, 0.05, 0.1, 0.2, 0.5, 1.0},
          .short_steps = 500'000};
}

std::int64_t theory_horizon() {
  const double kappa = -1.0 / std::log(1.0 - theory_teleport);
  return static_cast<std::int64_t>(std::ceil(kappa * std::log(static_cast<double>(theory_samples))));
}

Config theory_config(const std::string& world, std::uint64_t seed, const std::string& schedule, std::int64_t steps,
                     double teleport) {
  Config config = default_config(world == "DeepSea" ? "deep_sea" : world == "RiverSwim" ? "river_swim" : "garnet");
  config.steps = steps;
  config.seed = seed;
  config.environment.teleport = teleport;
  if (world != "Garnet") config.environment.size = 6;
  if (world == "Garnet") {
    config.environment.states = 20;
    config.environment.actions = 3;
    config.environment.model_seed = seed;
  }
  config.algorithm.visits = "one";
  config.algorithm.average = "last_cost";
  config.algorithm.eta = "theory";
  config.algorithm.q_max = theory_q_max(config);
  config.schedule.kind = schedule;
  config.explorer.name = "uniform";
  config.features.basis = true;
  config.exact.every = 1;
  return config;
}

double theory_q_max(const Config& config) {
  const FiniteModel model = make_model(config.environment);
  double range = 0.0;
  for (const auto& policy :
       {exact::uniform_policy(model), exact::deterministic_policy(model, exact::optimum(model).action)}) {
    const std::vector<double> q = exact::action_values(model, exact::evaluate(model, policy)).value;
    const auto [low, high] = std::ranges::minmax(q);
    range = std::max(range, high - low);
  }
  return std::ceil(20.0 * range) / 10.0;  // a tenth is more than compilers and machines differ by
}

TheoryTable measure_theory(const TheoryGrid& grid, const fs::path& directory, int jobs, const std::atomic<int>* stop) {
  write_explorers(grid, directory);
  std::vector<Job> all;
  for (const char* world : theory_worlds) {
    for (int seed = 1; seed <= grid.seeds; ++seed) {
      add_estimates(all, grid, world, seed);
      add_biases(all, grid, world, seed);
      add_runs(all, grid, world, seed, directory, stop);
    }
  }
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return all[a].work > all[b].work; });
  const double work =
      std::accumulate(all.begin(), all.end(), 0.0, [](double sum, const Job& job) { return sum + job.work; });
  std::vector<Points> results(all.size());
  JobsLine progress("theory", all.size(), work);
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

}  // namespace politex::lab
