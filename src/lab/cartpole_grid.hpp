// The runs behind the paper's cartpole figure: variants, seeds, their configurations and what they measured.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/base/statistics.hpp"
#include "politex/lab/config.hpp"
#include "politex/lab/episodes.hpp"
#include "politex/lab/sweep.hpp"

namespace politex::lab {

struct CartpoleVariant {
  std::string_view name;      // in runs.csv and in the names of the run directories
  std::string_view label;     // for people
  std::string_view settings;  // how it differs from the figure's curve, as `politex run` takes it
  bool explores = true;
  void (*change)(Config& config) = nullptr;  // nullptr: the curve of the figure itself
};

/// The two curves of the figure first (they are experiments/cartpole/<name>.toml), then what --compare puts beside
/// them.
std::span<const CartpoleVariant> cartpole_variants();

struct CartpoleGrid {
  std::span<const CartpoleVariant> variants;
  int seeds = 0;  // 1..seeds
  std::int64_t steps = 0;
  bool quick = false, compare = false;
};
CartpoleGrid cartpole_grid(bool quick, bool compare);

Config cartpole_config(const CartpoleVariant& variant, std::uint64_t seed, const CartpoleGrid& grid);
/// Trains the explorer of --compare, about ten seconds: experiments/cartpole/explorer.toml.
Config cartpole_explorer_config();
/// One run directory each, variants in their order, then seeds. `explorer` is the file of the trained explorer.
std::vector<SweepCell> cartpole_cells(const CartpoleGrid& grid, const std::filesystem::path& explorer);

/// One step of an episode that is shown.
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
  /// 20 batches of the last tenth's episodes, which depend on each other.
  Interval final_interval(const CartpoleGrid& grid) const;
};

/// Sixty bins of the run; those without an episode are left out.
std::vector<EpisodePoint> cartpole_curve(const CartpoleRun& run, const CartpoleGrid& grid);
/// The end of the first bin from which on the curve stays above the run's explorer; 0: it does not.
std::int64_t passes_explorer_at(const CartpoleRun& run, const CartpoleGrid& grid);

/// Reads what a finished run left in its directory; throws Error where that is not there.
CartpoleRun read_cartpole_run(const std::filesystem::path& directory, std::size_t variant, std::uint64_t seed);

/// One row per run; no times, so equal runs give equal bytes.
std::string cartpole_csv(std::span<const CartpoleRun> runs, const CartpoleGrid& grid);
/// Every point of every curve.
std::string cartpole_curves_csv(std::span<const CartpoleRun> runs, const CartpoleGrid& grid);

}  // namespace politex::lab
