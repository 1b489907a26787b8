#include "politex/exact/chain_solution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace politex::exact {
namespace {

/// Elimination without subtractions gives every product of non-negative numbers with a relative error of a few units in
/// the last place; this many are assumed. tests/numpy/oracle.py compares with exact rationals.
template <class Real>
Real rounding_of(int states) {
  return Arithmetic<Real>::epsilon * (Real(16) + Real(4) * Real(std::sqrt(states)));
}

/// Of two periods, both at least 1.
std::int64_t common_multiple(std::int64_t a, std::int64_t b) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  const std::int64_t rest = b / std::gcd(a, b);
  if (rest <= 1) return a;
  return a > most / rest ? most : a * rest;
}

template <class Real>
Real mean_under(const std::vector<Real>& distribution, const std::vector<Real>& f) {
  return std::inner_product(distribution.begin(), distribution.end(), f.begin(), Real(0));
}

/// What is computed of a chain, by state. `*_size` times the rounding is an estimate of the error.
template <class Real>
struct ChainSolver {
  const Chain& chain;
  const ChainValues<Real>& values;
  const Classes& classes;
  const Elimination<Real>& elimination;
  std::vector<Real> distribution, gain, gain_size, excess, bias, bias_size;
  std::vector<Real> whole_gain, whole_size;  // measured from 0: what is reported
  Real base = Real(0);                       // costs and gains are measured from this cost

  ChainSolver(const Chain& of, const ChainValues<Real>& with, const Classes& in, const Elimination<Real>& by)
      : chain(of), values(with), classes(in), elimination(by) {
    const auto n = static_cast<std::size_t>(chain.states());
    for (auto* part : {&distribution, &gain, &gain_size, &excess, &bias, &bias_size, &whole_gain, &whole_size})
      part->assign(n, Real(0));
  }

  bool closed(int x) const { return chain.teleport == 0.0 && classes.of[x] >= 0; }
  // (P f)(x) over the moves to closed states.
  Real into_classes(int x, const std::vector<Real>& f) const {
    Real sum = Real(0);
    for (auto e = chain.rows.first[x]; e < chain.rows.first[x + 1]; ++e) {
      const int y = chain.rows.index[e];
      if (closed(y)) sum += values.move[e] * f[y];
    }
    return sum;
  }
  // Solves for the open states, whose right side is `own` plus the mean of f over the moves to classes.
  void solve_open(const std::vector<Real>& own, std::vector<Real>& f) const {
    std::vector<Real> right(own.size(), Real(0));
    for (int x = 0; x < chain.states(); ++x) {
      if (!closed(x)) right[x] = own[x] + into_classes(x, f);
    }
    elimination.solve(false, right, f);
  }

  void class_gains() {
    const int n = chain.states();
    std::vector<Real> from(classes.count), above(classes.count), size(classes.count);
    std::vector<Real> whole(classes.count), absolute(classes.count);
    base = values.cost[elimination.last_state(0)];
    for (int k = 0; k < classes.count; ++k) from[k] = values.cost[elimination.last_state(k)];
    for (int x = 0; x < n; ++x) {
      if (!closed(x)) continue;
      const int k = classes.of[x];
      excess[x] = values.cost[x] - from[k];
      above[k] += distribution[x] * excess[x];
      size[k] += distribution[x] * (magnitude(excess[x]) + values.cost_size[x]);
      whole[k] += distribution[x] * values.cost[x];
      absolute[k] += distribution[x] * (magnitude(values.cost[x]) + values.cost_size[x]);
    }
    for (int x = 0; x < n; ++x) {
      if (!closed(x)) continue;
      const int k = classes.of[x];
      excess[x] -= above[k];
      gain[x] = (from[k] - base) + above[k];
      bias_size[x] = size[k];  // of the gain within the class, until the bias is solved for
      gain_size[x] = magnitude(from[k] - base) + size[k];
      whole_gain[x] = whole[k];
      whole_size[x] = absolute[k];
    }
  }

  void open_gains() {
    const std::vector<Real> none(gain.size(), Real(0));
    solve_open(none, gain);
    solve_open(none, gain_size);
    solve_open(none, whole_gain);
    solve_open(none, whole_size);
    for (int x = 0; x < chain.states(); ++x) {
      if (closed(x)) continue;
      if (classes.count == 1) {  // not a sum that is nearly it
        gain[x] = gain[elimination.last_state(0)];
        whole_gain[x] = whole_gain[elimination.last_state(0)];
      }
      excess[x] = (values.cost[x] - base) - gain[x];
    }
  }

