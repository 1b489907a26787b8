#include "politex/exact/iteration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "politex/exact/chain.hpp"

namespace politex::exact {
namespace {

constexpr int most_products = 4000;  // for one system
constexpr int most_improvements = 100;
constexpr double narrow = 1e-11;  // brackets relative to the gain

using Numbers = std::vector<double>;

double product(const Numbers& a, const Numbers& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

SparseRows transposed(const SparseRows& rows) {
  SparseRows result;
  result.columns = rows.rows();
  result.first.assign(static_cast<std::size_t>(rows.columns) + 1, 0);
  for (const int column : rows.index) ++result.first[column + 1];
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  result.index.resize(rows.index.size());
  result.value.resize(rows.value.size());
  std::vector<std::int64_t> at(result.first.begin(), result.first.end() - 1);
  for (int row = 0; row < rows.rows(); ++row) {
    for (auto e = rows.first[row]; e < rows.first[row + 1]; ++e) {
      const auto to = at[rows.index[e]]++;
      result.index[to] = row;
      result.value[to] = rows.value[e];
    }
  }
  return result;
}

/// I - P, in which the column of the reference state is replaced by ones: its unknown is the gain. Transposed, the row
/// of the reference state is, and the solution for a unit vector is the stationary distribution.
class BorderedSystem {
 public:
  BorderedSystem(const SparseRows& rows, double teleport, int reference, bool transpose)
      : rows_(rows), teleport_(teleport), reference_(reference), transpose_(transpose), exit_(rows.rows(), 1.0) {
    for (int x = 0; x < rows.rows(); ++x) {
      for (auto e = rows.first[x]; e < rows.first[x + 1]; ++e) {
        if (rows.index[e] == x) exit_[x] -= (1.0 - teleport) * rows.value[e];
      }
      if (x == reference || !(exit_[x] > 1e-14)) exit_[x] = 1.0;
    }
  }

  void multiply(const Numbers& v, Numbers& out) const {
    const int n = rows_.rows();
    const double own = transpose_ ? v[reference_] : 0.0, gain = transpose_ ? 0.0 : v[reference_];
    const double all = std::accumulate(v.begin(), v.end(), 0.0);
    const double jump = teleport_ * (all - (transpose_ ? 0.0 : v[reference_])) / n;
    for (int x = 0; x < n; ++x) {
      double moved = 0.0;
      for (auto e = rows_.first[x]; e < rows_.first[x + 1]; ++e) {
        const int y = rows_.index[e];
        moved += rows_.value[e] * (y == reference_ ? own : v[y]);
      }
      out[x] = gain + (x == reference_ ? own : v[x]) - (1.0 - teleport_) * moved - jump;
    }
    if (transpose_) out[reference_] = all;
  }

  // Symmetric Gauss-Seidel on I - P without the reference state.
  void precondition(const Numbers& right, Numbers& z) const {
    const int n = rows_.rows();
    const auto neighbours = [&](int x, auto wanted) {
      double sum = 0.0;
      for (auto e = rows_.first[x]; e < rows_.first[x + 1]; ++e) {
        const int y = rows_.index[e];
        if (wanted(y) && y != reference_) sum += rows_.value[e] * z[y];
      }
      return (1.0 - teleport_) * sum;
    };
    for (int x = 0; x < n; ++x) {
      z[x] = x == reference_ ? right[x] : (right[x] + neighbours(x, [x](int y) { return y < x; })) / exit_[x];
    }
    for (int x = n - 1; x >= 0; --x) {
      if (x != reference_) z[x] += neighbours(x, [x](int y) { return y > x; }) / exit_[x];
    }
  }

  // BiCGSTAB; improves `solution` and returns the number of products. It may end early: bounds tell how good it is.
  // `wanted` is the residual relative to the largest right side.
  int solve(const Numbers& right, double wanted, Numbers& solution) const {
    const auto n = right.size();
    Numbers r(n), p(n, 0.0), v(n, 0.0), s(n), t(n), ahead(n), ahead_s(n);
    multiply(solution, r);
    double size = 0.0;
    for (std::size_t x = 0; x < n; ++x) {
      r[x] = right[x] - r[x];
      size = std::max(size, std::abs(right[x]));
    }
    const Numbers shadow = r;
    Numbers best = solution;
    double rho = 1.0, alpha = 1.0, omega = 1.0, least = std::sqrt(product(r, r));
    int products = 1;
    while (products < most_products && least > wanted * size * std::sqrt(static_cast<double>(n))) {
      const double next = product(shadow, r), beta = next / rho * alpha / omega;
      rho = next;
      for (std::size_t x = 0; x < n; ++x) p[x] = r[x] + beta * (p[x] - omega * v[x]);
      precondition(p, ahead);
      multiply(ahead, v);
      alpha = rho / product(shadow, v);
      for (std::size_t x = 0; x < n; ++x) s[x] = r[x] - alpha * v[x];
      precondition(s, ahead_s);
      multiply(ahead_s, t);
      omega = product(t, s) / product(t, t);
      products += 2;
      if (!std::isfinite(alpha) || !std::isfinite(omega)) break;
      for (std::size_t x = 0; x < n; ++x) {
        solution[x] += alpha * ahead[x] + omega * ahead_s[x];
        r[x] = s[x] - omega * t[x];
      }
      const double norm = std::sqrt(product(r, r));
      if (!(norm < 1e6 * (least + 1e-300))) break;  // diverging
      if (norm < least) {
        least = norm;
        best = solution;
      }
    }
    solution = best;
    return products;
  }

 private:
  const SparseRows& rows_;
  double teleport_;
  int reference_;
  bool transpose_;
  Numbers exit_;  // probability to leave a state; 1 where it is not needed
};

void widen(GainBounds& bounds, double change, bool first) {
  bounds.low = first ? change : std::min(bounds.low, change);
  bounds.high = first ? change : std::max(bounds.high, change);
}

// Rounding of T h - h.
void allow_for_rounding(GainBounds& bounds, const Numbers& bias) {
  double most = 0.0;
  for (const double h : bias) most = std::max(most, std::abs(h));
  const double rounding = 1e-15 * (most + std::abs(bounds.low) + std::abs(bounds.high));
  bounds.low -= rounding;
  bounds.high += rounding;
}

}  // namespace

IteratedEvaluation evaluate_by_iteration(const SparseRows& rows, std::span<const double> cost, double teleport,
                                         int start, bool distribution) {
  const int n = rows.rows();
  const auto states = static_cast<std::size_t>(n);
  const auto home = static_cast<std::size_t>(start);
  IteratedEvaluation result;
  Numbers solution(states, 0.0);
  result.products = BorderedSystem(rows, teleport, start, false).solve({cost.begin(), cost.end()}, 1e-12, solution);
  solution[home] = 0.0;
  result.bias = std::move(solution);
  const double mean = std::accumulate(result.bias.begin(), result.bias.end(), 0.0) / n;
  for (int x = 0; x < n; ++x) {
    double change = cost[static_cast<std::size_t>(x)] + teleport * (mean - result.bias[x]);
    for (auto e = rows.first[x]; e < rows.first[x + 1]; ++e) {
      change += (1.0 - teleport) * rows.value[e] * (result.bias[rows.index[e]] - result.bias[x]);
    }
    widen(result.gain, change, x == 0);
  }
  allow_for_rounding(result.gain, result.bias);
  if (!distribution) return result;

  Numbers unit(states, 0.0), balance(states);
  unit[home] = 1.0;
  result.stationary.assign(states, 1.0 / n);
  const SparseRows back = transposed(rows);
  const BorderedSystem flows(back, teleport, start, true);
  result.products += flows.solve(unit, 1e-17, result.stationary);
  double total = 0.0;
  for (double& mass : result.stationary) total += mass = std::max(mass, 0.0);
  for (double& mass : result.stationary) mass /= total;
  for (int x = 0; x < n; ++x) {
    double flow = teleport / n;
    for (auto e = back.first[x]; e < back.first[x + 1]; ++e) {
      flow += (1.0 - teleport) * back.value[e] * result.stationary[back.index[e]];
    }
    result.imbalance += std::abs(flow - result.stationary[x]);
  }
  return result;
}

IteratedOptimum optimum_by_iteration(const FiniteModel& model, std::vector<int> actions) {
  const auto states = static_cast<std::size_t>(model.states);
  IteratedOptimum best;
  Numbers solution(states, 0.0);
  for (int iteration = 1; iteration <= most_improvements; ++iteration) {
    const Chain chain = chain_of(model, deterministic_policy(model, actions));
    BorderedSystem(chain.rows, model.teleport, model.start, false).solve(chain.cost, 1e-12, solution);
    Numbers bias = solution;
    bias[static_cast<std::size_t>(model.start)] = 0.0;
    const double mean = std::accumulate(bias.begin(), bias.end(), 0.0) / model.states;
    GainBounds bounds;
    std::vector<int> better = actions;
    for (int x = 0; x < model.states; ++x) {
      double least = 0.0;
      const auto change = [&](Action a) {
        const int pair = model.pair(x, a);
        double sum = model.cost[pair] + model.teleport * (mean - bias[x]);
        for (auto e = model.first[pair]; e < model.first[pair + 1]; ++e) {
          sum += (1.0 - model.teleport) * model.probability[e] * (bias[model.next[e]] - bias[x]);
        }
        return sum;
      };
      const double kept = least = change(actions[x]);
      for (Action a = 0; a < model.actions; ++a) {
        const double other = change(a);
        if (other < least && other < kept - narrow * (std::abs(kept) + std::abs(bias[x]))) {
          least = other;
          better[x] = a;
        }
      }
      widen(bounds, least, x == 0);
    }
    allow_for_rounding(bounds, bias);
    if (iteration == 1 || bounds.high - bounds.low < best.gain.high - best.gain.low) {
      best.gain = bounds;
      best.bias = std::move(bias);
      best.action = better;
    }
    best.iterations = iteration;
    if (better == actions || bounds.high - bounds.low <= narrow * std::abs(bounds.high)) break;
    actions = std::move(better);
  }
  return best;
}

}  // namespace politex::exact
