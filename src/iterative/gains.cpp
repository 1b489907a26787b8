#include "politex/iterative/gains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "politex/iterative/krylov.hpp"

namespace politex::inline iterative {
namespace {

using Numbers = std::vector<double>;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int most_products_of_a_solve = 2000;
constexpr int first_sweeps = 24, rate_sweeps = 8;
// Value iteration continues while it is predicted to need at most this number of sweeps.
constexpr double most_predicted_sweeps = 300.0;
constexpr int most_improvements = 200, most_failures = 8, most_quiet = 25;
constexpr double most_sweep_moves = 4e9;

double mean_of(const Numbers& v) {
  long double sum = 0.0L;
  for (const double entry : v) sum += static_cast<long double>(entry);
  return static_cast<double>(sum / static_cast<long double>(v.size()));
}

/// One step from a state: cost plus the expected change of h, with a bound on its rounding. Differences are small where
/// h is large, so that they lose nothing.
struct StepChange {
  double change = 0.0, size = 0.0;
};

StepChange change_of(double cost, double own, double teleport, double mean, std::span<const std::int32_t> next,
                     std::span<const double> probability, const Numbers& h) {
  double moved = 0.0, size = 0.0;
  for (std::size_t e = 0; e < next.size(); ++e) {
    const double part = probability[e] * (h[static_cast<std::size_t>(next[e])] - own);
    moved += part;
    size += std::abs(part);
  }
  const double jump = teleport * (mean - own);
  return {.change = cost + (1.0 - teleport) * moved + jump, .size = std::abs(cost) + size + std::abs(jump)};
}

/// The bounds of one h, collected state by state.
class BoundsOfSweep {
 public:
  void add(const StepChange& one, std::size_t terms) {
    low_ = std::min(low_, one.change);
    high_ = std::max(high_, one.change);
    rounding_ = std::max(rounding_, epsilon * static_cast<double>(terms + 4) * one.size);
  }
  /// `most` is the largest |h|, which matters where the mean of h does.
  GainBounds bounds(double teleport, double most, std::size_t states) const {
    const double all = rounding_ + teleport * most * (epsilon + 1e-19 * static_cast<double>(states));
    return {.low = low_ - all, .high = high_ + all};
  }

 private:
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_, rounding_ = 0.0;
};

double largest(const Numbers& h) {
  double most = 0.0;
  for (const double entry : h) most = std::max(most, std::abs(entry));
  return most;
}

void narrow(GainBounds& bounds, const GainBounds& more) {
  bounds.low = std::max(bounds.low, more.low);
  bounds.high = std::min(bounds.high, more.high);
}

double wanted_width(const GainBounds& bounds) { return narrow_bounds * std::max(1.0, std::abs(bounds.middle())); }

constexpr GainBounds unbounded{.low = -std::numeric_limits<double>::infinity(),
                               .high = std::numeric_limits<double>::infinity()};

/// Probabilities whose sums are 1: sums within 1e-9 of it are accepted, and mean the nearest probabilities. Empty where
/// they are already.
Numbers normalised(const FiniteModel& model) {
  Numbers result;
  for (int pair = 0; pair < model.pairs(); ++pair) {
    double total = 0.0;
    for (auto e = model.first[pair]; e < model.first[pair + 1]; ++e) total += model.probability[e];
    if (std::abs(total - 1.0) <= 1e-14) continue;
    if (result.empty()) result = model.probability;
    for (auto e = model.first[pair]; e < model.first[pair + 1]; ++e) result[e] /= total;
  }
  return result;
}

class OptimumIteration {
 public:
  OptimumIteration(const FiniteModel& model, std::vector<int> actions, const ShowIteration& show)
      : model_(model),
        own_(normalised(model)),
        probability_(own_.empty() ? std::span<const double>(model.probability) : std::span<const double>(own_)),
        show_(show),
        h_(static_cast<std::size_t>(model.states), 0.0),
        change_(h_.size()) {
    found_.gain = unbounded;
    found_.action = actions;
    actions_ = std::move(actions);
  }

  IteratedOptimum run() {
    iterate_values(first_sweeps, 0.9);
    int failures = 0, quiet = 0;  // solutions that failed, and improvements since the bounds became clearly narrower
    for (double least = found_.gain.width();
         !done() && found_.improvements < most_improvements && failures < most_failures && quiet < most_quiet;) {
      const bool solved = improve();
      sweep();
      // A policy with several recurrent classes has no solution; value iteration leads away from it.
      if ((!solved || quiet % 4 == 3) && !done()) iterate_values(sweeps_after(std::max(failures, quiet / 4)), 0.5);
      const bool narrower = found_.gain.width() < 0.7 * least;
      if (narrower) least = found_.gain.width();
      quiet = narrower ? 0 : quiet + 1;
      failures = solved || narrower ? 0 : failures + 1;
    }
    for (double& h : best_) h -= best_start_;
    found_.bias = std::move(best_);
    return std::move(found_);
  }