  void closed_bias() {
    const int n = chain.states();
    std::vector<Real> right(n, Real(0));
    for (int x = 0; x < n; ++x) right[x] = magnitude(excess[x]) + values.cost_size[x] + bias_size[x];
    elimination.solve(true, excess, bias);
    elimination.solve(true, right, bias_size);
    std::vector<Real> mean(classes.count), size(classes.count);
    for (int x = 0; x < n; ++x) {
      if (!closed(x)) continue;
      mean[classes.of[x]] += distribution[x] * bias[x];
      size[classes.of[x]] += distribution[x] * bias_size[x];
    }
    for (int x = 0; x < n; ++x) {
      if (!closed(x)) continue;
      bias[x] -= mean[classes.of[x]];
      bias_size[x] += size[classes.of[x]];
    }
  }

  void open_bias() {
    std::vector<Real> size(excess.size());
    for (std::size_t x = 0; x < size.size(); ++x) size[x] = magnitude(excess[x]) + values.cost_size[x] + gain_size[x];
    solve_open(excess, bias);
    solve_open(size, bias_size);
  }

  // With teleporting all states form one class, but every state is open: jumps are a leak.
  void teleporting() {
    const int n = chain.states();
    std::vector<Real> from(n, Real(1) / Real(n));
    elimination.open_visits(from, distribution);
    const Real total = std::accumulate(distribution.begin(), distribution.end(), Real(0));
    for (Real& mass : distribution) mass /= total;
    base = values.cost[std::ranges::max_element(distribution) - distribution.begin()];
    for (int x = 0; x < n; ++x) {
      excess[x] = values.cost[x] - base;
      bias_size[x] = magnitude(excess[x]) + values.cost_size[x];
    }
    const Real above = mean_under(distribution, excess), size = mean_under(distribution, bias_size);
    std::ranges::transform(values.cost, values.cost_size, whole_size.begin(),
                           [](Real cost, Real error) { return magnitude(cost) + error; });
    whole_gain.assign(whole_gain.size(), mean_under(distribution, values.cost));
    whole_size.assign(whole_size.size(), mean_under(distribution, whole_size));
    for (int x = 0; x < n; ++x) {
      excess[x] -= above;
      gain[x] = above;
      gain_size[x] = size;
      bias_size[x] = magnitude(excess[x]) + values.cost_size[x] + size;
    }
    elimination.solve(false, excess, bias);
    elimination.solve(false, bias_size, bias_size);
    const Real mean = mean_under(distribution, bias), mean_size = mean_under(distribution, bias_size);
    for (int x = 0; x < n; ++x) {
      bias[x] -= mean;
      bias_size[x] += mean_size;
    }
  }
};

/// Absorption probabilities of the classes from one state.
template <class Real>
std::vector<Real> absorption(const ChainSolver<Real>& solver, int start) {
  const Chain& chain = solver.chain;
  const Classes& classes = solver.classes;
  const int n = chain.states();
  std::vector<Real> reached(classes.count, Real(0)), from(n, Real(0)), visits(n, Real(0));
  if (classes.of[start] >= 0) {
    reached[classes.of[start]] = Real(1);
    return reached;
  }
  from[start] = Real(1);
  solver.elimination.open_visits(from, visits);
  for (int x = 0; x < n; ++x) {
    if (visits[x] == Real(0)) continue;
    for (auto e = chain.rows.first[x]; e < chain.rows.first[x + 1]; ++e) {
      const int k = classes.of[chain.rows.index[e]];
      if (k >= 0) reached[k] += visits[x] * solver.values.move[e];
    }
  }
  const Real total = std::accumulate(reached.begin(), reached.end(), Real(0));
  for (Real& share : reached) share /= total;
  return reached;
}

/// Mean |excess| of every class, and the largest of them for transient states.
template <class Real>
std::vector<double> bias_units(const ChainSolver<Real>& solver) {
  std::vector<Real> mean(solver.classes.count);
  for (int x = 0; x < solver.chain.states(); ++x) {
    if (solver.classes.of[x] >= 0) mean[solver.classes.of[x]] += solver.distribution[x] * magnitude(solver.excess[x]);
  }
  const Real most = *std::ranges::max_element(mean);
  std::vector<double> unit(solver.excess.size());
  for (std::size_t x = 0; x < unit.size(); ++x) {
    const Real own = solver.classes.of[x] >= 0 ? mean[solver.classes.of[x]] : most;
    unit[x] = static_cast<double>(own + magnitude(solver.excess[x]));
  }
  return unit;
}

