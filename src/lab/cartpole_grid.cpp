#include "politex/lab/cartpole_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/base/unknown.hpp"

namespace politex::lab {

namespace {

constexpr std::int64_t bins = 60;

constexpr std::array all_variants{
    CartpoleVariant{"ee_politex", "EE-Politex", "", true, nullptr},
    CartpoleVariant{"politex", "Politex", "", false, nullptr},
    CartpoleVariant{"sum_plain", "EE, sum of Qs, P over the plain Qs", "policy.step_norm=plain", true,
                    [](Config& c) { c.policy.step_norm = "plain"; }},
    CartpoleVariant{"average_weighted", "EE, average of Qs, P over the averaged ones", "policy.combine=average", true,
                    [](Config& c) { c.policy.combine = "average"; }},
    CartpoleVariant{"average_plain", "EE, average of Qs, P over the plain Qs (the paper's text)",
                    "policy.combine=average policy.step_norm=plain", true,
                    [](Config& c) {
                      c.policy.combine = "average";
                      c.policy.step_norm = "plain";
                    }},
    CartpoleVariant{"n_step_explorer_1", "EE, explorer's windows of one step", "learner.n_step_explorer=1", true,
                    [](Config& c) { c.learner.n_step_explorer = 1; }},
    CartpoleVariant{"differential", "EE, differential (average cost)", "learner.mode=differential", true,
                    [](Config& c) { c.learner.mode = "differential"; }},
    CartpoleVariant{"max", "EE, max target with double Q", "learner.target=max", true,
                    [](Config& c) { c.learner.target = "max"; }},
    CartpoleVariant{"politex_max", "Politex, max target with double Q", "learner.target=max", false,
                    [](Config& c) { c.learner.target = "max"; }},
    CartpoleVariant{"explorer_trained", "EE, explorer trained on a raised pole",
                    "explorer.name=file explorer.file=explorer.policy", true,
                    [](Config& c) { c.explorer.name = "file"; }},
    CartpoleVariant{"explorer_uniform", "EE, uniformly random explorer", "explorer.name=uniform", true,
                    [](Config& c) { c.explorer.name = "uniform"; }},
};

}  // namespace

std::span<const CartpoleVariant> cartpole_variants() { return all_variants; }

CartpoleGrid cartpole_grid(bool quick, bool compare) {
  CartpoleGrid grid{.variants = std::span(all_variants).first(2), .seeds = 3, .steps = 6'000'000};
  grid.quick = quick;
  grid.compare = compare;
  if (compare) {
    grid.variants = all_variants;
    grid.steps = quick ? 1'500'000 : 3'000'000;
    grid.seeds = quick ? 2 : 3;
  } else if (quick) {
    grid.steps = 2'000'000;
  }
  return grid;
}

Config cartpole_config(const CartpoleVariant& variant, std::uint64_t seed, const CartpoleGrid& grid) {
  Config config;
  config.steps = grid.steps;
  config.seed = seed;
  config.environment.name = "cartpole";
  config.algorithm.name = variant.explores ? "neural_ee_politex" : "neural_politex";
  config.schedule.explore = Length::steps(1000);
  config.schedule.phase_scale = 100.0;
  config.explorer.name = variant.explores ? "energy_pump" : "none";
  config.network.hidden = 512;
  config.learner.target = "expected_sarsa";
  config.learner.discount = 0.995;
  config.learner.n_step = 10;
  config.policy.combine = "sum";
  config.policy.step_norm = "weighted";
  config.policy.alpha = 10.0;
  config.policy.ring = 10;
  if (variant.change != nullptr) variant.change(config);
  return config;
}

Config cartpole_explorer_config() {
  Config config;
  config.steps = 1'000'000;
  config.environment.name = "cartpole";
  config.environment.reward = "raised";
  config.algorithm.name = "dqn";
  config.algorithm.epsilon = 0.1;
  config.schedule.phase_steps = 100;
  config.learner.target = "max";
  config.learner.discount = 0.99;
  config.learner.n_step = 5;
  config.learner.target_copy = 500;
  return config;
}

std::vector<SweepCell> cartpole_cells(const CartpoleGrid& grid, const std::filesystem::path& explorer) {
  std::vector<SweepCell> cells;
  for (const CartpoleVariant& variant : grid.variants) {
    for (int seed = 1; seed <= grid.seeds; ++seed) {
      SweepCell& cell = cells.emplace_back();
      cell.config = cartpole_config(variant, static_cast<std::uint64_t>(seed), grid);
      if (cell.config.explorer.name == "file") cell.config.explorer.file = explorer.string();
      // The length is part of the name, so that a quick look and the figure can share a directory.
      cell.name = fmt::format("variant={},steps={},seed={}", variant.name, grid.steps, seed);
    }
  }
  return cells;
}

std::vector<double> CartpoleRun::learned(std::int64_t from, std::int64_t to) const {
  return episode_rewards(episodes, neural::Episode::By::policy, from, to);
}

double CartpoleRun::final_return(const CartpoleGrid& grid) const {
  return mean(learned(grid.steps - (grid.steps + 9) / 10, grid.steps));
}

double CartpoleRun::explorer_return() const {
  return mean(episode_rewards(episodes, neural::Episode::By::explorer, 0, std::numeric_limits<std::int64_t>::max()));
}

Interval CartpoleRun::final_interval(const CartpoleGrid& grid) const {
  const std::vector<double> returns = learned(grid.steps - (grid.steps + 9) / 10, grid.steps);
  constexpr int batches = 20;
  if (returns.size() < batches) throw Error("too few episodes in the last tenth of a cartpole run");
  return batch_means_interval(returns, batches);
}

std::vector<EpisodePoint> cartpole_curve(const CartpoleRun& run, const CartpoleGrid& grid) {
  return episode_curve(run.episodes, neural::Episode::By::policy, grid.steps, bins);
}

std::int64_t passes_explorer_at(const CartpoleRun& run, const CartpoleGrid& grid) {
  const double explorer = run.explorer_return();
  std::int64_t since = 0;
  for (const EpisodePoint& point : cartpole_curve(run, grid)) {
    if (!(point.reward > explorer)) since = 0;
    if (point.reward > explorer && since == 0) since = point.step;
  }
  return since;
}

CartpoleRun read_cartpole_run(const std::filesystem::path& directory, std::size_t variant, std::uint64_t seed) {
  CartpoleRun run{.variant = variant, .seed = seed, .episodes = {}, .sample = {}, .summary = {}};
  const auto text = [&](const char* name) { return read_file(name, (directory / name).string()); };
  run.summary = text("summary.json");
  run.episodes = read_episodes(directory);
  const std::string sample = text("sample_episode.csv");
  for (const auto& row : csv_rows(sample)) {
    if (row.size() != 8) throw Error(fmt::format("{}/sample_episode.csv is damaged", directory.string()));
    // Observations: position, velocity, cos, sin, angular velocity.
    run.sample.push_back({.position = csv_number(row[3]),
                          .angle = std::atan2(csv_number(row[6]), csv_number(row[5])),
                          .action = static_cast<int>(csv_number(row[1])),
                          .reward = csv_number(row[2])});
  }
  return run;
}

std::string cartpole_csv(std::span<const CartpoleRun> runs, const CartpoleGrid& grid) {
  std::string text =
      "variant,seed,steps,learned_return_last_tenth,learned_return,explorer_return,passes_explorer_at,best_bin,phases,"
      "learner_steps,average_cost\n";
  const auto cell = [](double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); };
  for (const CartpoleRun& run : runs) {
    double best = unknown;
    for (const EpisodePoint& point : cartpole_curve(run, grid))
      best = std::isnan(best) ? point.reward : std::max(best, point.reward);
    const auto told = [&](const char* name) { return summary_number(run.summary, name); };
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", grid.variants[run.variant].name, run.seed, grid.steps,
                        cell(run.final_return(grid)), cell(mean(run.learned(0, grid.steps))),
                        cell(run.explorer_return()), passes_explorer_at(run, grid), cell(best), cell(told("phases")),
                        cell(told("learner_steps")), cell(told("average_cost")));
  }
  return text;
}

std::string cartpole_curves_csv(std::span<const CartpoleRun> runs, const CartpoleGrid& grid) {
  std::string text = "variant,seed,steps,learned_return\n";
  for (const CartpoleRun& run : runs)
    for (const EpisodePoint& point : cartpole_curve(run, grid))
      text += fmt::format("{},{},{},{}\n", grid.variants[run.variant].name, run.seed, point.step, point.reward);
  return text;
}

}  // namespace politex::lab
