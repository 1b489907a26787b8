#include "politex/lab/cartpole_claims.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace politex::lab {

namespace {

std::string at_seed(const CartpoleRun& run) { return fmt::format("seed {}", run.seed); }

Check never_finds(const CartpoleRun& run, const CartpoleGrid& grid) {
  const auto curve = cartpole_curve(run, grid);
  const auto best = std::ranges::max_element(curve, {}, &EpisodePoint::reward);
  return {"finds nothing", at_seed(run),
          fmt::format("its best stretch, up to step {}, pays {} an episode", best->step, number_text(best->reward, 1)),
          best->reward <= cartpole_nothing ? Answer::yes : Answer::no};
}

Check stands_still(const CartpoleRun& run, const CartpoleGrid& grid) {
  const Interval last = run.final_interval(grid);
  return {"stands still", at_seed(run), fmt::format("{} an episode in the last tenth", interval_text(last, 1)),
          is_within(last, -cartpole_nothing, cartpole_nothing)};
}

Check collects(const CartpoleRun& run, const CartpoleGrid& grid) {
  const Interval last = run.final_interval(grid);
  return {"collects the reward", at_seed(run), fmt::format("{} an episode in the last tenth", interval_text(last, 1)),
          is_above(last, cartpole_collects)};
}

Check passes(const CartpoleRun& run, const CartpoleGrid& grid) {
  const Interval last = run.final_interval(grid);
  const std::int64_t since = passes_explorer_at(run, grid);
  return {"passes its explorer", at_seed(run),
          fmt::format("{} in the last tenth against the explorer's {}; {}", interval_text(last, 1),
                      number_text(run.explorer_return(), 1),
                      since > 0 ? fmt::format("above it for good since step {}", since)
                                : std::string("not above it to the end")),
          is_above(last, run.explorer_return())};
}

}  // namespace

std::vector<Claim> cartpole_claims(std::span<const CartpoleRun> runs, const CartpoleGrid& grid) {
  Claim politex{.name = "(a)",
                .statement = "Politex without exploration never finds the reward and learns to stand still.",
                .criterion = fmt::format(
                    "For each seed: in no sixtieth of the run do the learned policy's episodes pay more than {0:.0f} "
                    "in the mean, and in the last tenth of the run they pay between -{0:.0f} and {0:.0f}. An upright "
                    "pole pays up to {1:.0f} an episode, moving at every step costs {2:.0f}.",
                    cartpole_nothing, cartpole_most, 0.1 * cartpole_most),
                .checks = {},
                .beside = {}};
  Claim explores{
      .name = "(b)",
      .statement = "EE-Politex learns to collect the reward and passes its explorer.",
      .criterion = fmt::format(
          "For each seed: in the last tenth of the run the learned policy's episodes pay more than {:.0f} in "
          "the mean, and more than the explorer's episodes of the same run.",
          cartpole_collects),
      .checks = {},
      .beside = {}};
  for (const CartpoleRun& run : runs) {
    const CartpoleVariant& variant = grid.variants[run.variant];
    if (variant.change != nullptr) continue;
    Claim& claim = variant.explores ? explores : politex;
    claim.checks.push_back(variant.explores ? collects(run, grid) : never_finds(run, grid));
  }
  for (const CartpoleRun& run : runs) {
    const CartpoleVariant& variant = grid.variants[run.variant];
    if (variant.change != nullptr) continue;
    Claim& claim = variant.explores ? explores : politex;
    claim.checks.push_back(variant.explores ? passes(run, grid) : stands_still(run, grid));
  }
  return {politex, explores};
}

}  // namespace politex::lab
