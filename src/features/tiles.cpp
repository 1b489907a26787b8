#include "politex/features/tiles.hpp"

#include <algorithm>

#include "politex/features/coordinates.hpp"
#include "politex/features/features_entry.hpp"
#include "politex/features/on_axes.hpp"

namespace politex::inline features {

Tiles::Tiles(std::vector<Range> ranges, std::int64_t tilings, std::int64_t tiles)
    : ranges_(std::move(ranges)), tilings_(tilings), tiles_(tiles) {
  cells_ = number_of_features("features.tiles", tiles, ranges_.size(), tilings) / tilings;
}

void Tiles::append(std::span<const double> observation, SparseRows& into) const {
  for (std::int64_t tiling = 0; tiling < tilings_; ++tiling) {
    std::int64_t cell = 0;
    for (std::size_t k = 0; k < ranges_.size(); ++k) {
      // Odd multiples of 1/tilings shift the grids differently in every coordinate.
      const auto shift = static_cast<double>((tiling * (2 * static_cast<std::int64_t>(k) + 1)) % tilings_) /
                         static_cast<double>(tilings_);
      const double position = scaled(observation[k], ranges_[k]) * static_cast<double>(tiles_ - 1) + shift;
      cell = cell * tiles_ + std::min(tiles_ - 1, static_cast<std::int64_t>(position));
    }
    into.append(static_cast<int>(tiling * cells_ + cell), 1.0);
  }
  into.end_row();
}

namespace {

struct TilesOptions {
  std::int64_t tilings = 8, tiles = 8;
};

}  // namespace

const FeaturesEntry& tiles_entry() {
  static const FeaturesEntry entry{
      .name = "tiles",
      .help = "tile coding of the numbers of an observation",
      .keys = {key<&TilesOptions::tilings>("features.tilings", "number of shifted tilings", whole(1, 1024)),
               key<&TilesOptions::tiles>("features.tiles", "tiles along each axis", whole(1, 1024))},
      .fits = has_numbers,
      .make = [](const FeaturesRequest& request) -> std::unique_ptr<FeatureMap> {
        const auto options = read<TilesOptions>(tiles_entry().keys, request.values);
        return on_numbers(request.space, request.model, [&](const std::vector<Range>& ranges) {
          return std::make_unique<Tiles>(ranges, options.tilings, options.tiles);
        });
      },
      .lists_states = true};
  return entry;
}

}  // namespace politex::inline features