/// How well the rounded numbers satisfy their equation.
double residual_of(const Chain& chain, const Evaluation& result) {
  const int n = chain.states();
  const double jump = std::accumulate(result.bias.begin(), result.bias.end(), 0.0) / n;
  double worst = 0.0;
  for (int x = 0; x < n; ++x) {
    double moved = chain.teleport * (jump - result.bias[x]);
    const auto columns = chain.rows.indices(x);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      moved += (1.0 - chain.teleport) * chain.rows.values(x)[e] * (result.bias[columns[e]] - result.bias[x]);
    }
    const double unit = std::abs(result.bias[x]) + result.bias_unit[x];
    if (unit > 0.0) worst = std::max(worst, std::abs(result.excess[x] + moved) / unit);
  }
  return worst;
}

template <class Real>
void write(const ChainSolver<Real>& solver, Evaluation& result) {
  const auto n = solver.gain.size();
  const Real rounding = rounding_of<Real>(static_cast<int>(n));
  result.arithmetic = arithmetic_name<Real>;
  result.bias = to_double(solver.bias);
  result.excess = to_double(solver.excess);
  result.bias_unit = bias_units(solver);
  for (auto* part : {&result.gain, &result.gain_error, &result.bias_error}) part->resize(n);
  for (std::size_t x = 0; x < n; ++x) {
    result.gain[x] = static_cast<double>(solver.whole_gain[x]);
    // The last rounding, to double, counts too.
    result.gain_error[x] = static_cast<double>(rounding * solver.whole_size[x]) +
                           std::numeric_limits<double>::epsilon() * std::abs(result.gain[x]);
    result.bias_error[x] = static_cast<double>(rounding * solver.bias_size[x]) +
                           std::numeric_limits<double>::epsilon() * std::abs(result.bias[x]);
  }
  result.residual = residual_of(solver.chain, result);
}

/// An error that is this small decides nothing: by taking another action the gain could fall by that error at most.
constexpr double small_advantage = 1e-9;

template <class Real>
void add_advantages(const FiniteModel& model, const ChainSolver<Real>& solver, Evaluation& result) {
  const int n = model.states;
  const Real rounding = rounding_of<Real>(n), teleport = Real(model.teleport);
  Real jump = Real(0), jump_size = Real(0);
  for (int x = 0; x < n; ++x) {
    jump += solver.bias[x] / Real(n);
    jump_size += solver.bias_size[x] / Real(n);
  }
  Advantages& out = result.advantages;
  for (auto* part : {&out.gain, &out.value, &out.gain_error, &out.value_error})
    part->assign(static_cast<std::size_t>(model.pairs()), 0.0);
  out.decided = true;
  for (int pair = 0; pair < model.pairs(); ++pair) {
    const int x = pair / model.actions;
    const Real above = Real(model.cost[pair]) - solver.base;
    Real gain = Real(0), gain_size = Real(0);
    Real value = above - solver.gain[x], size = magnitude(above) + solver.gain_size[x];
    if (teleport > Real(0)) {
      value += teleport * (jump - solver.bias[x]);
      size += teleport * (jump_size + solver.bias_size[x]);
    }
    for (auto e = model.first[pair]; e < model.first[pair + 1]; ++e) {
      const int y = model.next[e];
      if (y == x) continue;
      const Real move = (Real(1) - teleport) * Real(model.probability[e]);
      gain += move * (solver.gain[y] - solver.gain[x]);
      value += move * (solver.bias[y] - solver.bias[x]);
      size += move * (solver.bias_size[y] + solver.bias_size[x]);
      if (solver.classes.count > 1) gain_size += move * (solver.gain_size[y] + solver.gain_size[x]);
    }
    out.gain[pair] = static_cast<double>(gain);
    out.value[pair] = static_cast<double>(value);
    out.gain_error[pair] = static_cast<double>(rounding * gain_size);
    out.value_error[pair] = static_cast<double>(rounding * size);
    const double error = out.value_error[pair];
    const double unit = result.bias_unit[x] + std::abs(result.gain[x]);
    out.decided &= error < std::abs(out.value[pair]) || error <= small_advantage * unit;
  }
}

}  // namespace

double Evaluation::relative_error(std::size_t state) const noexcept {
  const double unit = std::abs(bias[state]) + bias_unit[state];
  if (!std::isfinite(unit) || std::isnan(bias_error[state])) return std::numeric_limits<double>::infinity();
  return bias_error[state] == 0.0 ? 0.0 : bias_error[state] / unit;
}

double Evaluation::relative_error() const noexcept {
  double worst = 0.0;
  for (std::size_t x = 0; x < bias.size(); ++x) worst = std::max(worst, relative_error(x));
  return worst;
}

