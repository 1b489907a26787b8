#include "politex/features/tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/saved.hpp"
#include "politex/features/coordinates.hpp"
#include "politex/features/features_entry.hpp"
#include "politex/features/on_axes.hpp"

namespace politex::inline features {
namespace {

/// Features up to which explorers learn about each of them.
constexpr std::int64_t few_enough_to_explore = 2000;

}  // namespace

Tiles::Tiles(std::vector<Range> ranges, const TilesOptions& options)
    : ranges_(std::move(ranges)), options_(options), positions_(ranges_.size()) {
  const auto groups = groups_of(options.groups, ranges_.size());
  const auto grids = static_cast<std::int64_t>(groups.size()) * options.tilings;
  const std::int64_t share = options.memory / grids;
  if (options.memory > 0 && share < 1)
    throw ConfigError{"features.memory", fmt::format("{} is less than one column for each of {} grids; accepted: 0, or "
                                                     "at least {}",
                                                     options.memory, grids, grids)};
  for (const auto& group : groups)
    for (std::int64_t tiling = 0; tiling < options.tilings; ++tiling) {
      Grid grid{.coordinates = group, .shifts = {}, .first = columns_};
      // Odd multiples of 1/tilings shift the grids differently in every coordinate.
      for (std::size_t k = 0; k < group.size(); ++k)
        grid.shifts.push_back(static_cast<double>((tiling * (2 * static_cast<std::int64_t>(k) + 1)) % options.tilings) /
                              static_cast<double>(options.tilings));
      const double cells = std::pow(static_cast<double>(options.tiles), static_cast<double>(group.size()));
      grid.hashed = options.memory > 0 && cells > static_cast<double>(share);
      grid.columns = grid.hashed
                         ? share
                         : number_of_features("features.tiles", options.tiles, group.size(), 1, most_sparse_features);
      columns_ += grid.columns;
      if (columns_ > most_sparse_features)
        throw ConfigError{"features.tiles",
                          fmt::format("{} per coordinate in {} grids makes more than {} features; accepted: a smaller "
                                      "number, or features.memory above 0",
                                      options.tiles, grids, most_sparse_features)};
      grids_.push_back(std::move(grid));
    }
  if (std::ranges::any_of(grids_, &Grid::hashed)) owners_.assign(static_cast<std::size_t>(columns_), 0);
}

int Tiles::cells() const { return columns_ > few_enough_to_explore ? static_cast<int>(grids_.back().columns) : 0; }

std::int64_t Tiles::hashed(const Grid& grid) const {
  std::uint64_t hash = 0x9e3779b97f4a7c15U;
  for (std::size_t k = 0; k < grid.coordinates.size(); ++k) {
    const auto cell =
        std::min(options_.tiles - 1, static_cast<std::int64_t>(positions_[grid.coordinates[k]] + grid.shifts[k]));
    hash = (hash ^ static_cast<std::uint64_t>(cell)) * 0xff51afd7ed558ccdU;
    hash ^= hash >> 29;
  }
  hash *= 0xc4ceb9fe1a85ec53U;
  const auto column = static_cast<std::int64_t>(((hash >> 32) * static_cast<std::uint64_t>(grid.columns)) >> 32);
  std::uint32_t& owner = owners_[static_cast<std::size_t>(grid.first + column)];
  const std::uint32_t own = (static_cast<std::uint32_t>(hash) | 2U) & ~1U;
  if (owner == 0)
    owner = own;
  else if ((owner & ~1U) != own)
    owner |= 1U;
  return column;
}

void Tiles::append(std::span<const double> observation, SparseRows& into) const {
  for (std::size_t k = 0; k < positions_.size(); ++k)
    positions_[k] = scaled(observation[k], ranges_[k]) * static_cast<double>(options_.tiles - 1);
  for (const Grid& grid : grids_) {
    std::int64_t cell = 0;
    if (grid.hashed) {
      cell = hashed(grid);
    } else {
      for (std::size_t k = 0; k < grid.coordinates.size(); ++k)
        cell =
            cell * options_.tiles +
            std::min(options_.tiles - 1, static_cast<std::int64_t>(positions_[grid.coordinates[k]] + grid.shifts[k]));
    }
    into.append(static_cast<int>(grid.first + cell), 1.0);
  }
  into.end_row();
}

Tiles::Use Tiles::use() const {
  Use use;
  for (const std::uint32_t owner : owners_) {
    use.used += owner != 0;
    use.shared += owner % 2;
  }
  return use;
}

std::string Tiles::remark() const {
  const Use seen = use();
  if (10 * seen.shared <= seen.used) return {};
  return fmt::format(
      "{} of the {} features in use have several tiles hashed to them: states that have nothing in common share "
      "weights "
      "there; a larger features.memory, fewer tiles or features.groups avoid it",
      seen.shared, seen.used);
}

void Tiles::save(ByteWriter& to) const {
  if (!owners_.empty()) to.put(owners_);
}

void Tiles::restore(ByteReader& from) {
  if (!owners_.empty()) from.get_sized(owners_, owners_.size(), "tiles");
}

const FeaturesEntry& tiles_entry() {
  static const FeaturesEntry entry{
      .name = "tiles",
      .help = "tile coding of the numbers of an observation",
      .keys = {key<&TilesOptions::tilings>("features.tilings", "number of shifted tilings", whole(1, 1024)),
               key<&TilesOptions::tiles>("features.tiles", "tiles along each axis", whole(1, 1024)),
               key<&TilesOptions::memory>("features.memory",
                                          "features of all tilings together, to which tiles are hashed where there are "
                                          "more of them; 0: one feature per tile",
                                          whole(0, static_cast<double>(most_sparse_features))),
               key<&TilesOptions::groups>("features.groups", groups_help, text())},
      .fits = has_numbers,
      .make = [](const FeaturesRequest& request) -> std::unique_ptr<FeatureMap> {
        const auto options = read<TilesOptions>(tiles_entry().keys, request.values);
        return on_numbers(request.space, request.model,
                          [&](const std::vector<Range>& ranges) { return std::make_unique<Tiles>(ranges, options); });
      },
      .lists_states = true};
  return entry;
}

}  // namespace politex::inline features