 private:
  bool done() const { return found_.gain.width() <= wanted_width(found_.gain); }

  /// T h - h and the actions that attain it; keeps an action unless another one is clearly better.
  void sweep() {
    const double mean = model_.teleport > 0.0 ? mean_of(h_) : 0.0;
    BoundsOfSweep sweep;
    for (int x = 0; x < model_.states; ++x) {
      const auto change = [&](Action a) {
        const auto pair = static_cast<std::size_t>(model_.pair(x, a));
        const auto begin = static_cast<std::size_t>(model_.first[pair]);
        const auto count = static_cast<std::size_t>(model_.first[pair + 1]) - begin;
        const StepChange one =
            change_of(model_.cost[pair], h_[x], model_.teleport, mean, std::span(model_.next).subspan(begin, count),
                      probability_.subspan(begin, count), h_);
        return std::pair(one, count);
      };
      auto [least, terms] = change(actions_[x]);
      double lowest = least.change, size = least.size;
      Action best = actions_[x];
      for (Action a = 0; a < model_.actions; ++a) {
        if (a == actions_[x]) continue;
        const auto [other, count] = change(a);
        terms = std::max(terms, count);
        size = std::max(size, other.size);
        lowest = std::min(lowest, other.change);
        if (other.change < least.change - 8.0 * epsilon * (other.size + least.size)) {
          least = other;
          best = a;
        }
      }
      changed_ += best != actions_[x] ? 1 : 0;
      actions_[x] = best;
      change_[x] = least.change;
      sweep.add({.change = lowest, .size = size}, terms);
      if (least.change > lowest) sweep.add({.change = least.change, .size = size}, terms);
    }
    ++found_.products;
    newest_ = sweep.bounds(model_.teleport, largest(h_), h_.size());
    narrow(found_.gain, newest_);
    // The greedy policy of h has gains within the bounds of this h.
    if (newest_.width() < best_width_) {
      best_width_ = newest_.width();
      found_.action = actions_;
      best_ = h_;
      best_start_ = h_[static_cast<std::size_t>(model_.start)];
    }
    if (show_)
      show_({.what = "optimal gain",
             .width = found_.gain.width(),
             .wanted = wanted_width(found_.gain),
             .bounds = found_.gain,
             .products = found_.products});
  }

  /// Relative value iteration with the aperiodicity transformation: `part` of every step is taken.
  void iterate_values(int least_sweeps, double part) {
    Numbers widths;
    for (int count = 0;; ++count) {
      changed_ = 0;
      sweep();
      widths.push_back(newest_.width());
      if (done()) return;
      const auto now = widths.size();
      if (count >= least_sweeps && now > rate_sweeps) {
        const double rate = std::pow(widths[now - 1] / widths[now - 1 - rate_sweeps], 1.0 / rate_sweeps);
        const double left = std::log(wanted_width(newest_) / newest_.width()) / std::log(std::min(rate, 1.0 - 1e-9));
        if (!(left <= most_predicted_sweeps)) return;
      }
      const double middle = newest_.middle();
      for (std::size_t x = 0; x < h_.size(); ++x) h_[x] += part * (change_[x] - middle);
    }
  }

  /// Twice as many after every failure, as long as that takes seconds.
  int sweeps_after(int failures) const {
    const double most = most_sweep_moves / static_cast<double>(model_.next.size() + 1);
    return static_cast<int>(std::clamp(most, 100.0, 100.0 * std::pow(2.0, failures)));
  }

  /// Solves for the bias of the newest actions. Returns whether that made their bounds much narrower.
  bool improve() {
    const bool same = changed_ == 0;
    if (!same || !hierarchy_) hierarchy_.emplace(leaving(rows_of_actions(), model_.teleport));
    changed_ = 0;
    ++found_.improvements;
    const double width = newest_.width(), aim = 0.3 * wanted_width(newest_);
    Numbers step(h_.size(), 0.0);
    const KrylovResult result = solve(*hierarchy_, change_, Residual::up_to_a_constant,
                                      same ? aim : std::max(aim, 0.02 * width), most_products_of_a_solve, step);
    found_.products += result.products;
    if (!(result.reached < 0.9 * width)) return false;
    for (std::size_t x = 0; x < h_.size(); ++x) h_[x] += step[x];
    const double middle = h_[static_cast<std::size_t>(model_.start)];
    for (double& h : h_) h -= middle;
    return result.reached <= 0.1 * width;
  }

  SparseRows rows_of_actions() const {
    SparseRows rows;
    rows.columns = model_.states;
    rows.first.reserve(static_cast<std::size_t>(model_.states) + 1);
    for (int x = 0; x < model_.states; ++x) {
      const auto pair = static_cast<std::size_t>(model_.pair(x, actions_[x]));
      for (auto e = model_.first[pair]; e < model_.first[pair + 1]; ++e) rows.append(model_.next[e], probability_[e]);
      rows.end_row();
    }
    return rows;
  }

