#include "politex/figures/cartpole/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "politex/report/assets.hpp"
#include "politex/sweep/sweep.hpp"

namespace politex::inline figures {
namespace {

using Row = std::vector<Html>;

std::string millions(std::int64_t steps) { return fmt::format("{:.3g}M", 1e-6 * static_cast<double>(steps)); }

/// Mean over the runs that explore with the figure's own explorer; NaN without one.
double explorer_score(std::span<const CartpoleRun> runs, const CartpoleGrid& grid) {
  std::vector<double> scores;
  for (const CartpoleRun& run : runs)
    if (grid.variants[run.variant].explores && grid.variants[run.variant].of_figure())
      scores.push_back(run.explorer_return());
  return mean(scores);
}

Series seed_series(const CartpoleRun& run, const CartpoleGrid& grid) {
  // Seeds of one curve are shades of one colour, and dashed where there are more seeds than shades.
  constexpr std::array explored{"#0072B2", "#56B4E9", "#003C64", "#7FA8C9"};
  constexpr std::array plain{"#D55E00", "#E69F00", "#7A3500", "#D9A58A"};
  const CartpoleVariant& variant = grid.variants[run.variant];
  const std::size_t index = (run.seed - 1) % 1000, shade = index % explored.size();
  Series series;
  // The names of more seeds than shades would not fit next to the curves.
  if (static_cast<std::size_t>(grid.seeds) <= explored.size())
    series.label = fmt::format("{}, seed {}", variant.label, run.seed);
  else if (index == 0)
    series.label = fmt::format("{}, every seed", variant.label);
  series.look.colour = variant.explores ? explored[shade] : plain[shade];
  series.look.dashed = index >= explored.size();
  series.markers = false;
  for (const EpisodePoint& point : cartpole_curve(run, grid)) {
    series.x.push_back(1e-6 * static_cast<double>(point.step));
    series.y.push_back(point.reward);
  }
  return series;
}

/// The mean over the seeds, at the points that all of them have.
Series variant_series(std::span<const CartpoleRun> runs, const CartpoleGrid& grid, std::size_t variant) {
  Series series;
  series.label = grid.variants[variant].label;
  series.look = look(variant);
  series.markers = false;
  std::map<std::int64_t, std::vector<double>> points;
  for (const CartpoleRun& run : runs) {
    if (run.variant != variant) continue;
    for (const EpisodePoint& point : cartpole_curve(run, grid)) points[point.step].push_back(point.reward);
  }
  for (const auto& [step, rewards] : points) {
    if (rewards.size() < static_cast<std::size_t>(grid.seeds)) continue;
    series.x.push_back(1e-6 * static_cast<double>(step));
    series.y.push_back(mean(rewards));
  }
  return series;
}

HtmlTable seeds_table(std::span<const CartpoleRun> runs, const CartpoleGrid& grid) {
  HtmlTable table = new_table(
      "Reward per episode of the learned policy, by seed; ± is a 95% interval over the episodes of the last tenth (20 "
      "batch means). The first two columns leave out the explorer's episodes, the third has only these.",
      {"", "seed", "last tenth", "whole run", "explorer", "above it since", "phases"});
  for (const CartpoleRun& run : runs) {
    const CartpoleVariant& variant = grid.variants[run.variant];
    const Interval last = run.final_interval(grid);
    const std::int64_t since = passes_explorer_at(run, grid);
    table.rows.push_back(
        {variant.label, fmt::format("{}", run.seed),
         Html(number_text(last.mean, 1)) + Html::tag("small", fmt::format(" ± {}", number_text(last.half_width(), 1))),
         number_text(mean(run.learned(0, grid.steps)), 1), number_text(run.explorer_return(), 1),
         since > 0 ? fmt::format("step {}", millions(since)) : std::string("–"),
         number_text(summary_number(run.summary, "phases"), 0)});
  }
  return table;
}

HtmlTable cartpole_prototype_table() {
  return {.caption =
              "Reward per learned episode over the last 500,000 of 6M steps; other random numbers, Adam's ε 1e-4, P "
              "over the plain Qs.",
          .header = {"", "seed a", "seed b", "seed c"},
          .rows = {{"EE-Politex", "704", "762", "643"}, {"Politex", "−7.7", "−0.1", "−0.1"}},
          .words = false};
}

HtmlTable comparison_table(std::span<const CartpoleRun> runs, const CartpoleGrid& grid) {
  HtmlTable table = new_table(fmt::format("Reward per learned episode in the last tenth of {} steps, every seed; the "
                                          "explorer's own on average; the number of seeds that end above it.",
                                          millions(grid.steps)),
                              {""});
  for (int seed = 1; seed <= grid.seeds; ++seed) table.header.emplace_back(fmt::format("seed {}", seed));
  for (const char* name : {"mean", "explorer", "above it"}) table.header.emplace_back(name);
  for (std::size_t v = 0; v < grid.variants.size(); ++v) {
    Row row{Html(grid.variants[v].label) + Html::markup("<br>") +
            Html::tag("small", Html::tag("code", grid.variants[v].settings))};
    std::vector<double> finals, explorers;
    int passed = 0;
    for (const CartpoleRun& run : runs) {
      if (run.variant != v) continue;
      finals.push_back(run.final_return(grid));
      row.emplace_back(number_text(finals.back(), 0));
      explorers.push_back(run.explorer_return());
      if (finals.back() > explorers.back()) ++passed;
    }
    row.emplace_back(number_text(mean(finals), 0));
    row.emplace_back(number_text(mean(explorers), 0));
    row.emplace_back(std::isfinite(explorers.front()) ? fmt::format("{} of {}", passed, finals.size()) : "–");
    table.rows.push_back(row);
  }
  return table;
}

/// The seed that ended best.
const CartpoleRun* best_of(std::span<const CartpoleRun> runs, const CartpoleGrid& grid, std::size_t variant) {
  const CartpoleRun* best = nullptr;
  for (const CartpoleRun& run : runs) {
    if (run.variant != variant) continue;
    if (best == nullptr || run.final_return(grid) > best->final_return(grid)) best = &run;
  }
  return best;
}

void add_film(HtmlPage& page, std::span<const CartpoleRun> runs, const CartpoleGrid& grid) {
  page.heading("What they learned");
  std::string films;
  for (std::size_t v = 0; v < 2; ++v) {
    const CartpoleRun* run = best_of(runs, grid, v);
    if (run == nullptr) continue;
    const std::string label = fmt::format("{}, seed {}", grid.variants[v].label, run->seed);
    if (!films.empty()) films += ',';
    films += film_json(run->sample, label);
    double total = 0.0;
    for (const CartpoleFrame& frame : run->sample) total += frame.reward;
    constexpr int every = 25, frames = 18;
    page.figure(
        film_strip(run->sample, every, frames),
        fmt::format(
            "{}, the seed with the best last tenth: the first {:.2f} s of one episode of its final policy, from a "
            "start that was not used for training; the whole episode pays {}. The pole is blue where it earns reward.",
            label, 0.01 * every * (frames - 1), number_text(total, 1)));
  }
  page.add(Html::markup("<div id=\"animation\"></div>"));
  page.add(Html::markup(fmt::format("<script type=\"application/json\" id=\"films\">[{}]</script>", films)));
  page.add(Html::markup(fmt::format("<script>{}</script>", cartpole_js().text)));
}

void add_settings(HtmlPage& page, const CartpoleGrid& grid) {
  page.heading("Settings");
  page.add(definitions_html(
      {{"environment",
        "dm_control's cartpole swing-up physics, five observations, episodes of 1000 steps whose end is a truncation; "
        "bsuite's reward: 1 where cos(angle) > 0.5, |spin| < 1, |position| < 1; −0.1 for moving"},
       {"steps", fmt::format("{} per run, seeds 1 to {}", grid.steps, grid.seeds)},
       {"network", "5 inputs, one hidden layer of 512, dueling, 3 actions"},
       {"target",
        "expected SARSA under the phase's policy, n-step 10, differential: costs less the average cost, no discount; "
        "a restart comes after a step with probability 1/1000 (--compare has the target discounted by 0.995)"},
       {"learner",
        "Adam, rate 1e-3, ε 1e-3, gradient norm at most 40, batch 128, uniform replay of 1M, target copy every 200 "
        "learner steps, a learner step every 16 environment steps"},
       {"phases", "end after 100 √(all learner steps) learner steps; ring of 10 networks weighted by phase length"},
       {"step size", "SOLO FTRL, α = 10, P over the vectors that are summed"},
       {"exploration",
        "mini-phases of 1000 steps of the energy pump (swings up, does not balance), then whole episodes of the policy "
        "for √(phase) steps; Politex has none"}}));
  page.list(
      {"The paper describes averaged Q-values and defines P over the plain ones; here the Qs are summed and P is taken "
       "over the summed vectors, so that sum and average give the same policy. --compare compares the other choices.",
       "Adam's ε was chosen on 12 short seeds; docs/internals/decisions/007-adam-epsilon.md reports fresh seeds: with "
       "1e-4 Politex finds the reward on some of them.",
       "A policy is fixed for a phase, and a bad one lasts for the whole phase: hence the valleys. \"Above it since\" "
       "is the end of the last one.",
       "The curve is what the learned policy earned while learning, not a separate evaluation: its episodes follow the "
       "phase's fixed, stochastic policy."});
}

constexpr std::string_view film_style =
    "#animation{display:flex;flex-wrap:wrap;gap:1rem}#animation figure{flex:1 1 18rem;margin:.5rem 0}#animation "
    "canvas{width:100%;border:1px solid "
    "var(--line);border-radius:6px;background:#fff}.controls{display:flex;gap:.8rem;align-items:center}.controls "
    "input{flex:1}";

Plot cartpole_plot(std::span<const CartpoleRun> runs, const CartpoleGrid& grid) {
  Plot plot;
  plot.x_label = "environment steps, millions";
  plot.y_label = "reward per episode of the learned policy";
  plot.title = fmt::format("Cartpole swing-up{}: {}", grid.quick ? " (quick version)" : "",
                           grid.compare ? fmt::format("variants, means of {} seeds", grid.seeds) : "every seed");
  const double last = 1e-6 * static_cast<double>(grid.steps);
  plot.x_high = 1.12 * last;  // space for the name of the explorer's line
  const double explorer = explorer_score(runs, grid);
  if (std::isfinite(explorer)) plot.references.push_back({"explorer", {0.0, last}, {explorer, explorer}});
  if (grid.compare) {
    plot.width = 1100;
    for (std::size_t v = 0; v < grid.variants.size(); ++v) plot.series.push_back(variant_series(runs, grid, v));
  } else {
    for (const CartpoleRun& run : runs) plot.series.push_back(seed_series(run, grid));
  }
  return plot;
}

CartpoleGrid cartpole_grid_of(const FigureOptions& options) {
  return cartpole_grid(options.quick, options.compare, options.seeds);
}

std::vector<Cell> cartpole_cells_of(const FigureOptions& options) {
  std::vector<Cell> cells = options.difficulty ? difficulty_cells(difficulty_grid(options.quick, options.seeds))
                                               : cartpole_cells(cartpole_grid_of(options), options.out);
  // Several runs at a time keep the cores busy; a single one, such as the explorer's, uses the other cores to act.
  for (Cell& cell : cells)
    if (options.jobs > 1 && cell.stage == (options.compare ? 1 : 0)) cell.overrides.emplace_back("actors.threads=0");
  return cells;
}

FigureReport cartpole_report_of(const Finished& finished) {
  std::vector<CartpoleRun> runs;
  const auto read = [&](std::size_t variants, std::size_t each) {
    for (; runs.size() < variants * each;)
      runs.push_back(
          read_cartpole_run(finished.directory(runs.size()), runs.size() / each, finished.cells[runs.size()].seed));
  };
  if (finished.options.difficulty) {
    const DifficultyGrid grid = difficulty_grid(finished.options.quick, finished.options.seeds);
    read(grid.cartpole.variants.size(), grid.levels.size() * static_cast<std::size_t>(grid.cartpole.seeds));
    return difficulty_report(runs, grid);
  }
  const CartpoleGrid grid = cartpole_grid_of(finished.options);
  read(grid.variants.size(), static_cast<std::size_t>(grid.seeds));
  return cartpole_report(runs, grid);
}

}  // namespace

FigureReport cartpole_report(std::span<const CartpoleRun> runs, const CartpoleGrid& grid) {
  FigureReport report{.title = grid.compare ? "Neural EE-Politex on cartpole: a comparison of variants"
                                            : "Neural EE-Politex on sparse cartpole swing-up",
                      .introduction = fmt::format("The paper's cartpole experiment, reproduced: {} steps per run, "
                                                  "{} seeds from {} on. Rewards are negated costs; higher is better.",
                                                  millions(grid.steps), grid.seeds, runs.front().seed)};
  if (grid.quick)
    report.notice = fmt::format(
        "A quick version, not the figure: the first {} steps of its runs. The figure has 6M steps and ten seeds; "
        "omit --quick for it.",
        millions(grid.steps));
  if (!grid.compare) report.claims = cartpole_claims(runs, grid);
  report.pictures = {{"cartpole",
                      "Reward per episode of the learned policy, means over sixtieths of the run; the dotted line is "
                      "the reward of the explorer's own episodes.",
                      cartpole_plot(runs, grid)}};
  if (grid.compare) {
    report.results.heading("Comparison");
    report.results.table(comparison_table(runs, grid));
  }
  add_film(report.results, runs, grid);
  report.results.heading("Every seed");
  report.results.table(seeds_table(runs, grid));
  report.results.details("What the prototype of this project measured", table_html(cartpole_prototype_table()));
  add_settings(report.notes, grid);
  report.example = run_command(cartpole_cells(grid, "").front());
  report.contents = "runs.csv has one row per run, curves.csv every point of the figure.";
  report.style = film_style;
  report.files = {{"runs.csv", cartpole_csv(runs, grid)}, {"curves.csv", cartpole_curves_csv(runs, grid)}};
  return report;
}

Figure cartpole_figure() {
  return {.name = "cartpole",
          .help = "sparse cartpole swing-up: neural Politex with and without exploration, every seed, an animation",
          .cells = cartpole_cells_of,
          .report = cartpole_report_of,
          .compares = true,
          .difficulties = true};
}

}  // namespace politex::inline figures
