#include "politex/value/tree_growth.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace politex::inline value {
namespace {

constexpr std::size_t most_transitions = 120;
constexpr double most_first_cells = 256.0;
constexpr float narrowest = 1.0F / 256.0F;  // cells narrower than this are not split
/// The weight of a number's width, as a share of the squared scale of costs.
constexpr double width_weight = 1e-6;

struct SideSums {
  double count = 0.0, sum = 0.0, squares = 0.0;
  double deviation() const noexcept { return count > 0.0 ? squares - sum * sum / count : 0.0; }
};

class Growth {
 public:
  Growth(CellTree& tree, const StoredPoints& points, int actions, std::span<const double> targets, double spread)
      : tree_(tree),
        points_(points),
        targets_(targets),
        scale_(spread * spread),
        first_width_(1.0F / static_cast<float>(widest_share(tree.numbers()))),
        sides_(2 * static_cast<std::size_t>(actions)) {}

  /// Splits a leaf, and what becomes of it; `low` and `high` are its corners.
  void split(std::int32_t leaf, std::span<std::int32_t> members, std::vector<float>& low, std::vector<float>& high) {
    if (members.empty() || tree_.full()) return;
    Cut cut = wide(low, high);
    if (cut.coordinate < 0 && members.size() > most_transitions) cut = best(members);
    if (cut.coordinate < 0) return;
    const auto k = static_cast<std::size_t>(cut.coordinate);
    const auto above = std::stable_partition(members.begin(), members.end(), [&](std::int32_t i) {
      return points_.point(static_cast<std::size_t>(i))[k] < cut.threshold;
    });
    const auto count = static_cast<std::size_t>(above - members.begin());
    tree_.split(leaf, cut.coordinate, cut.threshold);
    const std::int32_t child = tree_.nodes()[static_cast<std::size_t>(leaf)].below;
    const float left = low[k], right = high[k];
    high[k] = cut.threshold;
    split(child, members.first(count), low, high);
    high[k] = right;
    low[k] = cut.threshold;
    split(child + 1, members.subspan(count), low, high);
    low[k] = left;
  }

 private:
  struct Cut {
    int coordinate = -1;
    float threshold = 0.0F;
  };

  Cut wide(std::span<const float> low, std::span<const float> high) const {
    Cut cut;
    float most = first_width_;
    for (std::size_t k = 0; k < low.size(); ++k)
      if (const float width = high[k] - low[k]; width > most) {
        most = width;
        cut = {.coordinate = static_cast<int>(k), .threshold = low[k] + width / 2};
      }
    return cut;
  }

  Cut best(std::span<const std::int32_t> members) {
    const auto n = static_cast<double>(members.size());
    double centre = 0.0;
    for (const std::int32_t i : members) centre += targets_[static_cast<std::size_t>(i)];
    centre /= n;
    Cut cut;
    double most = 0.0;
    for (int k = 0; k < tree_.numbers(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      double total = 0.0;
      float least = 2.0F, largest = -1.0F;
      for (const std::int32_t i : members) {
        const float x = points_.point(static_cast<std::size_t>(i))[at];
        least = std::min(least, x);
        largest = std::max(largest, x);
        total += static_cast<double>(x);
      }
      const auto mean = static_cast<float>(total / n);
      if (largest - least < narrowest || mean <= least) continue;
      const auto width = static_cast<double>(largest - least);
      const double gain =
          scale_ > 0.0 ? reduction(members, at, mean, centre) / n + width_weight * scale_ * width : width;
      if (gain > most) {
        most = gain;
        cut = {.coordinate = k, .threshold = mean};
      }
    }
    return cut;
  }

  /// By how much a cut reduces the squared deviations of the targets from the mean of their action.
  double reduction(std::span<const std::int32_t> members, std::size_t coordinate, float threshold, double centre) {
    const std::size_t actions = sides_.size() / 2;
    std::ranges::fill(sides_, SideSums{});
    for (const std::int32_t each : members) {
      const auto i = static_cast<std::size_t>(each);
      const double target = targets_[i] - centre;
      SideSums& side =
          sides_[static_cast<std::size_t>(points_.taken(i)) + (points_.point(i)[coordinate] < threshold ? 0 : actions)];
      side.count += 1.0;
      side.sum += target;
      side.squares += target * target;
    }
    double reduced = 0.0;
    for (std::size_t a = 0; a < actions; ++a) {
      const SideSums &below = sides_[a], &above = sides_[actions + a];
      const SideSums both{below.count + above.count, below.sum + above.sum, below.squares + above.squares};
      reduced += both.deviation() - below.deviation() - above.deviation();
    }
    return reduced;
  }

  CellTree& tree_;
  const StoredPoints& points_;
  std::span<const double> targets_;
  double scale_;
  float first_width_;
  std::vector<SideSums> sides_;
};

}  // namespace

int widest_share(int numbers) {
  int share = 256;
  while (share > 1 && std::pow(static_cast<double>(share), numbers) > most_first_cells) share /= 2;
  return share;
}

void grow(CellTree& tree, const StoredPoints& points, int actions, std::span<const double> targets, double spread) {
  // The root's members are all transitions; as cells are found on the way down, leaves of before get their own.
  std::vector<std::int32_t> members;
  std::vector<std::int32_t> cells;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points.taken(i) >= 0) {
      members.push_back(static_cast<std::int32_t>(i));
      cells.push_back(tree.cell(points.point(i)));
    }
  // Counting sort by cell; equal cells keep the order of the run.
  std::vector<std::size_t> first(static_cast<std::size_t>(tree.cells()) + 1, 0);
  for (const std::int32_t cell : cells) ++first[static_cast<std::size_t>(cell) + 1];
  for (std::size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
  std::vector<std::int32_t> sorted(members.size());
  std::vector<std::size_t> next = first;
  for (std::size_t i = 0; i < members.size(); ++i) sorted[next[static_cast<std::size_t>(cells[i])]++] = members[i];

  Growth growth(tree, points, actions, targets, spread);
  const auto numbers = static_cast<std::size_t>(tree.numbers());
  struct Box {
    std::int32_t node;
    std::vector<float> low, high;
  };
  std::vector<Box> open{{0, std::vector<float>(numbers, 0.0F), std::vector<float>(numbers, 1.0F)}};
  while (!open.empty()) {
    Box box = std::move(open.back());
    open.pop_back();
    const CellTree::Node node = tree.nodes()[static_cast<std::size_t>(box.node)];
    if (node.coordinate < 0) {
      const auto cell = static_cast<std::size_t>(node.cell);
      growth.split(box.node, std::span(sorted).subspan(first[cell], first[cell + 1] - first[cell]), box.low, box.high);
      continue;
    }
    const auto k = static_cast<std::size_t>(node.coordinate);
    Box above{node.below + 1, box.low, box.high};
    above.low[k] = node.threshold;
    box.node = node.below;
    box.high[k] = node.threshold;
    open.push_back(std::move(above));
    open.push_back(std::move(box));
  }
}

}  // namespace politex::inline value