  const FiniteModel& model_;
  Numbers own_;
  std::span<const double> probability_;
  const ShowIteration& show_;
  Numbers h_, change_, best_;
  double best_start_ = 0.0, best_width_ = std::numeric_limits<double>::infinity();
  std::vector<int> actions_;
  std::int64_t changed_ = 0;
  GainBounds newest_ = unbounded;
  std::optional<Hierarchy> hierarchy_;
  IteratedOptimum found_;
};

GainBounds sweep_policy(const SparseRows& rows, std::span<const double> cost, double teleport, const Numbers& h,
                        Numbers& change) {
  const double mean = teleport > 0.0 ? mean_of(h) : 0.0;
  BoundsOfSweep sweep;
  for (int x = 0; x < rows.rows(); ++x) {
    const StepChange one = change_of(cost[static_cast<std::size_t>(x)], h[static_cast<std::size_t>(x)], teleport, mean,
                                     rows.indices(x), rows.values(x), h);
    change[static_cast<std::size_t>(x)] = one.change;
    sweep.add(one, rows.indices(x).size());
  }
  return sweep.bounds(teleport, largest(h), h.size());
}

void find_stationary(const MoveMatrix& leave, double teleport, IteratedPolicy& found) {
  const auto n = static_cast<std::size_t>(leave.size());
  Hierarchy back(transposed(leave));
  const Numbers jumps(n, teleport / static_cast<double>(n));
  found.stationary.assign(n, 1.0 / static_cast<double>(n));
  const auto rescale = [&] {
    double total = 0.0;
    for (double& mass : found.stationary) total += mass = std::max(mass, 0.0);
    for (double& mass : found.stationary) mass /= total;
  };
  Numbers flow(n);
  for (int attempt = 0; attempt < 4; ++attempt) {
    found.products += solve(back, jumps, Residual::all, 3e-13, most_products_of_a_solve, found.stationary).products;
    rescale();
    back.finest().multiply(found.stationary, flow);
    found.imbalance = 0.0;
    for (std::size_t x = 0; x < n; ++x) found.imbalance += std::abs(jumps[x] - flow[x]);
    if (found.imbalance <= 1e-12) return;
  }
}

}  // namespace

IteratedPolicy iterate_policy(const SparseRows& rows, std::span<const double> cost, double teleport, int start,
                              bool distribution, const ShowIteration& show) {
  const auto states = static_cast<std::size_t>(rows.rows());
  IteratedPolicy found;
  found.gain = unbounded;
  Numbers h(states, 0.0), change(states), step(states);
  const MoveMatrix leave = leaving(rows, teleport);
  const auto report = [&](const char* what) {
    if (show)
      show({.what = what,
            .width = found.gain.width(),
            .wanted = wanted_width(found.gain),
            .bounds = found.gain,
            .products = found.products});
  };
  {
    Hierarchy hierarchy(leave);
    double best = std::numeric_limits<double>::infinity();
    for (int failures = 0; failures < most_failures;) {
      const GainBounds newest = sweep_policy(rows, cost, teleport, h, change);
      ++found.products;
      if (newest.width() < best) found.bias = h;
      failures = newest.width() < 0.5 * best ? 0 : failures + 1;
      best = std::min(best, newest.width());
      narrow(found.gain, newest);
      report("gain of the policy");
      if (found.gain.width() <= wanted_width(found.gain)) break;
      std::ranges::fill(step, 0.0);
      const double aim = std::max(0.3 * wanted_width(newest), 1e-3 * newest.width());
      found.products +=
          solve(hierarchy, change, Residual::up_to_a_constant, aim, most_products_of_a_solve, step).products;
      for (std::size_t x = 0; x < states; ++x) h[x] += step[x];
      const double home = h[static_cast<std::size_t>(start)];
      for (double& value : h) value -= home;
    }
  }
  const double home = found.bias[static_cast<std::size_t>(start)];
  for (double& value : found.bias) value -= home;
  if (!distribution) return found;
  report("stationary distribution");
  find_stationary(leave, teleport, found);
  return found;
}

IteratedOptimum iterate_optimum(const FiniteModel& model, std::vector<int> actions, const ShowIteration& show) {
  return OptimumIteration(model, std::move(actions), show).run();
}

double iteration_bytes(const FiniteModel& model) {
  const auto states = static_cast<double>(model.states), moves = static_cast<double>(model.next.size());
  // A policy's moves, their hierarchy (half as much again), and a dozen vectors.
  const double moves_of_policy = moves / model.actions;
  return states * 8.0 * 14 + moves_of_policy * 12.0 * 3 + states * 16.0 * 3;
}

}  // namespace politex::inline iterative
