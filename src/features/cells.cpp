#include "politex/features/cells.hpp"

#include <algorithm>
#include <cmath>

#include "politex/features/coordinates.hpp"
#include "politex/features/features_entry.hpp"
#include "politex/features/tabular.hpp"

namespace politex::inline features {
namespace {

/// Mixes the bits of a cell's number (the finaliser of MurmurHash3), so that neighbours do not collide in rows.
std::uint64_t mixed(std::uint64_t number) noexcept {
  number ^= number >> 33;
  number *= 0xff51afd7ed558ccdULL;
  number ^= number >> 33;
  number *= 0xc4ceb9fe1a85ec53ULL;
  return number ^ (number >> 33);
}

/// Cells along each number of an observation, if the user gives none: about 1600 in all for one or two numbers, and
/// coarser cells for more.
std::int64_t usual_bins(std::size_t numbers) {
  return std::max<std::int64_t>(5, numbers <= 2 ? 40 : std::llround(40.0 / static_cast<double>(numbers)));
}

}  // namespace

Cells::Cells(std::vector<Range> ranges, std::int64_t bins, std::int64_t memory)
    : ranges_(std::move(ranges)), bins_(bins > 0 ? bins : usual_bins(ranges_.size())) {
  const double all = std::pow(static_cast<double>(bins_), static_cast<double>(ranges_.size()));
  hashed_ = all > static_cast<double>(memory);
  columns_ = static_cast<int>(hashed_ ? memory : std::llround(all));
}

int Cells::cell(std::span<const double> observation) const noexcept {
  std::uint64_t cell = 0;
  for (std::size_t k = 0; k < ranges_.size(); ++k) {
    const double position = scaled(observation[k], ranges_[k]) * static_cast<double>(bins_);
    cell = cell * static_cast<std::uint64_t>(bins_) +
           static_cast<std::uint64_t>(std::min(bins_ - 1, static_cast<std::int64_t>(position)));
  }
  if (hashed_) cell = mixed(cell) % static_cast<std::uint64_t>(columns_);
  return static_cast<int>(cell);
}

void Cells::append(std::span<const double> observation, SparseRows& into) const {
  into.append(cell(observation), 1.0);
  into.end_row();
}

Keys grid_keys() {
  return {key<&GridOptions::bins>("features.bins",
                                  "cells of the grid along each number of an observation; 0: fewer for more numbers "
                                  "(of one or two 40, with the tree 24 divided by their number)",
                                  whole(0, 1'000'000)),
          key<&GridOptions::memory>("features.memory", "largest number of cells; more are hashed into these",
                                    whole(1, 10'000'000))};
}

const FeaturesEntry& cells_entry() {
  static const FeaturesEntry entry{
      .name = "cells",
      .help = "one per state and action where states are listed; else one per cell of a grid over the observation",
      .keys = grid_keys(),
      .fits = [](const Space&, const FiniteModel*) { return true; },
      .make = [](const FeaturesRequest& request) -> std::unique_ptr<FeatureMap> {
        if (request.space.states > 0) return std::make_unique<TabularFeatures>(request.space.states);
        const auto options = read<GridOptions>(grid_keys(), request.values);
        return std::make_unique<Cells>(request.space.ranges, options.bins, options.memory);
      },
      .lists_states = true};
  return entry;
}

}  // namespace politex::inline features
