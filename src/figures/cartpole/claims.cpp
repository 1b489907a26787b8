#include "politex/figures/cartpole/figure.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace politex::inline figures {
namespace {

/// What one run says: a row of its own, and whether it agrees with the claim.
struct SeedResult {
  Check row;
  bool agrees = false;
};

std::string at_seed(const CartpoleRun& run) { return fmt::format("seed {}", run.seed); }

SeedResult never_finds(const CartpoleRun& run, const CartpoleGrid& grid) {
  const auto curve = cartpole_curve(run, grid);
  const auto best = std::ranges::max_element(curve, {}, &EpisodePoint::reward);
  return {
      {"finds nothing", at_seed(run),
       fmt::format("its best sixtieth, up to step {}, pays {} per episode", best->step, number_text(best->reward, 1))},
      best->reward <= cartpole_nothing};
}

std::string last_tenth_text(const CartpoleRun& run, const CartpoleGrid& grid) {
  return fmt::format("{} per episode in the last tenth", interval_text(run.final_interval(grid), 1));
}

SeedResult does_not_move(const CartpoleRun& run, const CartpoleGrid& grid) {
  return {{"does not move", at_seed(run), last_tenth_text(run, grid)},
          std::abs(run.final_return(grid)) <= cartpole_nothing};
}

SeedResult collects(const CartpoleRun& run, const CartpoleGrid& grid) {
  return {{"collects the reward", at_seed(run), last_tenth_text(run, grid)},
          run.final_return(grid) > cartpole_collects};
}

SeedResult passes(const CartpoleRun& run, const CartpoleGrid& grid) {
  const std::int64_t since = passes_explorer_at(run, grid);
  return {{"passes its explorer", at_seed(run),
           fmt::format("{} in the last tenth against the explorer's {}; {}", interval_text(run.final_interval(grid), 1),
                       number_text(run.explorer_return(), 1),
                       since > 0 ? fmt::format("stays above it from step {} on", since)
                                 : std::string("not above it at the end"))},
          run.final_return(grid) > run.explorer_return()};
}

/// One check that counts the seeds of one curve; the seeds are listed below the claim.
void add_count(Claim& claim, std::span<const CartpoleRun> runs, const CartpoleGrid& grid, bool explores,
               SeedResult (*result)(const CartpoleRun&, const CartpoleGrid&)) {
  std::int64_t agree = 0, seeds = 0;
  for (const CartpoleRun& run : runs) {
    const CartpoleVariant& variant = grid.variants[run.variant];
    if (!variant.of_figure() || variant.explores != explores) continue;
    SeedResult one = result(run, grid);
    ++seeds;
    agree += one.agrees ? 1 : 0;
    one.row.measured += one.agrees ? "" : " (not as claimed)";
    claim.also_measured.push_back(std::move(one.row));
  }
  if (seeds > 0)
    claim.checks.push_back(
        {claim.also_measured.back().subject, "", count_text(agree, seeds), most_succeed(agree, seeds)});
}

}  // namespace

std::vector<Claim> cartpole_claims(std::span<const CartpoleRun> runs, const CartpoleGrid& grid) {
  Claim politex = new_claim(
      "(a)", "Politex without exploration never finds the reward and learns not to move.",
      fmt::format("For more than half of all seeds: in every sixtieth of the run the learned policy's "
                  "episodes pay at most {0:.0f} on average; and in the last tenth of the run between -{0:.0f} "
                  "and {0:.0f}. An upright pole pays up to {1:.0f} per episode, moving at every step costs "
                  "{2:.0f}. No number of seeds can show \"never\": the counts are the result.",
                  cartpole_nothing, cartpole_most, 0.1 * cartpole_most));
  Claim explores =
      new_claim("(b)", "EE-Politex learns to collect the reward and passes its explorer.",
                fmt::format("For more than half of all seeds: in the last tenth of the run the learned policy's "
                            "episodes pay more than {:.0f} on average; and more than the explorer's episodes of the "
                            "same run.",
                            cartpole_collects));
  add_count(politex, runs, grid, false, never_finds);
  add_count(politex, runs, grid, false, does_not_move);
  add_count(explores, runs, grid, true, collects);
  add_count(explores, runs, grid, true, passes);
  return {politex, explores};
}

}  // namespace politex::inline figures
