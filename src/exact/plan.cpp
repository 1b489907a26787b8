#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "politex/base/error.hpp"
#include "politex/exact/elimination.hpp"

namespace politex::exact {
namespace {

constexpr std::int64_t largest_fill = 60'000'000;  // entries of 12 bytes; n^3 work if dense

// The graph of the remaining states as sorted neighbour lists without loops, and a queue of states by elimination cost.
class Remaining {
 public:
  Remaining(const SparseRows& pattern, std::span<const int> last)
      : out_(pattern.rows()), in_(pattern.rows()), late_(pattern.rows(), 0) {
    for (std::size_t i = 0; i < last.size(); ++i) late_[last[i]] = static_cast<int>(i) + 1;
    for (int x = 0; x < pattern.rows(); ++x) {
      for (const int y : pattern.indices(x)) {
        if (y == x) continue;
        out_[x].push_back(y);
        in_[y].push_back(x);
      }
    }
    for (int x = 0; x < pattern.rows(); ++x) queue_.insert({cost(x), x});
  }

  std::size_t size() const noexcept { return queue_.size(); }
  int cheapest() const { return queue_.begin()->second; }
  // 0 if only states that were to be last are left.
  double cheapest_cost() const {
    return queue_.begin()->first > late_cost ? 0.0 : static_cast<double>(queue_.begin()->first);
  }
  // The graph is nearly complete: the order does not matter any more.
  bool dense() const {
    const auto others = static_cast<std::int64_t>(size()) - 1;
    return others > 32 && queue_.begin()->first > others * others / 2;
  }
  const std::vector<int>& out(int x) const { return out_[x]; }
  const std::vector<int>& in(int x) const { return in_[x]; }
  std::vector<int> states() const {
    std::vector<int> all;
    for (const auto& entry : queue_) all.push_back(entry.second);
    std::ranges::sort(all, {}, [&](int x) { return std::pair(late_[x], x); });
    return all;
  }

  void eliminate(int x) {
    queue_.erase({cost(x), x});
    for (const int y : in_[x]) queue_.erase({cost(y), y});
    for (const int y : out_[x]) queue_.erase({cost(y), y});
    for (const int y : in_[x]) join(out_[y], out_[x], x, y);
    for (const int y : out_[x]) join(in_[y], in_[x], x, y);
    for (const int y : in_[x]) queue_.insert({cost(y), y});
    for (const int y : out_[x]) queue_.insert({cost(y), y});
    out_[x] = {};
    in_[x] = {};
  }

 private:
  std::int64_t cost(int x) const {
    if (late_[x] > 0) return late_cost + late_[x];
    return static_cast<std::int64_t>(in_[x].size()) * static_cast<std::int64_t>(out_[x].size());
  }
  void join(std::vector<int>& list, const std::vector<int>& more, int gone, int self) {
    joined_.clear();
    std::ranges::set_union(list, more, std::back_inserter(joined_));
    std::erase_if(joined_, [&](int y) { return y == gone || y == self; });
    list.assign(joined_.begin(), joined_.end());
  }

  static constexpr std::int64_t late_cost = std::int64_t{1} << 60;

  std::vector<std::vector<int>> out_, in_;
  std::vector<int> late_;  // position among the states to be eliminated last, or 0
  std::set<std::pair<std::int64_t, int>> queue_;
  std::vector<int> joined_;
};

void append(std::vector<std::int64_t>& first, std::vector<std::int32_t>& to, const std::vector<std::int32_t>& row) {
  to.insert(to.end(), row.begin(), row.end());
  first.push_back(static_cast<std::int64_t>(to.size()));
}

// A rough prediction of the work without planning: the largest level of a breadth-first search separates the graph, and
// eliminating such a separator is dense. The factor is that of three-dimensional grids.
double predicted_work(const SparseRows& pattern) {
  const int n = pattern.rows();
  std::vector<std::vector<int>> around(n);
  for (int x = 0; x < n; ++x) {
    for (const int y : pattern.indices(x)) {
      around[x].push_back(y);
      around[y].push_back(x);
    }
  }
  std::vector<char> seen(n, 0);
  double widest = 0.0;
  for (int root = 0; root < n; ++root) {
    if (seen[root] != 0) continue;
    std::vector<int> level(1, root), next;
    seen[root] = 1;
    for (; !level.empty(); level.swap(next), next.clear()) {
      widest = std::max(widest, static_cast<double>(level.size()));
      for (const int x : level) {
        for (const int y : around[x]) {
          if (std::exchange(seen[y], 1) == 0) next.push_back(y);
        }
      }
    }
  }
  return std::min(30.0 * std::pow(widest, 3.0), std::pow(static_cast<double>(n), 3.0) / 3.0);
}

}  // namespace

Plan plan_elimination(const SparseRows& pattern, std::span<const int> last, double most_work) {
  const int n = pattern.rows();
  if (predicted_work(pattern) > 4.0 * most_work) return {};
  Remaining remaining(pattern, last);
  std::vector<std::vector<std::int32_t>> lower(n), upper(n);  // by state: ranks, and states that become ranks below
  Plan plan;
  std::int64_t fill = 0;
  const auto count = [&](std::int64_t entries) {
    fill += entries;
    if (fill <= largest_fill) return;
    throw Error(
        fmt::format("exact answers for {} states need more than {} million matrix entries; use a smaller or "
                    "sparser environment, or estimate the gain by a long run of the fixed policy",
                    n, largest_fill / 1'000'000));
  };
  while (remaining.size() > 0 && !remaining.dense()) {
    // Costs of elimination grow, until few states are left: two thirds of them are assumed to cost at least as much.
    if (plan.work + remaining.cheapest_cost() * static_cast<double>(remaining.size()) / 1.5 > most_work) return {};
    const int x = remaining.cheapest();
    const auto rank = static_cast<std::int32_t>(plan.state.size());
    count(static_cast<std::int64_t>(remaining.in(x).size() + remaining.out(x).size()));
    plan.work += static_cast<double>(remaining.in(x).size()) * static_cast<double>(remaining.out(x).size());
    for (const int y : remaining.in(x)) lower[y].push_back(rank);
    upper[x].assign(remaining.out(x).begin(), remaining.out(x).end());
    plan.state.push_back(x);
    remaining.eliminate(x);
  }
  const std::vector<int> rest = remaining.states();
  const auto left = static_cast<std::int64_t>(rest.size());
  plan.work += std::pow(static_cast<double>(left), 3.0) / 3.0;
  if (plan.work > most_work) return {};
  count(left * (left - 1));
  const auto dense_from = static_cast<int>(plan.state.size());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) lower[rest[i]].push_back(dense_from + static_cast<int>(j));
    upper[rest[i]].assign(rest.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.end());
  }
  plan.state.insert(plan.state.end(), rest.begin(), rest.end());

  plan.rank.resize(n);
  for (int r = 0; r < n; ++r) plan.rank[plan.state[r]] = r;
  plan.lower_first = plan.upper_first = {0};
  for (const int x : plan.state) {
    for (std::int32_t& y : upper[x]) y = plan.rank[y];
    std::ranges::sort(upper[x]);
    append(plan.lower_first, plan.lower, lower[x]);
    append(plan.upper_first, plan.upper, upper[x]);
  }
  return plan;
}

}  // namespace politex::exact
