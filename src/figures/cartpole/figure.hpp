// The paper's cartpole figure: neural Politex with and without exploration, ten seeds, six million steps each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/base/statistics.hpp"
#include "politex/figures/figure.hpp"
#include "politex/record/episodes.hpp"

namespace politex::inline figures {

struct CartpoleVariant {
  std::string_view name;      // in runs.csv and in the names of the run directories
  std::string_view label;     // for people
  std::string_view settings;  // overrides, as on the command line of `politex run`; none for the figure's own curves
  bool explores = true;       // its runs are experiments/cartpole/ee_politex.toml, or else politex.toml
  bool of_figure() const { return settings.empty(); }
};

/// The two curves of the figure first, then the variants of --compare.
std::span<const CartpoleVariant> cartpole_variants();

struct CartpoleGrid {
  std::span<const CartpoleVariant> variants;
  int seeds = 0;  // from first_judged_seed on
  std::int64_t steps = 0;
  bool quick = false, compare = false;
};
/// `seeds` 0: the figure's own number.
CartpoleGrid cartpole_grid(bool quick, bool compare, int seeds = 0);

/// Variants in their order, then seeds. With --compare these are followed by the training of an explorer, about ten
/// seconds, which is an earlier stage: one variant explores with the policy that it writes below `directory`.
std::vector<Cell> cartpole_cells(const CartpoleGrid& grid, const std::filesystem::path& directory);

/// --difficulty: the figure's two curves for several difficulties of bsuite, which demand a pole with cos(angle) above
/// n/20 and a cart within 1 - n/20 of the middle.
struct DifficultyGrid {
  CartpoleGrid cartpole;
  std::vector<int> levels;  // n, 0 to 19
};
DifficultyGrid difficulty_grid(bool quick, int seeds = 0);
/// Variants in their order, then levels, then seeds.
std::vector<Cell> difficulty_cells(const DifficultyGrid& grid);

/// One step of a sample episode.
struct CartpoleFrame {
  double position = 0.0, angle = 0.0;  // 0: upright
  int action = 0;
  double reward = 0.0;
};

struct CartpoleRun {
  std::size_t variant = 0;  // of the grid
  std::uint64_t seed = 0;
  std::vector<neural::Episode> episodes;
  std::vector<CartpoleFrame> sample;  // an episode of the final policy
  std::string summary;                // the text of summary.json

  /// Returns of the episodes that the learned policy played alone and that ended after `from` and by `to`.
  std::vector<double> learned(std::int64_t from, std::int64_t to) const;
  /// Mean over the last tenth of the steps.
  double final_return(const CartpoleGrid& grid) const;
  double explorer_return() const;
  /// By 20 batch means of the last tenth's episodes, which are not independent.
  Interval final_interval(const CartpoleGrid& grid) const;
};

/// Sixty bins of the run; bins without an episode are left out.
std::vector<EpisodePoint> cartpole_curve(const CartpoleRun& run, const CartpoleGrid& grid);
/// The end of the first bin after which the curve stays above the run's explorer; 0: it does not.
std::int64_t passes_explorer_at(const CartpoleRun& run, const CartpoleGrid& grid);

/// Reads what a finished run left in its directory; throws Error where that is not there.
CartpoleRun read_cartpole_run(const std::filesystem::path& directory, std::size_t variant, std::uint64_t seed);

/// One row per run; no times, so equal runs give equal bytes.
std::string cartpole_csv(std::span<const CartpoleRun> runs, const CartpoleGrid& grid);
/// Every point of every curve.
std::string cartpole_curves_csv(std::span<const CartpoleRun> runs, const CartpoleGrid& grid);

/// There are no claims with --compare.
FigureReport cartpole_report(std::span<const CartpoleRun> runs, const CartpoleGrid& grid);
/// `runs` are those of difficulty_cells(grid), in its order.
FigureReport difficulty_report(std::span<const CartpoleRun> runs, const DifficultyGrid& grid);

/// An upright pole pays 1 per step, so an episode can pay at most this.
constexpr double cartpole_most = 1000.0;
/// "Nothing": at most a hundredth of it, found or paid. Moving at every step costs a tenth.
constexpr double cartpole_nothing = 0.01 * cartpole_most;
/// "Collects the reward": at least a tenth of it.
constexpr double cartpole_collects = 0.1 * cartpole_most;

/// Claims (a) and (b), from runs of the figure's two curves.
std::vector<Claim> cartpole_claims(std::span<const CartpoleRun> runs, const CartpoleGrid& grid);

/// An SVG of one row of frames, `every` steps apart from the start; frames that pay have a coloured pole.
std::string film_strip(std::span<const CartpoleFrame> frames, int every, int count);

/// The data of an animation, for the script of the page: {"label":..., "x":[...], "angle":[...], ...}.
std::string film_json(std::span<const CartpoleFrame> frames, std::string_view label);

/// Its entry in the catalogue.
Figure cartpole_figure();

}  // namespace politex::inline figures
