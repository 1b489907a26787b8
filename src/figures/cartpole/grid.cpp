#include "politex/figures/cartpole/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/base/unknown.hpp"
#include "politex/figures/experiments.hpp"
#include "politex/sweep/sweep.hpp"

namespace politex::inline figures {
namespace {

constexpr std::int64_t bins = 60;

constexpr std::string_view explorer_setting = "explorer.file=";

constexpr std::array all_variants{
    CartpoleVariant{"ee_politex", "EE-Politex", ""},
    CartpoleVariant{"politex", "Politex", "", false},
    CartpoleVariant{"sum_plain", "EE, sum of Qs, P over the plain Qs", "policy.step_norm=plain"},
    CartpoleVariant{"average_weighted", "EE, average of Qs, P over the averaged ones", "policy.combine=average"},
    CartpoleVariant{"average_plain", "EE, average of Qs, P over the plain Qs (the paper's text)",
                    "policy.combine=average policy.step_norm=plain"},
    CartpoleVariant{"n_step_explorer_1", "EE, explorer's windows of one step", "learner.n_step_explorer=1"},
    CartpoleVariant{"discounted", "EE, discounted by 0.995", "learner.mode=discounted learner.discount=0.995"},
    CartpoleVariant{"max", "EE, max target with double Q", "learner.target=max"},
    CartpoleVariant{"politex_max", "Politex, max target with double Q", "learner.target=max", false},
    CartpoleVariant{"explorer_trained", "EE, explorer trained on a raised pole",
                    "explorer.name=file explorer.file=explorer.policy"},
    CartpoleVariant{"explorer_uniform", "EE, uniformly random explorer", "explorer.name=uniform"},
};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

}  // namespace

std::span<const CartpoleVariant> cartpole_variants() { return all_variants; }

CartpoleGrid cartpole_grid(bool quick, bool compare, int seeds) {
  CartpoleGrid grid{.variants = std::span(all_variants).first(2), .seeds = 10, .quick = quick, .compare = compare};
  if (compare) {
    grid.variants = all_variants;
    grid.steps = quick ? 1'500'000 : 3'000'000;
    grid.seeds = quick ? 2 : 3;
  } else {
    if (quick) grid.seeds = 3;
    grid.steps = quick ? 2'000'000 : read_experiment("cartpole/ee_politex.toml").steps;
  }
  if (seeds > 0) grid.seeds = seeds;
  return grid;
}

std::vector<Cell> cartpole_cells(const CartpoleGrid& grid, const std::filesystem::path& directory) {
  std::vector<Cell> cells;
  const Cell explorer{.name = "explorer", .experiment = "cartpole/explorer.toml", .overrides = {}};
  for (const CartpoleVariant& variant : grid.variants) {
    for (int i = 0; i < grid.seeds; ++i) {
      // Variants are explored on the first seeds; only the figure is judged.
      const std::uint64_t seed = grid.compare ? static_cast<std::uint64_t>(i) + 1 : judged_seed(i);
      // The length is part of the name, so that a quick version and the figure can share a directory.
      Cell& cell =
          cells.emplace_back(Cell{.name = fmt::format("variant={},steps={},seed={}", variant.name, grid.steps, seed),
                                  .experiment = variant.explores ? "cartpole/ee_politex.toml" : "cartpole/politex.toml",
                                  .overrides = words_of(variant.settings),
                                  .seed = seed,
                                  .stage = grid.compare ? 1 : 0});
      for (std::string& setting : cell.overrides)
        if (setting.starts_with(explorer_setting))
          setting = std::string(explorer_setting) +
                    std::filesystem::absolute(directory / "runs" / explorer.name / "network.safetensors").string();
      cell.overrides.push_back(fmt::format("steps={}", grid.steps));
    }
  }
  if (grid.compare) cells.push_back(explorer);
  return cells;
}

std::vector<double> CartpoleRun::learned(std::int64_t from, std::int64_t to) const {
  return episode_rewards(episodes, neural::Episode::Player::policy, from, to);
}

double CartpoleRun::final_return(const CartpoleGrid& grid) const {
  return mean(learned(grid.steps - (grid.steps + 9) / 10, grid.steps));
}

double CartpoleRun::explorer_return() const {
  return mean(
      episode_rewards(episodes, neural::Episode::Player::explorer, 0, std::numeric_limits<std::int64_t>::max()));
}

Interval CartpoleRun::final_interval(const CartpoleGrid& grid) const {
  const std::vector<double> returns = learned(grid.steps - (grid.steps + 9) / 10, grid.steps);
  constexpr int batches = 20;
  if (returns.size() < batches) throw Error("too few episodes in the last tenth of a cartpole run");
  return batch_means_interval(returns, batches);
}

std::vector<EpisodePoint> cartpole_curve(const CartpoleRun& run, const CartpoleGrid& grid) {
  return episode_curve(run.episodes, neural::Episode::Player::policy, grid.steps, bins);
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
  for (const CartpoleRun& run : runs) {
    double best = unknown;
    for (const EpisodePoint& point : cartpole_curve(run, grid))
      best = std::isnan(best) ? point.reward : std::max(best, point.reward);
    const auto reported = [&](const char* name) { return csv_text(summary_number(run.summary, name)); };
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", grid.variants[run.variant].name, run.seed, grid.steps,
                        csv_text(run.final_return(grid)), csv_text(mean(run.learned(0, grid.steps))),
                        csv_text(run.explorer_return()), passes_explorer_at(run, grid), csv_text(best),
                        reported("phases"), reported("learner_steps"), reported("average_cost"));
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

}  // namespace politex::inline figures
