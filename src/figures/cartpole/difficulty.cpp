// --difficulty: success and reward against the thresholds of the reward, from loose to strict.
#include <fmt/format.h>

#include <algorithm>

#include "politex/figures/cartpole/figure.hpp"

namespace politex::inline figures {
namespace {

/// bsuite's difficulty n: the pole is upright where cos(angle) > n/20, the cart is centred where |x| < 1 - n/20.
std::vector<std::string> difficulty_settings(int level) {
  return {fmt::format("environment.height={}", level / 20.0),
          fmt::format("environment.centre={}", (20 - level) / 20.0)};
}

/// What the seeds of one curve reached at one difficulty.
struct Reached {
  std::vector<double> rewards;
  std::int64_t successes = 0;
};

Reached reached(std::span<const CartpoleRun> runs, const DifficultyGrid& grid, std::size_t variant, std::size_t level) {
  Reached all;
  for (int i = 0; i < grid.cartpole.seeds; ++i) {
    const std::size_t at = (variant * grid.levels.size() + level) * static_cast<std::size_t>(grid.cartpole.seeds) +
                           static_cast<std::size_t>(i);
    all.rewards.push_back(runs[at].final_return(grid.cartpole));
    all.successes += all.rewards.back() > cartpole_collects ? 1 : 0;
  }
  return all;
}

HtmlTable difficulty_table(std::span<const CartpoleRun> runs, const DifficultyGrid& grid) {
  HtmlTable table = new_table(
      fmt::format("Seeds that collect more than {:.0f} per episode in the last tenth of the run, with the exact "
                  "interval of Clopper and Pearson (95%), and the reward of every seed.",
                  cartpole_collects),
      {"n", "cos(angle) above", "|x| below"});
  for (const CartpoleVariant& variant : grid.cartpole.variants) {
    table.header.emplace_back(variant.label);
    table.header.emplace_back("rewards");
  }
  for (std::size_t level = 0; level < grid.levels.size(); ++level) {
    const int n = grid.levels[level];
    std::vector<Html> row{fmt::format("{}", n), fmt::format("{:.2f}", n / 20.0),
                          fmt::format("{:.2f}", (20 - n) / 20.0)};
    for (std::size_t variant = 0; variant < grid.cartpole.variants.size(); ++variant) {
      const Reached all = reached(runs, grid, variant, level);
      const Interval share = share_interval(all.successes, grid.cartpole.seeds);
      row.emplace_back(fmt::format("{} of {} [{:.0f}%, {:.0f}%]", all.successes, grid.cartpole.seeds, 100.0 * share.low,
                                   100.0 * share.high));
      std::string rewards;
      for (const double reward : all.rewards) rewards += (rewards.empty() ? "" : ", ") + number_text(reward, 0);
      row.emplace_back(rewards);
    }
    table.rows.push_back(row);
  }
  return table;
}

/// The mean of the seeds as a line, every seed as a point.
Plot difficulty_plot(std::span<const CartpoleRun> runs, const DifficultyGrid& grid) {
  Plot plot;
  plot.title = fmt::format("Cartpole swing-up{}: reward against difficulty", grid.cartpole.quick ? " (quick)" : "");
  plot.x_label = "difficulty n: cos(angle) > n/20, |x| < 1 - n/20";
  plot.y_label = "reward per episode, last tenth";
  plot.x_low = -0.5;
  plot.x_high = 20.0;
  for (std::size_t variant = 0; variant < grid.cartpole.variants.size(); ++variant) {
    Series means, seeds;
    means.label = fmt::format("{}, mean", grid.cartpole.variants[variant].label);
    seeds.label = fmt::format("{}, every seed", grid.cartpole.variants[variant].label);
    means.look = seeds.look = look(variant);
    means.markers = false;
    seeds.joined = false;
    for (std::size_t level = 0; level < grid.levels.size(); ++level) {
      const Reached all = reached(runs, grid, variant, level);
      means.x.push_back(grid.levels[level]);
      means.y.push_back(mean(all.rewards));
      for (const double reward : all.rewards) {
        seeds.x.push_back(grid.levels[level]);
        seeds.y.push_back(reward);
      }
    }
    plot.series.push_back(means);
    plot.series.push_back(seeds);
  }
  return plot;
}

}  // namespace

DifficultyGrid difficulty_grid(bool quick, int seeds) {
  DifficultyGrid grid{.cartpole = cartpole_grid(quick, false,
                                                seeds > 0 ? seeds
                                                : quick   ? 2
                                                          : 5),
                      .levels = quick ? std::vector{0, 10, 19} : std::vector{0, 5, 10, 15, 19}};
  grid.cartpole.steps = quick ? 1'000'000 : 3'000'000;
  return grid;
}

std::vector<Cell> difficulty_cells(const DifficultyGrid& grid) {
  std::vector<Cell> cells;
  const std::vector<Cell> plain = cartpole_cells(grid.cartpole, "");
  for (auto first = plain.begin(); first != plain.end(); first += grid.cartpole.seeds)
    for (const int level : grid.levels)
      for (auto cell = first; cell != first + grid.cartpole.seeds; ++cell) {
        cells.push_back(*cell);
        cells.back().name = fmt::format("difficulty={},{}", level, cell->name);
        for (std::string& setting : difficulty_settings(level)) cells.back().overrides.push_back(std::move(setting));
      }
  return cells;
}

FigureReport difficulty_report(std::span<const CartpoleRun> runs, const DifficultyGrid& grid) {
  FigureReport report{.title = "Neural EE-Politex on cartpole: from loose to strict rewards",
                      .introduction = fmt::format(
                          "The thresholds of the reward as bsuite varies them: {:.3g}M steps per run, {} seeds. "
                          "Everything else is as in the figure.",
                          1e-6 * static_cast<double>(grid.cartpole.steps), grid.cartpole.seeds)};
  if (grid.cartpole.quick) report.notice = "A quick version with fewer difficulties, seeds and steps.";
  report.pictures = {{"difficulty", "Reward per episode of the learned policy in the last tenth of the run.",
                      difficulty_plot(runs, grid)}};
  report.results.heading("Every difficulty");
  report.results.table(difficulty_table(runs, grid));
  const std::vector<Cell> cells = difficulty_cells(grid);
  report.example = run_command(cells.front());
  report.contents = "runs.csv has one row per run.";
  std::string csv = "variant,difficulty,seed,steps,learned_return_last_tenth\n";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto each = static_cast<std::size_t>(grid.cartpole.seeds);
    csv += fmt::format("{},{},{},{},{}\n", grid.cartpole.variants[runs[i].variant].name,
                       grid.levels[i / each % grid.levels.size()], runs[i].seed, grid.cartpole.steps,
                       csv_text(runs[i].final_return(grid.cartpole)));
  }
  report.files = {{"runs.csv", csv}};
  return report;
}

}  // namespace politex::inline figures
