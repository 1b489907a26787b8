#include "politex/features/tree_features.hpp"

#include <algorithm>

#include "politex/features/additive.hpp"
#include "politex/features/features_entry.hpp"
#include "politex/features/tabular.hpp"

namespace politex::inline features {
namespace {

/// Cells of the grid along each number of an observation, if the user gives none: coarse, because the explorer visits
/// all of them.
std::int64_t usual_grid(std::size_t numbers) {
  return std::max<std::int64_t>(4, 24 / static_cast<std::int64_t>(std::max<std::size_t>(1, numbers)));
}

/// Along three and more axes most states are visited too seldom to learn anything from each alone.
bool too_many_for_a_table(const FiniteModel& model) {
  constexpr std::size_t few_axes = 2;
  constexpr int few_pairs = 2000;
  return model.axes.size() > few_axes && model.pairs() > few_pairs;
}

}  // namespace

TreeFeatures::TreeFeatures(const std::vector<Range>& ranges, std::int64_t bins, std::int64_t memory)
    : tree_(std::make_shared<CellTree>(ranges, static_cast<int>(memory))),
      grid_(ranges, bins > 0 ? bins : usual_grid(ranges.size()), memory) {}

void TreeFeatures::append(std::span<const double> observation, SparseRows& into) const {
  into.append(tree_->cell_of(observation), 1.0);
  into.append(tree_->most_cells() + grid_.cell(observation), 1.0);
  into.end_row();
}

const FeaturesEntry& tree_entry() {
  static const FeaturesEntry entry{
      .name = "tree",
      .help =
          "one per state and action where states are listed (additive, where they are more than 2,000 pairs along "
          "three "
          "or more axes); else one per cell of a tree, which the replay learner splits where it has many transitions "
          "that differ, and one per cell of a grid for the explorer",
      .keys = grid_keys(),
      .fits = [](const Space&, const FiniteModel*) { return true; },
      .make = [](const FeaturesRequest& request) -> std::unique_ptr<FeatureMap> {
        if (request.model != nullptr && too_many_for_a_table(*request.model))
          return std::make_unique<AdditiveFeatures>(*request.model);
        if (request.space.states > 0) return std::make_unique<TabularFeatures>(request.space.states);
        const auto options = read<GridOptions>(grid_keys(), request.values);
        return std::make_unique<TreeFeatures>(request.space.ranges, options.bins, options.memory);
      },
      .lists_states = true};
  return entry;
}

}  // namespace politex::inline features
