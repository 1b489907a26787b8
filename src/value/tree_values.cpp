#include "politex/value/tree_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "politex/base/error.hpp"
#include "politex/base/exponential.hpp"
#include "politex/value/tree_growth.hpp"

namespace politex::inline value {
namespace {

constexpr std::int64_t points_kept = 500'000;
constexpr double growth_factor = 1.2;
constexpr double prior_visits = 1.0;

}  // namespace

TreeValues::TreeValues(std::shared_ptr<CellTree> tree, int actions)
    : tree_(std::move(tree)), actions_(static_cast<std::size_t>(actions)), points_(tree_->numbers(), points_kept) {
  resize();
}

void TreeValues::resize() {
  const auto cells = static_cast<std::size_t>(tree_->cells());
  // A new cell begins with the values of the one it was split from, which grow_tree() copies.
  values_.resize(cells, 0.0);
  q_.resize(cells * actions_, 0.0);
  policy_.resize(cells * actions_, 1.0 / static_cast<double>(actions_));
}

double TreeValues::beta() const {
  return std::sqrt(std::log(static_cast<double>(actions_)) * static_cast<double>(steps_) / 100.0);
}

double TreeValues::discount() const { return 1.0 - 1.0 / std::max(300.0, std::pow(static_cast<double>(steps_), 0.4)); }

double TreeValues::spread() const noexcept {
  if (steps_ == 0) return 0.0;
  const auto n = static_cast<double>(steps_);
  const double mean = sum_ / n;
  return std::sqrt(std::max(0.0, squares_ / n - mean * mean));
}

void TreeValues::add(const Phase& phase) {
  if (steps_ == 0 && !phase.costs.empty()) first_cost_ = phase.costs[0];
  for (const double each : phase.costs) {
    const double cost = each - first_cost_;
    sum_ += cost;
    squares_ += cost * cost;
  }
  steps_ += static_cast<std::int64_t>(phase.costs.size());
  const std::size_t forgotten = points_.add(*tree_, phase);
  cells_.erase(cells_.begin(), cells_.begin() + static_cast<std::ptrdiff_t>(std::min(forgotten, cells_.size())));
}

void TreeValues::find_cells(std::size_t from) {
  cells_.resize(points_.size());
  for (std::size_t i = from; i < cells_.size(); ++i) cells_[i] = tree_->cell(points_.point(i));
}

void TreeValues::grow_tree() {
  if (static_cast<double>(steps_) < growth_factor * static_cast<double>(grown_)) return;
  grown_ = steps_;
  const double g = discount();
  std::vector<double> targets(points_.size(), 0.0);
  for (std::size_t i = 0; i + 1 < points_.size(); ++i)
    targets[i] = points_.cost(i) + g * values_[static_cast<std::size_t>(cells_[i + 1])];
  const auto before = static_cast<std::size_t>(tree_->cells());
  grow(*tree_, points_, static_cast<int>(actions_), targets, spread());
  resize();
  // Children come after their parents: a new cell takes over from the cell of its parent.
  for (const CellTree::Node& node : tree_->nodes()) {
    if (node.coordinate < 0) continue;
    const auto kept = static_cast<std::size_t>(node.cell);
    const auto fresh = static_cast<std::size_t>(tree_->nodes()[static_cast<std::size_t>(node.below) + 1].cell);
    if (fresh < before) continue;
    values_[fresh] = values_[kept];
    for (std::size_t a = 0; a < actions_; ++a) {
      q_[fresh * actions_ + a] = q_[kept * actions_ + a];
      policy_[fresh * actions_ + a] = policy_[kept * actions_ + a];
    }
  }
  find_cells(0);
}

void TreeValues::count() {
  const std::size_t pairs = q_.size();
  counts_.assign(pairs, 0.0);
  costs_.assign(pairs, 0.0);
  std::vector<std::size_t> begin(pairs + 1, 0);
  const auto pair_of = [&](std::size_t i) {
    return static_cast<std::size_t>(cells_[i]) * actions_ + static_cast<std::size_t>(points_.taken(i));
  };
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (points_.taken(i) >= 0) {
      const std::size_t pair = pair_of(i);
      ++begin[pair + 1];
      counts_[pair] += 1.0;
      costs_[pair] += points_.cost(i);
    }
  for (std::size_t k = 0; k < pairs; ++k) begin[k + 1] += begin[k];
  order_.resize(begin.back());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (points_.taken(i) >= 0) order_[next[pair_of(i)]++] = cells_[i + 1];
  // Equal successors of a pair become one, in the order in which they were met first.
  slot_.assign(values_.size(), -1);
  successors_.clear();
  first_.assign(1, 0);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const std::size_t start = successors_.size();
    for (std::size_t k = begin[pair]; k < begin[pair + 1]; ++k) {
      std::int32_t& slot = slot_[static_cast<std::size_t>(order_[k])];
      if (slot < 0) {
        slot = static_cast<std::int32_t>(successors_.size());
        successors_.push_back({.cell = order_[k], .count = 0.0F});
      }
      successors_[static_cast<std::size_t>(slot)].count += 1.0F;
    }
    for (std::size_t k = start; k < successors_.size(); ++k) slot_[static_cast<std::size_t>(successors_[k].cell)] = -1;
    first_.push_back(successors_.size());
  }
  const std::size_t nodes = tree_->nodes().size() * actions_;
  node_counts_.assign(nodes, 0.0);
  node_sums_.assign(nodes, 0.0);
  node_means_.assign(nodes, 0.0);
  priors_.assign(pairs, 0.0);
  sums_.assign(pairs, 0.0);
}

