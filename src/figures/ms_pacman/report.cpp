#include "politex/figures/ms_pacman/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "politex/base/error.hpp"
#include "politex/sweep/sweep.hpp"

namespace politex::inline figures {
namespace {

constexpr std::string_view with_colour = "#0072B2", without_colour = "#D55E00", all_colour = "#56B4E9";

double thousands(std::int64_t steps) { return 1e-3 * static_cast<double>(steps); }

Series mean_series(std::string label, std::span<const GamePoint> curve, std::string_view colour, bool dashed,
                   bool banded) {
  Series series;
  series.label = std::move(label);
  series.look.colour = colour;
  series.look.dashed = dashed;
  series.markers = false;
  for (const GamePoint& point : curve) {
    series.x.push_back(thousands(point.step));
    series.y.push_back(point.score.mean);
    if (!banded) continue;
    series.low.push_back(std::max(point.score.low, 0.0));
    series.high.push_back(point.score.high);
  }
  return series;
}

bool enough_for_bands(const GameGrid& grid) { return static_cast<std::size_t>(grid.seeds) >= fewest_for_bands; }

std::string_view name_of(std::string_view policy) {
  return policy == "goals" ? "goal explorer" : policy == "sticky" ? "sticky random" : "uniformly random";
}

HtmlTable seeds_of(std::span<const GameRun> runs, const GameGrid& grid) {
  HtmlTable table = new_table(
      "Score per game. Last fifth: games of the learned policy that ended in the last fifth of the run. Points per "
      "1000 steps count the games of policy and explorer.",
      {"", "seed", "last fifth", "learned, whole run", "explorer", "points per 1000 steps", "learned games", "phases"});
  for (const GameRun& run : runs) {
    const auto learned = episode_rewards(run.episodes, Player::policy, 0, grid.steps);
    table.rows.push_back({game_variants()[run.variant].label, fmt::format("{}", run.seed),
                          number_text(run.final_score(grid), 0), number_text(mean(learned), 0),
                          number_text(run.explorer_score(), 0), number_text(run.points_a_thousand(grid), 0),
                          fmt::format("{}", learned.size()), number_text(summary_number(run.summary, "phases"), 0)});
  }
  return table;
}

HtmlTable explorer_table(const ExplorerFacts& facts) {
  HtmlTable table =
      new_table(fmt::format("Trained for {:.0f} steps on its own reward; it found {:.0f} positions in {:.0f} cells of "
                            "8 by 8 pixels. Each policy then played fresh games.",
                            facts.steps, facts.positions, facts.cells),
                {"", "random goals reached within 200 steps", "goals", "cells per game", "score per game", "games"});
  for (const ExplorerFacts::Line& line : facts.lines)
    table.rows.push_back({name_of(line.policy), number_text(line.reached, 3), number_text(line.goals, 0),
                          number_text(line.cells, 1), number_text(line.score, 0), number_text(line.games, 0)});
  return table;
}

void add_game_settings(HtmlPage& page, const GameGrid& grid) {
  page.heading("Settings");
  page.add(definitions_html(
      {{"environment",
        "Ms. Pac-Man of the Arcade Learning Environment, in separate processes: 128 bytes of RAM, 9 actions, each "
        "repeated for 4 frames; a new game after each game over is part of the continuing problem"},
       {"steps", fmt::format("{} per run, seeds 1 to {}, the same for both", grid.steps, grid.seeds)},
       {"cost", "−0.2 √(points / 10), and a lost life ends the value (not the problem)"},
       {"network", "128 inputs, one hidden layer of 512, dueling, 9 actions"},
       {"learner",
        "expected SARSA, n-step 5, discount 0.99, Adam 5e-4, target copy every 300 steps, replay of 300,000"},
       {"phases",
        "end after 20 √(all learner steps) learner steps (the paper's 100 would give three phases in a million steps); "
        "ring of 10 networks"},
       {"exploration", "games of the goal explorer and of the policy in turn, about one to one; Politex has none"}}));
}

constexpr std::string_view games_style =
    ".game{display:flex;flex-wrap:wrap;gap:.9rem;align-items:flex-start}.game .map{flex:1 1 "
    "17rem;max-width:21rem}.game .map svg{display:block;width:100%;height:auto;border-radius:6px}.film{flex:3 1 "
    "24rem;display:grid;grid-template-columns:repeat(6,1fr);gap:.6rem .4rem}@media "
    "(max-width:40rem){.film{flex-basis:100%;grid-template-columns:repeat(4,1fr)}}.film "
    "img{display:block;width:100%;height:auto}.film "
    "div{font-size:.78rem;line-height:1.3;color:var(--soft);font-variant-numeric:tabular-nums}";

/// The map and, next to it, the frames.
Html game_figure(const GoalPolicy& map, const ShownGame& game) {
  std::string frames;
  for (std::size_t i = 0; i < game.frames.size(); ++i) {
    const FilmFrame& frame = game.frames[i];
    const std::string score = number_text(frame.score, 0);
    frames += fmt::format(
        "<div><img src=\"data:image/png;base64,{}\" width=\"{}\" height=\"{}\" alt=\"the screen at step {}\"><b>{}</b> "
        "step {}<br>{} points</div>",
        base64(png(frame.picture)), frame.picture.width, frame.picture.height, frame.step, i + 1, frame.step, score);
  }
  std::string caption = fmt::format("{}: {}{} steps, {} points.", game.label, game.ended ? "" : "its first ",
                                    game.actions.size(), number_text(game.score(), 0));
  caption +=
      game.frames.empty() ? fmt::format(" No pictures: {}.", game.without) : fmt::format(" (film_{}.png)", game.name);
  const Html look = Html::tag("div", Html::markup(map_svg(map, game)), "map") +
                    (frames.empty() ? Html() : Html::tag("div", Html::markup(frames), "film"));
  return Html::tag("figure", Html::tag("div", look, "game") + Html::tag("figcaption", caption));
}

Plot game_plot(std::span<const GameRun> runs, const GameGrid& grid, const ExplorerFacts& explorer) {
  Plot plot;
  plot.title = fmt::format("Ms. Pac-Man{}: means of {} paired seeds{}", grid.quick ? " (quick version)" : "",
                           grid.seeds, enough_for_bands(grid) ? ", 95% intervals" : "");
  plot.x_label = "agent steps, thousands";
  plot.y_label = "score per game";
  const double last = thousands(grid.steps);
  plot.x_high = 1.2 * last;  // space for the names of the lines
  for (const ExplorerFacts::Line& line : explorer.lines)
    if (std::isfinite(line.score))
      plot.references.push_back({std::string(name_of(line.policy)), {0.0, last}, {line.score, line.score}});
  const bool banded = enough_for_bands(grid);
  plot.series.push_back(
      mean_series("EE-Politex, learned games", game_curve(runs, 0, Player::policy, grid), with_colour, false, banded));
  plot.series.push_back(
      mean_series("EE-Politex, all games", game_curve(runs, 0, everybody, grid), all_colour, true, banded));
  plot.series.push_back(
      mean_series("Politex", game_curve(runs, 1, Player::policy, grid), without_colour, false, banded));
  return plot;
}

Plot game_seeds_plot(std::span<const GameRun> runs, const GameGrid& grid) {
  Plot plot;
  plot.title = "Every seed: the learned policy's games";
  plot.x_label = "agent steps, thousands";
  plot.y_label = "score per game";
  for (const GameRun& run : runs) {
    Series series;
    series.label = fmt::format("{}, seed {}", game_variants()[run.variant].label, run.seed);
    series.look = look(run.seed);
    series.look.colour = run.variant == 0 ? with_colour : without_colour;
    series.look.width = 1.0;
    series.look.dashed = run.seed % 2 == 0;
    for (const EpisodePoint& point : episode_curve(run.episodes, Player::policy, grid.steps, 15)) {
      series.x.push_back(thousands(point.step));
      series.y.push_back(point.reward);
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

}  // namespace

ExplorerFacts read_explorer_facts(const std::string& summary) {
  try {
    const auto json = nlohmann::ordered_json::parse(summary);
    ExplorerFacts facts;
    facts.positions = json.at("places");
    facts.cells = json.at("cells");
    facts.steps = json.at("steps");
    const auto number = [](const auto& value) { return value.is_null() ? std::nan("") : value.template get<double>(); };
    for (const auto& [policy, each] : json.at("goals").items())
      facts.lines.push_back({policy, number(each.at("reached")), number(each.at("cells_a_game")),
                             number(each.at("score_a_game")), number(each.at("goals")), number(each.at("games"))});
    return facts;
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("the summary of the explorer's training is damaged: {}", error.what()));
  }
}

std::string map_svg(const GoalPolicy& map, const ShownGame& game) {
  constexpr int scale = 2, margin = 10;
  int right = 0, bottom = 0, left = 255, top = 255;
  for (const Spot& spot : map.positions) {
    right = std::max(right, spot.x);
    bottom = std::max(bottom, spot.y);
    left = std::min(left, spot.x);
    top = std::min(top, spot.y);
  }
  const auto x = [&](int column) { return scale * (column - left) + margin; };
  const auto y = [&](int row) { return scale * (row - top) + margin; };
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" style=\"max-width:{}px\" role=\"img\" "
      "aria-label=\"{}\"><rect width=\"100%\" height=\"100%\" fill=\"#101428\"/>",
      x(right) + margin, y(bottom) + margin, x(right) + margin, "the way of one game through the maze");
  svg += "<g fill=\"#3a4470\">";
  for (const Spot& spot : map.positions)
    svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"3\" height=\"3\"/>", x(spot.x) - 1, y(spot.y) - 1);
  svg += "</g>";
  // No line for a jump (a tunnel, a new life).
  constexpr int farthest = 12;
  const auto steps = static_cast<double>(std::max<std::size_t>(game.spots.size(), 2) - 1);
  for (std::size_t t = 1; t < game.spots.size(); ++t) {
    const Spot from = game.spots[t - 1], to = game.spots[t];
    if (from == to || std::abs(from.x - to.x) + std::abs(from.y - to.y) > farthest) continue;
    const double share = static_cast<double>(t) / steps;
    svg += fmt::format(
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"hsl({:.0f} 90% {:.0f}%)\" stroke-width=\"3\" "
        "stroke-linecap=\"round\"/>",
        x(from.x), y(from.y), x(to.x), y(to.y), 20.0 + 40.0 * share, 40.0 + 40.0 * share);
  }
  int number = 0;
  for (const FilmFrame& frame : game.frames) {
    const Spot spot = game.spots.at(frame.step);
    svg += fmt::format(
        "<circle cx=\"{0}\" cy=\"{1}\" r=\"7\" fill=\"#ffffff\" stroke=\"#101428\"/><text x=\"{0}\" y=\"{2}\" "
        "font-size=\"9\" font-family=\"DejaVu Sans, sans-serif\" text-anchor=\"middle\" fill=\"#101428\">{3}</text>",
        x(spot.x), y(spot.y), y(spot.y) + 3, ++number);
  }
  return svg + "</svg>";
}

FigureReport game_report(std::span<const GameRun> runs, const GameGrid& grid, const GameShow& show) {
  FigureReport report{.title = "Neural EE-Politex on Ms. Pac-Man",
                      .introduction = fmt::format(
                          "The paper's Atari experiment, reproduced in the Arcade Learning Environment: {} agent steps "
                          "per run (four frames each), {} pairs of seeds. Scores are the game's points.",
                          grid.steps, grid.seeds)};
  if (grid.quick)
    report.notice = fmt::format(
        "A quick version, not the figure: {} steps and {} pairs of seeds, too few to learn much or to judge anything. "
        "Omit --quick for the figure.",
        grid.steps, grid.seeds);
  else if (!grid.long_run)
    report.notice =
        "The short preset: 150,000 steps per run. The paper's runs are far longer; --long makes 1.2 million steps.";
  report.claims = game_claims(runs, grid);
  report.intervals_over = "the pairs of seeds";
  report.pictures = {
      {"ms_pacman",
       "Score per game in thirtieths of the run, means over the seeds (with 95% intervals where there are six or "
       "more; with fewer, see every seed below). Dotted: scores of the goal explorer, of uniformly random and of "
       "sticky random actions.",
       game_plot(runs, grid, show.explorer)},
      {"seeds", "Every seed, learned games, fifteenths of the run.", game_seeds_plot(runs, grid)}};
  if (!show.games.empty()) {
    report.results.heading("Sample games");
    report.results.paragraph(
        "The way through the maze, from dark to light, and the screen at the numbered places, evenly spread over the "
        "player's moves. Each game was played in an environment that was not used for training, and a second time, "
        "action by action, for its pictures. The console draws two or three of the four ghosts in a frame.");
  }
  for (const ShownGame& game : show.games) report.results.add(game_figure(show.map, game));
  report.results.heading("The exploration policy");
  report.results.table(explorer_table(show.explorer));
  report.results.heading("Every seed");
  report.results.table(seeds_of(runs, grid));
  add_game_settings(report.notes, grid);
  report.example =
      fmt::format("politex run experiments/ms_pacman/ee_politex.toml explorer.file=explorer.policy steps={} seed={}",
                  grid.steps, first_judged_seed);
  report.contents = "runs.csv has one row per run, curves.csv every point.";
  report.style = games_style;
  report.files = {{"runs.csv", game_csv(runs, grid)}, {"curves.csv", game_curves_csv(runs, grid)}};
  for (const ShownGame& game : show.games)
    if (!game.frames.empty()) report.files.push_back({"film_" + game.name + ".png", png(strip_of(game.frames))});
  return report;
}

}  // namespace politex::inline figures
