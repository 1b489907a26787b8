#include "politex/exact/elimination.hpp"

namespace politex::exact {
namespace {

// Products of numbers below this may underflow.
template <class Real>
constexpr Real deep = Arithmetic<Real>::smallest * Real(0x1p60);

}  // namespace

template <class Real>
int Elimination<Real>::factor(const Plan& plan, const Chain& chain, std::span<const Real> moves,
                              const Classes& classes) {
  plan_ = &plan;
  chain_ = &chain;
  const int n = chain.states();
  class_.assign(n, -1);
  closed_.assign(n, 0);
  last_.assign(chain.teleport > 0.0 ? 0 : classes.count, -1);
  if (chain.teleport == 0.0) {
    for (int r = 0; r < n; ++r) {
      class_[r] = classes.of[plan.state[r]];
      closed_[r] = class_[r] >= 0 ? 1 : 0;
      if (class_[r] >= 0) last_[class_[r]] = r;
    }
  }
  lower_.resize(plan.lower.size());
  upper_.resize(plan.upper.size());
  leave_.resize(n);
  leak_.resize(n);
  least_.resize(n);
  work_.assign(n, Real(0));
  for (int row = 0; row < n; ++row) {
    if (!factor_row(row, moves)) return plan.state[row];
  }
  return -1;
}

template <class Real>
bool Elimination<Real>::factor_row(int row, std::span<const Real> moves) {
  const int state = plan_->state[row];
  const bool open = closed_[row] == 0;
  const Real stays = Real(1) - Real(chain_->teleport);
  Real leak = Real(chain_->teleport);
  bool resolved = true;
  const auto columns = chain_->rows.indices(state);
  const auto values = moves.subspan(static_cast<std::size_t>(chain_->rows.first[state]), columns.size());
  for (std::size_t e = 0; e < columns.size(); ++e) {
    work_[plan_->rank[columns[e]]] = stays * values[e];
    resolved &= values[e] >= deep<Real>;
  }
  for (auto e = plan_->lower_first[row]; e < plan_->lower_first[row + 1]; ++e) {
    const int i = plan_->lower[e];
    const Real enters = work_[i];
    work_[i] = Real(0);
    lower_[e] = Real(0);
    if (enters == Real(0)) continue;
    if (open && closed_[i] != 0) {
      leak += enters;
      continue;
    }
    lower_[e] = enters;
    resolved &= enters * least_[i] >= deep<Real>;
    leak += enters * leak_[i];
    for (auto u = plan_->upper_first[i]; u < plan_->upper_first[i + 1]; ++u) {
      work_[plan_->upper[u]] += enters * upper_[u];
    }
  }
  work_[row] = Real(0);  // a self-loop only delays the next move

  Real leave = Real(0);
  for (auto u = plan_->upper_first[row]; u < plan_->upper_first[row + 1]; ++u) {
    const int k = plan_->upper[u];
    upper_[u] = work_[k];
    work_[k] = Real(0);
    if (open && closed_[k] != 0) {
      leak += upper_[u];
      upper_[u] = Real(0);
    }
    leave += upper_[u];
  }
  leave += leak;
  const bool last = !open && last_[class_[row]] == row;
  if (std::is_same_v<Real, double> && !resolved) return false;
  if (!last && !(leave >= deep<Real>)) return false;
  leave_[row] = last ? Real(1) : leave;
  leak_[row] = leak / leave_[row];
  least_[row] = leak_[row] > Real(0) ? leak_[row] : Real(1);
  for (auto u = plan_->upper_first[row]; u < plan_->upper_first[row + 1]; ++u) {
    upper_[u] /= leave_[row];
    if (upper_[u] > Real(0) && upper_[u] < least_[row]) least_[row] = upper_[u];
  }
  return true;
}

template <class Real>
void Elimination<Real>::solve(bool closed, std::span<const Real> right, std::span<Real> x) const {
  const int n = chain_->states();
  const char wanted = closed ? 1 : 0;
  std::vector<Real> value(n, Real(0));
  for (int row = 0; row < n; ++row) {
    if (closed_[row] != wanted || (closed && last_[class_[row]] == row)) continue;
    Real sum = right[plan_->state[row]];
    for (auto e = plan_->lower_first[row]; e < plan_->lower_first[row + 1]; ++e) {
      sum += lower_[e] * value[plan_->lower[e]];
    }
    value[row] = sum / leave_[row];
  }
  for (int row = n - 1; row >= 0; --row) {
    if (closed_[row] != wanted) continue;
    for (auto u = plan_->upper_first[row]; u < plan_->upper_first[row + 1]; ++u) {
      value[row] += upper_[u] * value[plan_->upper[u]];
    }
    x[plan_->state[row]] = value[row];
  }
}

template <class Real>
void Elimination<Real>::open_visits(std::span<const Real> from, std::span<Real> v) const {
  const int n = chain_->states();
  std::vector<Real> value(n, Real(0));
  for (int row = 0; row < n; ++row) {
    if (closed_[row] != 0) continue;
    value[row] += from[plan_->state[row]];
    if (value[row] == Real(0)) continue;
    for (auto u = plan_->upper_first[row]; u < plan_->upper_first[row + 1]; ++u) {
      value[plan_->upper[u]] += value[row] * upper_[u];
    }
  }
  for (int row = n - 1; row >= 0; --row) {
    if (closed_[row] != 0) continue;
    value[row] /= leave_[row];
    v[plan_->state[row]] = value[row];
    for (auto e = plan_->lower_first[row]; e < plan_->lower_first[row + 1]; ++e) {
      value[plan_->lower[e]] += value[row] * lower_[e];
    }
  }
}

template <class Real>
bool Elimination<Real>::class_distributions(std::span<Real> distribution) const {
  const int n = chain_->states();
  std::vector<Real> value(n, Real(0)), total(last_.size(), Real(0));
  for (int row = n - 1; row >= 0; --row) {
    if (closed_[row] == 0) continue;
    value[row] = last_[class_[row]] == row ? Real(1) : value[row] / leave_[row];
    if (value[row] > Real(1e6)) {  // the last state may be visited very rarely: rescale to avoid overflow
      const Real scale = Real(1) / value[row];
      for (int i = 0; i < n; ++i) value[i] *= class_[i] == class_[row] ? scale : Real(1);
    }
    for (auto e = plan_->lower_first[row]; e < plan_->lower_first[row + 1]; ++e) {
      value[plan_->lower[e]] += value[row] * lower_[e];
    }
  }
  bool resolved = true;
  for (int row = 0; row < n; ++row) {
    if (closed_[row] == 0) continue;
    total[class_[row]] += value[row];
    resolved &= value[row] >= deep<Real>;
  }
  for (int row = 0; row < n; ++row) {
    distribution[plan_->state[row]] = closed_[row] != 0 ? value[row] / total[class_[row]] : Real(0);
  }
  return resolved;
}

template class Elimination<double>;
template class Elimination<long double>;
template class Elimination<Quad>;

}  // namespace politex::exact
