#include "politex/features/on_axes.hpp"

#include <algorithm>

#include "politex/env/structure.hpp"

namespace politex::inline features {

std::vector<std::vector<int>> state_axes(const FiniteModel& model) {
  if (!model.axes.empty()) return model.axes;
  int columns = 0;
  if (model.layout == Layout::line) columns = model.states;
  if (model.layout == Layout::grid) columns = model.size;
  if (columns == 0 && model.structure != nullptr && model.structure->map) columns = model.structure->map->columns;
  if (columns == 0) return {};
  std::vector<std::vector<int>> axes(columns < model.states ? 2 : 1);
  for (int x = 0; x < model.states; ++x) {
    axes.back().push_back(x % columns);
    if (axes.size() == 2) axes.front().push_back(x / columns);
  }
  return axes;
}

std::vector<Range> axis_ranges(const std::vector<std::vector<int>>& axes) {
  std::vector<Range> ranges;
  for (const auto& axis : axes) ranges.push_back({0.0, std::max(1.0, static_cast<double>(std::ranges::max(axis)))});
  return ranges;
}

}  // namespace politex::inline features
