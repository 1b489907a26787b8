#include "politex/iterative/hierarchy.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <numeric>
#include <utility>

namespace politex::inline iterative {
namespace {

constexpr int most_dense_size = 300;
constexpr double least_shrinking = 0.7;  // moves of a level relative to those of the finer one
constexpr int most_levels = 30;

/// Merges every state with the one it moves to most often among those that are still alone. Returns the number of
/// groups.
int match(const MoveMatrix& matrix, std::vector<int>& group) {
  const int n = matrix.size();
  group.assign(static_cast<std::size_t>(n), -1);
  int groups = 0;
  for (int x = 0; x < n; ++x) {
    if (group[x] >= 0) continue;
    int partner = -1, neighbour = -1;
    double most = 0.0, most_grouped = 0.0;
    for (auto e = matrix.first[x]; e < matrix.first[x + 1]; ++e) {
      const int y = matrix.index[e];
      const double moves = matrix.value[e];
      if (group[y] < 0 && moves > most) {
        most = moves;
        partner = y;
      } else if (group[y] >= 0 && moves > most_grouped) {
        most_grouped = moves;
        neighbour = y;
      }
    }
    // A state whose moves all lead to groups joins one, unless it hardly moves.
    if (partner < 0 && neighbour >= 0 && most_grouped > 1e-3 * matrix.diagonal[x]) {
      group[x] = group[neighbour];
      continue;
    }
    group[x] = groups;
    if (partner >= 0) group[partner] = groups;
    ++groups;
  }
  return groups;
}

MoveMatrix aggregated(const MoveMatrix& fine, const std::vector<int>& group, int groups) {
  const int n = fine.size();
  std::vector<int> start(static_cast<std::size_t>(groups) + 1, 0), members(static_cast<std::size_t>(n));
  for (const int g : group) ++start[g + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<int> at(start.begin(), start.end() - 1);
  for (int x = 0; x < n; ++x) members[at[group[x]]++] = x;

  MoveMatrix coarse;
  coarse.first.reserve(static_cast<std::size_t>(groups) + 1);
  coarse.first.push_back(0);
  coarse.diagonal.assign(static_cast<std::size_t>(groups), 0.0);
  std::vector<std::int64_t> place(static_cast<std::size_t>(groups), -1);
  for (int g = 0; g < groups; ++g) {
    const std::int64_t begin = coarse.first.back();
    double inside = 0.0;
    for (int m = start[g]; m < start[g + 1]; ++m) {
      const int x = members[m];
      coarse.diagonal[g] += fine.diagonal[x];
      for (auto e = fine.first[x]; e < fine.first[x + 1]; ++e) {
        const int to = group[fine.index[e]];
        if (to == g) {
          inside += fine.value[e];
        } else if (place[to] >= begin) {
          coarse.value[place[to]] += fine.value[e];
        } else {
          place[to] = static_cast<std::int64_t>(coarse.index.size());
          coarse.index.push_back(to);
          coarse.value.push_back(fine.value[e]);
        }
      }
    }
    // What is left after a cancellation may be rounding only.
    coarse.diagonal[g] = std::max(coarse.diagonal[g] - inside, 1e-14 * coarse.diagonal[g]);
    coarse.first.push_back(static_cast<std::int64_t>(coarse.index.size()));
  }
  return coarse;
}

void smooth_forward(const MoveMatrix& a, std::span<const double> right, std::span<double> z) {
  const int n = a.size();
  for (int x = 0; x < n; ++x) {
    double sum = right[x];
    for (auto e = a.first[x]; e < a.first[x + 1]; ++e) sum += a.value[e] * z[a.index[e]];
    z[x] = a.diagonal[x] > 0.0 ? sum / a.diagonal[x] : 0.0;
  }
}

void smooth_backward(const MoveMatrix& a, std::span<const double> right, std::span<double> z) {
  for (int x = a.size() - 1; x >= 0; --x) {
    double sum = right[x];
    for (auto e = a.first[x]; e < a.first[x + 1]; ++e) sum += a.value[e] * z[a.index[e]];
    z[x] = a.diagonal[x] > 0.0 ? sum / a.diagonal[x] : 0.0;
  }
}

}  // namespace

struct Hierarchy::Level {
  MoveMatrix matrix;
  std::vector<int> group;              // of the states here; empty on the coarsest level
  std::vector<double> rest, right, z;  // rest: of this level; right and z: of the next one
};

/// [A 1; 1' 0], which is regular where the chain has one recurrent class, transposed or not.
struct Hierarchy::Dense {
  Eigen::PartialPivLU<Eigen::MatrixXd> factors;
  Eigen::VectorXd right;
};

Hierarchy::Hierarchy(Hierarchy&&) noexcept = default;
Hierarchy& Hierarchy::operator=(Hierarchy&&) noexcept = default;
Hierarchy::~Hierarchy() = default;

Hierarchy::Hierarchy(MoveMatrix finest) {
  levels_.push_back({.matrix = std::move(finest), .group = {}, .rest = {}, .right = {}, .z = {}});
  for (int k = 0; k < most_levels && levels_.back().matrix.size() > most_dense_size; ++k) {
    const MoveMatrix& fine = levels_.back().matrix;
    std::vector<int> group, second;
    int groups = match(fine, group);
    MoveMatrix coarse = aggregated(fine, group, groups);
    groups = match(coarse, second);
    for (int& g : group) g = second[g];
    coarse = aggregated(coarse, second, groups);
    // Without local structure aggregates move nearly everywhere, and such chains mix fast.
    if (static_cast<double>(coarse.index.size()) > least_shrinking * static_cast<double>(fine.index.size())) break;
    levels_.back().group = std::move(group);
    levels_.push_back({.matrix = std::move(coarse), .group = {}, .rest = {}, .right = {}, .z = {}});
  }
  for (std::size_t k = 0; k + 1 < levels_.size(); ++k) {
    levels_[k].rest.resize(levels_[k].matrix.diagonal.size());
    levels_[k].right.resize(levels_[k + 1].matrix.diagonal.size());
    levels_[k].z.resize(levels_[k].right.size());
  }
  const MoveMatrix& last = levels_.back().matrix;
  const int n = last.size();
  if (n > most_dense_size) return;
  Eigen::MatrixXd bordered = Eigen::MatrixXd::Ones(n + 1, n + 1);
  bordered.topLeftCorner(n, n).setZero();
  bordered(n, n) = 0.0;
  for (int x = 0; x < n; ++x) {
    bordered(x, x) = last.diagonal[x] * (1.0 + 1e-9) + 1e-300;
    for (auto e = last.first[x]; e < last.first[x + 1]; ++e) bordered(x, last.index[e]) -= last.value[e];
  }
  coarsest_ = std::make_unique<Dense>(Dense{.factors = bordered.partialPivLu(), .right = Eigen::VectorXd::Zero(n + 1)});
}

int Hierarchy::levels() const noexcept { return static_cast<int>(levels_.size()); }
const MoveMatrix& Hierarchy::finest() const noexcept { return levels_.front().matrix; }

void Hierarchy::cycle(std::size_t k, std::span<const double> right, std::span<double> z) {
  Level& level = levels_[k];
  const MoveMatrix& a = level.matrix;
  const auto n = static_cast<std::size_t>(a.size());
  if (k + 1 == levels_.size()) {
    if (coarsest_) {
      for (std::size_t x = 0; x < n; ++x) coarsest_->right[static_cast<Eigen::Index>(x)] = right[x];
      coarsest_->right[static_cast<Eigen::Index>(n)] = 0.0;
      const Eigen::VectorXd found = coarsest_->factors.solve(coarsest_->right);
      for (std::size_t x = 0; x < n; ++x) z[x] = found[static_cast<Eigen::Index>(x)];
      return;
    }
    std::ranges::fill(z, 0.0);
    smooth_forward(a, right, z);
    smooth_backward(a, right, z);
    return;
  }
  std::ranges::fill(z, 0.0);
  smooth_forward(a, right, z);
  const int visits = k == 0 ? 1 : 2;  // of the coarser levels
  for (int visit = 0; visit < visits; ++visit) {
    a.multiply(z, level.rest);
    std::ranges::fill(level.right, 0.0);
    for (std::size_t x = 0; x < n; ++x) level.right[level.group[x]] += right[x] - level.rest[x];
    cycle(k + 1, level.right, level.z);
    for (std::size_t x = 0; x < n; ++x) z[x] += level.z[level.group[x]];
    smooth_backward(a, right, z);
  }
}

void Hierarchy::solve_roughly(std::span<const double> right, std::span<double> z) { cycle(0, right, z); }

void MoveMatrix::multiply(std::span<const double> v, std::span<double> out) const {
  const int n = size();
  for (int x = 0; x < n; ++x) {
    double sum = diagonal[x] * v[x];
    for (auto e = first[x]; e < first[x + 1]; ++e) sum -= value[e] * v[index[e]];
    out[x] = sum;
  }
}

MoveMatrix leaving(const SparseRows& rows, double teleport) {
  const int n = rows.rows();
  MoveMatrix matrix;
  matrix.first.reserve(static_cast<std::size_t>(n) + 1);
  matrix.index.reserve(rows.index.size());
  matrix.value.reserve(rows.index.size());
  matrix.diagonal.assign(static_cast<std::size_t>(n), teleport);
  matrix.first.push_back(0);
  for (int x = 0; x < n; ++x) {
    for (auto e = rows.first[x]; e < rows.first[x + 1]; ++e) {
      if (rows.index[e] == x) continue;
      const double moves = (1.0 - teleport) * rows.value[e];
      matrix.index.push_back(rows.index[e]);
      matrix.value.push_back(moves);
      matrix.diagonal[x] += moves;
    }
    matrix.first.push_back(static_cast<std::int64_t>(matrix.index.size()));
  }
  return matrix;
}

MoveMatrix transposed(const MoveMatrix& matrix) {
  const int n = matrix.size();
  MoveMatrix result;
  result.diagonal = matrix.diagonal;
  result.first.assign(static_cast<std::size_t>(n) + 1, 0);
  for (const int column : matrix.index) ++result.first[column + 1];
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  result.index.resize(matrix.index.size());
  result.value.resize(matrix.index.size());
  std::vector<std::int64_t> at(result.first.begin(), result.first.end() - 1);
  for (int x = 0; x < n; ++x) {
    for (auto e = matrix.first[x]; e < matrix.first[x + 1]; ++e) {
      const auto to = at[matrix.index[e]]++;
      result.index[to] = x;
      result.value[to] = matrix.value[e];
    }
  }
  return result;
}

}  // namespace politex::inline iterative
