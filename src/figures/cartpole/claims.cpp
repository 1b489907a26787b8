#include "politex/figures/cartpole/figure.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace politex::inline figures {
namespace {

std::string at_seed(const CartpoleRun& run) { return fmt::format("seed {}", run.seed); }

Check never_finds(const CartpoleRun& run, const CartpoleGrid& grid) {
  const auto curve = cartpole_curve(run, grid);
  const auto best = std::ranges::max_element(curve, {}, &EpisodePoint::reward);
  return {
      "finds nothing", at_seed(run),
      fmt::format("its best sixtieth, up to step {}, pays {} per episode", best->step, number_text(best->reward, 1)),
      best->reward <= cartpole_nothing ? Answer::yes : Answer::no};
}

Check does_not_move(const CartpoleRun& run, const CartpoleGrid& grid) {
  const Interval last = run.final_interval(grid);
  return {"does not move", at_seed(run), fmt::format("{} per episode in the last tenth", interval_text(last, 1)),
          is_within(last, -cartpole_nothing, cartpole_nothing)};
}

Check collects(const CartpoleRun& run, const CartpoleGrid& grid) {
  const Interval last = run.final_interval(grid);
  return {"collects the reward", at_seed(run), fmt::format("{} per episode in the last tenth", interval_text(last, 1)),
          is_above(last, cartpole_collects)};
}

Check passes(const CartpoleRun& run, const CartpoleGrid& grid) {
  const Interval last = run.final_interval(grid);
  const std::int64_t since = passes_explorer_at(run, grid);
  return {"passes its explorer", at_seed(run),
          fmt::format("{} in the last tenth against the explorer's {}; {}", interval_text(last, 1),
                      number_text(run.explorer_return(), 1),
                      since > 0 ? fmt::format("stays above it from step {} on", since)
                                : std::string("not above it at the end")),
          is_above(last, run.explorer_return())};
}

}  // namespace

std::vector<Claim> cartpole_claims(std::span<const CartpoleRun> runs, const CartpoleGrid& grid) {
  Claim politex =
      new_claim("(a)", "Politex without exploration never finds the reward and learns not to move.",
                fmt::format("For each seed: in every sixtieth of the run the learned policy's episodes pay at most "
                            "{0:.0f} on average, and in the last tenth of the run between -{0:.0f} and {0:.0f}. An "
                            "upright pole pays up to {1:.0f} per episode, moving at every step costs {2:.0f}.",
                            cartpole_nothing, cartpole_most, 0.1 * cartpole_most));
  Claim explores =
      new_claim("(b)", "EE-Politex learns to collect the reward and passes its explorer.",
                fmt::format("For each seed: in the last tenth of the run the learned policy's episodes pay more than "
                            "{:.0f} on average, and more than the explorer's episodes of the same run.",
                            cartpole_collects));
  for (const bool first : {true, false})
    for (const CartpoleRun& run : runs) {
      const CartpoleVariant& variant = grid.variants[run.variant];
      if (!variant.of_figure()) continue;
      if (variant.explores)
        explores.checks.push_back(first ? collects(run, grid) : passes(run, grid));
      else
        politex.checks.push_back(first ? never_finds(run, grid) : does_not_move(run, grid));
    }
  return {politex, explores};
}

}  // namespace politex::inline figures
