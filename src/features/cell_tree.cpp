#include "politex/features/cell_tree.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "politex/base/error.hpp"
#include "politex/features/coordinates.hpp"

namespace politex::inline features {

CellTree::CellTree(std::vector<Range> ranges, int most_cells)
    : ranges_(std::move(ranges)), most_cells_(most_cells), nodes_(1) {}

void CellTree::reset() {
  nodes_.assign(1, Node{});
  cells_ = 1;
}

void CellTree::append_point(std::span<const double> observation, std::vector<float>& into) const {
  for (std::size_t k = 0; k < ranges_.size(); ++k)
    into.push_back(static_cast<float>(scaled(observation[k], ranges_[k])));
}

int CellTree::cell_of(std::span<const double> observation) const noexcept {
  const Node* node = nodes_.data();
  while (node->coordinate >= 0) {
    const auto k = static_cast<std::size_t>(node->coordinate);
    const bool below = static_cast<float>(scaled(observation[k], ranges_[k])) < node->threshold;
    node = nodes_.data() + node->below + (below ? 0 : 1);
  }
  return node->cell;
}

void CellTree::split(std::int32_t leaf, int coordinate, float threshold) {
  const auto first = static_cast<std::int32_t>(nodes_.size());
  Node& parent = nodes_[static_cast<std::size_t>(leaf)];
  const std::int32_t cell = parent.cell;
  parent = {.coordinate = coordinate, .threshold = threshold, .below = first, .cell = cell};
  nodes_.push_back({.coordinate = -1, .threshold = 0.0F, .below = -1, .cell = cell});
  nodes_.push_back({.coordinate = -1, .threshold = 0.0F, .below = -1, .cell = cells_});
  ++cells_;
}

void CellTree::save(ByteWriter& to) const { to.put(nodes_); }

void CellTree::restore(ByteReader& from) {
  std::vector<Node> nodes;
  from.get(nodes);
  const auto refuse = [] { return DamagedState("the tree of cells"); };
  // Splits are replayed, so that whatever was saved, the result is a tree.
  reset();
  if (nodes.empty() || nodes.size() % 2 == 0 || nodes.size() / 2 >= static_cast<std::size_t>(most_cells_))
    throw refuse();
  std::vector<std::pair<std::int32_t, std::int32_t>> splits;  // first child, node
  for (std::size_t k = 0; k < nodes.size(); ++k)
    if (nodes[k].coordinate >= 0) splits.emplace_back(nodes[k].below, static_cast<std::int32_t>(k));
  std::ranges::sort(splits);
  for (const auto& [child, node] : splits) {
    const Node& each = nodes[static_cast<std::size_t>(node)];
    if (child != static_cast<std::int32_t>(nodes_.size()) || node >= child || each.coordinate >= numbers() ||
        !std::isfinite(each.threshold))
      throw refuse();
    split(node, each.coordinate, each.threshold);
  }
  if (nodes_.size() != nodes.size()) throw refuse();
}

}  // namespace politex::inline features