double TreeValues::ahead(std::size_t pair) const noexcept {
  double total = 0.0;
  for (std::size_t k = first_[pair]; k < first_[pair + 1]; ++k)
    total += static_cast<double>(successors_[k].count) * values_[static_cast<std::size_t>(successors_[k].cell)];
  return total;
}

void TreeValues::set_priors() {
  const auto nodes = tree_->nodes();
  for (std::size_t k = nodes.size(); k-- > 0;) {
    const CellTree::Node& node = nodes[k];
    const std::size_t left = static_cast<std::size_t>(node.below) * actions_, right = left + actions_;
    const std::size_t cell = static_cast<std::size_t>(node.cell) * actions_;
    for (std::size_t a = 0; a < actions_; ++a) {
      const bool leaf = node.coordinate < 0;
      node_counts_[k * actions_ + a] = leaf ? counts_[cell + a] : node_counts_[left + a] + node_counts_[right + a];
      node_sums_[k * actions_ + a] = leaf ? sums_[cell + a] : node_sums_[left + a] + node_sums_[right + a];
    }
  }
  double total = 0.0, weight = 0.0;
  for (std::size_t x = 0; x < values_.size(); ++x) {
    double visits = 0.0;
    for (std::size_t a = 0; a < actions_; ++a) visits += counts_[x * actions_ + a];
    total += visits * values_[x];
    weight += visits;
  }
  // Of the root; it has no parent.
  for (std::size_t a = 0; a < actions_; ++a)
    node_means_[a] = node_counts_[a] > 0.0 ? node_sums_[a] / node_counts_[a] : (weight > 0.0 ? total / weight : 0.0);
  if (nodes[0].coordinate < 0) std::copy_n(node_means_.begin(), actions_, priors_.begin());
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (nodes[k].coordinate < 0) continue;
    for (std::size_t child = static_cast<std::size_t>(nodes[k].below), end = child + 2; child < end; ++child)
      for (std::size_t a = 0; a < actions_; ++a) {
        const double above = node_means_[k * actions_ + a];
        const std::size_t at = child * actions_ + a;
        node_means_[at] = (node_sums_[at] + prior_visits * above) / (node_counts_[at] + prior_visits);
        if (nodes[child].coordinate < 0) priors_[static_cast<std::size_t>(nodes[child].cell) * actions_ + a] = above;
      }
  }
}

double TreeValues::sweep(bool backwards) {
  const double g = discount();
  const std::size_t cells = values_.size();
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t k = 0; k < cells; ++k) {
    const std::size_t x = backwards ? cells - 1 - k : k;
    double value = 0.0;
    for (std::size_t pair = x * actions_; pair < (x + 1) * actions_; ++pair) {
      sums_[pair] = costs_[pair] + g * ahead(pair);
      q_[pair] = (sums_[pair] + prior_visits * priors_[pair]) / (counts_[pair] + prior_visits);
      value += policy_[pair] * q_[pair];
    }
    least = std::min(least, value - values_[x]);
    most = std::max(most, value - values_[x]);
    values_[x] = value;
  }
  set_priors();
  return most - least;
}

int TreeValues::evaluate(int sweeps, double enough) {
  for (int k = 0; k < sweeps; ++k)
    if (sweep(k % 2 == 1) <= enough) return k + 1;
  return sweeps;
}

void TreeValues::improve() {
  const double step = beta();
  for (std::size_t begin = 0; begin < q_.size(); begin += actions_) {
    const std::span<const double> q = std::span(q_).subspan(begin, actions_);
    const auto [low, high] = std::ranges::minmax(q);
    double total = 0.0;
    for (std::size_t a = 0; a < actions_; ++a)
      total += policy_[begin + a] = high > low ? exp_nonpositive(-step * (q[a] - low) / (high - low)) : 1.0;
    for (std::size_t a = 0; a < actions_; ++a) policy_[begin + a] /= total;
  }
}

void TreeValues::learn(const Phase& phase) {
  add(phase);
  find_cells(cells_.size());
  if (!learned()) return;
  grow_tree();
  count();
  const double g = discount(), enough = 2e-3 * spread();
  for (std::size_t pair = 0; pair < sums_.size(); ++pair) sums_[pair] = costs_[pair] + g * ahead(pair);
  set_priors();
  constexpr int improvements = 20, sweeps_each = 5;
  for (int i = 0; i < improvements; ++i) {
    const int swept = evaluate(sweeps_each, enough);
    improve();
    if (swept == 1 && i > 0) return;
  }
}

void TreeValues::restart() {
  tree_->reset();
  *this = TreeValues(tree_, static_cast<int>(actions_));
}

void TreeValues::save(ByteWriter& to) const {
  tree_->save(to);
  points_.save(to);
  for (const auto* each : {&q_, &values_, &policy_}) to.put(*each);
  to.put(sum_);
  to.put(squares_);
  to.put(first_cost_);
  to.put(steps_);
  to.put(grown_);
}

void TreeValues::restore(ByteReader& from) {
  tree_->restore(from);
  points_.restore(from, static_cast<int>(actions_));
  const auto cells = static_cast<std::size_t>(tree_->cells());
  from.get_sized(q_, cells * actions_, "values");
  from.get_sized(values_, cells, "values");
  from.get_sized(policy_, cells * actions_, "the policy");
  for (double* each : {&sum_, &squares_, &first_cost_}) from.get_finite(*each, "costs");
  from.get_count(steps_, "steps");
  from.get_count(grown_, "steps");
  find_cells(0);
}

}  // namespace politex::inline value
