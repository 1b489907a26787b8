#include "politex/lab/cartpole_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "politex/lab/assets.hpp"
#include "politex/lab/cartpole_claims.hpp"
#include "politex/lab/cartpole_film.hpp"
#include "politex/lab/claims_html.hpp"
#include "politex/lab/html.hpp"

namespace politex::lab {

namespace {

using Row = std::vector<Html>;

std::string millions(std::int64_t steps) { return fmt::format("{:.3g}M", 1e-6 * static_cast<double>(steps)); }

/// Mean over the runs that explore with the figure's own explorer; NaN without one.
double explorer_score(std::span<const CartpoleRun> runs, const CartpoleGrid& grid) {
  std::vector<double> scores;
  for (const CartpoleRun& run : runs)
    if (grid.variants[run.variant].explores && grid.variants[run.variant].change == nullptr)
      scores.push_back(run.explorer_return());
  return mean(scores);
}

Series seed_series(const CartpoleRun& run, const CartpoleGrid& grid) {
  // Shades of one colour are one curve; its seeds differ in dash as well where shades run out.
  constexpr std::array explored{"#0072B2", "#56B4E9", "#003C64", "#7FA8C9"};
  constexpr std::array plain{"#D55E00", "#E69F00", "#7A3500", "#D9A58A"};
  const CartpoleVariant& variant = grid.variants[run.variant];
  const std::size_t shade = (run.seed - 1) % explored.size();
  Series series;
  series.label = fmt::format("{}, seed {}", variant.label, run.seed);
  series.look.colour = variant.explores ? explored[shade] : plain[shade];
  series.look.dashed = run.seed > explored.size();
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
  HtmlTable table{.caption =
                      "Reward per episode of the learned policy, by seed; ± is a 95% interval over the episodes of "
                      "the last tenth (20 batch means). Episodes of the explorer are left out of the first two "
                      "columns and alone in the third.",
                  .header = {"", "seed", "last tenth", "whole run", "explorer", "above it for good since", "phases"},
                  .rows = {},
                  .words = false};
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
              "Reward per learned episode over the last 500,000 of 6M steps; other random numbers, Adam's ε 1e-4, "
              "P over the plain Qs.",
          .header = {"", "seed a", "seed b", "seed c"},
          .rows = {{"EE-Politex", "704", "762", "643"}, {"Politex", "−7.7", "−0.1", "−0.1"}},
          .words = false};
}

HtmlTable comparison_table(std::span<const CartpoleRun> runs, const CartpoleGrid& grid) {
  HtmlTable table{.caption = fmt::format("Reward per learned episode in the last tenth of {} steps, every seed; the "
                                         "explorer's own in the mean; the seeds that end above it.",
                                         millions(grid.steps)),
                  .header = {""},
                  .rows = {},
                  .words = false};
  for (int seed = 1; seed <= grid.seeds; ++seed) table.header.emplace_back(fmt::format("seed {}", seed));
  for (const char* name : {"mean", "explorer", "pass it"}) table.header.emplace_back(name);
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
  page.heading("What they learned, to look at");
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
    page.figure(film_strip(run->sample, every, frames),
                fmt::format("{}, the seed with the best last tenth: the first {:.2f} s of one episode of its final "
                            "policy, from a start of its own; the "
                            "whole episode pays {}. The pole is blue where it is paid for.",
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
        "dm_control's cartpole swing-up physics, five observations, episodes of 1000 steps whose end is a "
        "truncation; bsuite's reward: 1 where cos(angle) > 0.5, |spin| < 1, |position| < 1; −0.1 for a move"},
       {"steps", fmt::format("{} a run, seeds 1 to {}", grid.steps, grid.seeds)},
       {"network", "5 inputs, one hidden layer of 512, dueling, 3 actions"},
       {"target",
        "expected SARSA under the phase's policy, n-step 10, discount 0.995 (discounted, as the paper does in "
        "practice; the differential target is compared by --compare)"},
       {"learner",
        "Adam, rate 1e-3, ε 1e-3, gradient norm at most 40, batch 128, uniform replay of 1M, target copy every "
        "200 learner steps, a learner step every 16 environment steps"},
       {"phases", "end after 100 √(all learner steps) learner steps; ring of 10 networks weighted by phase length"},
       {"step size", "SOLO FTRL, α = 10, P over the vectors that are summed"},
       {"exploration",
        "mini-phases of 1000 steps of the energy pump (swings up, does not balance), then whole episodes of "
        "the policy for √(phase) steps; Politex has none"}}));
  page.list(
      {"The paper speaks of averaged Q-values and writes P over the plain ones; here the Qs are summed and P is taken "
       "over what is summed, so that sum and average give the same policy. The other choices are compared by "
       "--compare.",
       "Adam's ε was chosen on 12 short seeds; docs/decisions/007-adam-epsilon.md tells what fresh seeds said: with "
       "1e-4 "
       "Politex finds the reward on some.",
       "A policy is frozen for a phase, and a bad one costs a seed the whole of it: hence the valleys. \"Above it for "
       "good\" is the end of the last one.",
       "The curve is what the learned policy earned while learning, not an evaluation apart from it: its episodes "
       "follow the phase's frozen, stochastic policy."});
}