template <class Real>
ChainValues<Real>::ChainValues(const FiniteModel& model, std::span<const double> policy, const Chain& chain)
    : move(chain.rows.index.size()), cost(chain.cost.size()), cost_size(chain.cost.size()) {
  std::vector<Real> weight(chain.cost.size(), Real(0));
  const auto total = [](std::span<const double> row) {
    return std::accumulate(row.begin(), row.end(), Real(0), [](Real sum, double p) { return sum + Real(p); });
  };
  for (int x = 0; x < model.states; ++x) {
    const auto row =
        policy.subspan(static_cast<std::size_t>(model.pair(x, 0)), static_cast<std::size_t>(model.actions));
    const Real chosen = total(row);
    Real above = Real(0);
    int first = -1;  // costs are summed from the first one taken: equal ones are not rounded
    for (Action a = 0; a < model.actions; ++a) {
      if (row[a] == 0.0) continue;
      const int pair = model.pair(x, a);
      if (first < 0) first = pair;
      const Real more = Real(model.cost[pair]) - Real(model.cost[first]);
      above += Real(row[a]) * more;
      cost_size[x] += Real(row[a]) * magnitude(more);
      const auto outcomes = std::span(model.probability)
                                .subspan(static_cast<std::size_t>(model.first[pair]),
                                         static_cast<std::size_t>(model.first[pair + 1] - model.first[pair]));
      const Real probability = Real(row[a]) / (chosen * total(outcomes));
      for (auto e = model.first[pair]; e < model.first[pair + 1]; ++e) {
        weight[model.next[e]] += probability * Real(model.probability[e]);
      }
    }
    cost[x] = Real(model.cost[first]) + above / chosen;
    if (cost_size[x] > Real(0)) cost_size[x] += magnitude(cost[x]);
    for (auto e = chain.rows.first[x]; e < chain.rows.first[x + 1]; ++e) move[e] = weight[chain.rows.index[e]];
    for (auto e = model.first[model.pair(x, 0)]; e < model.first[model.pair(x, model.actions - 1) + 1]; ++e) {
      weight[model.next[e]] = Real(0);
    }
  }
}

template <class Real>
int solve_chain(const Plan& plan, const Chain& chain, const ChainValues<Real>& values, const Classes& classes,
                const FiniteModel& model, Accurate accurate, Elimination<Real>& elimination, Evaluation& result) {
  const int unresolved = elimination.factor(plan, chain, values.move, classes);
  if (unresolved >= 0) return unresolved;
  ChainSolver<Real> solver(chain, values, classes, elimination);
  result.class_of = classes.of;
  result.classes = classes.count;
  result.period_of_class = periods(chain, classes);
  result.period = 1;
  if (chain.teleport > 0.0) {
    solver.teleporting();
    result.class_distribution = result.stationary = to_double(solver.distribution);
    write(solver, result);
    if (accurate == Accurate::advantages) add_advantages(model, solver, result);
    return -1;
  }
  if (!elimination.class_distributions(solver.distribution) && std::is_same_v<Real, double>) return model.start;
  solver.class_gains();
  solver.open_gains();
  solver.closed_bias();
  solver.open_bias();
  write(solver, result);
  if (accurate == Accurate::advantages) add_advantages(model, solver, result);
  const std::vector<Real> reached = absorption(solver, model.start);
  result.class_distribution = to_double(solver.distribution);
  result.stationary.resize(result.gain.size());
  for (int x = 0; x < chain.states(); ++x) {
    result.stationary[x] =
        classes.of[x] >= 0 ? static_cast<double>(solver.distribution[x] * reached[classes.of[x]]) : 0.0;
  }
  for (int k = 0; k < classes.count; ++k) {
    if (reached[k] > Real(0)) result.period = common_multiple(result.period, result.period_of_class[k]);
  }
  return -1;
}

template struct ChainValues<double>;
template struct ChainValues<long double>;
template struct ChainValues<Quad>;
template int solve_chain(const Plan&, const Chain&, const ChainValues<double>&, const Classes&, const FiniteModel&,
                         Accurate, Elimination<double>&, Evaluation&);
template int solve_chain(const Plan&, const Chain&, const ChainValues<long double>&, const Classes&, const FiniteModel&,
                         Accurate, Elimination<long double>&, Evaluation&);
template int solve_chain(const Plan&, const Chain&, const ChainValues<Quad>&, const Classes&, const FiniteModel&,
                         Accurate, Elimination<Quad>&, Evaluation&);

}  // namespace politex::exact