constexpr std::string_view film_style =
    "#animation{display:flex;flex-wrap:wrap;gap:1rem}#animation figure{flex:1 1 18rem;margin:.5rem 0}"
    "#animation canvas{width:100%;border:1px solid var(--line);border-radius:6px;background:#fff}"
    ".controls{display:flex;gap:.8rem;align-items:center}.controls input{flex:1}";

}  // namespace

Plot cartpole_plot(std::span<const CartpoleRun> runs, const CartpoleGrid& grid) {
  Plot plot;
  plot.x_label = "environment steps, millions";
  plot.y_label = "reward per episode of the learned policy";
  plot.title = fmt::format("Cartpole swing-up{}: {}", grid.quick ? " (quick look)" : "",
                           grid.compare ? fmt::format("variants, means of {} seeds", grid.seeds) : "every seed");
  const double last = 1e-6 * static_cast<double>(grid.steps);
  plot.x_high = 1.12 * last;  // room for the name of the explorer's line
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

std::string cartpole_html(const CartpoleReport& report) {
  const CartpoleGrid& grid = report.grid;
  HtmlPage page(grid.compare ? "Neural EE-Politex on cartpole: what the choices do"
                             : "Neural EE-Politex on sparse cartpole swing-up");
  page.paragraph(
      fmt::format("The paper's cartpole experiment, made again: {} steps a run, seeds 1 to {}. Rewards are negated "
                  "costs; higher is better.",
                  millions(grid.steps), grid.seeds));
  if (grid.quick)
    page.add(Html::tag("div",
                       fmt::format("A quick look, not the figure: the first {} steps of its runs. The figure has 6M "
                                   "steps and three seeds; drop --quick for it.",
                                   millions(grid.steps)),
                       "notice"));
  if (!report.claims.empty()) page.list(verdict_items(report.claims));
  page.figure(report.figure_svg,
              "Reward per episode of the learned policy, means over sixtieths of the run; the dotted line is what the "
              "explorer's own episodes earn. cartpole.svg and cartpole.png beside this page.");
  if (grid.compare) {
    page.heading("Comparison");
    page.table(comparison_table(report.runs, grid));
  }
  add_film(page, report.runs, grid);
  page.heading("Every seed");
  page.table(seeds_table(report.runs, grid));
  page.details("What the prototype of this project measured", table_html(cartpole_prototype_table()));
  if (!report.claims.empty()) {
    page.heading("The paper's claims");
    page.paragraph(verdict_rule("a seed's episodes, where one is given (20 batch means of the last tenth)"));
    for (const Claim& claim : report.claims) page.add(claim_html(claim));
  }
  add_settings(page, grid);
  page.heading("How it was made");
  page.code(fmt::format("{}\n\n# one run of it\npolitex run experiments/cartpole/ee_politex.toml seed=1{}",
                        report.command, grid.steps == 6'000'000 ? "" : fmt::format(" steps={}", grid.steps)));
  page.paragraph(
      fmt::format("runs.csv has one row per run, curves.csv every point of the figure, runs/ the runs themselves: "
                  "the command, said again, does only what is missing. politex {}.",
                  POLITEX_VERSION));
  return page.text(fmt::format("<style>{}</style>\n", film_style));
}

}  // namespace politex::lab
