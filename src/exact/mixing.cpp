#include "politex/exact/mixing.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "politex/base/error.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/recurrence.hpp"
#include "politex/exact/spectrum.hpp"

namespace politex::exact {
namespace {

constexpr double most_comparisons = 3e10;

struct Closest {
  double overlap = 2.0;   // 1 - tau, without cancellation if tau is near 1
  double distance = 0.0;  // tau, without cancellation if it is near 0
  int first = -1, second = -1;
};

// The two rows of different states, at least one of them recurrent, whose distributions overlap least.
Closest least_overlap(const SparseRows& rows, int rows_per_state, const std::vector<char>& recurrent) {
  Closest worst;
  const auto mean_entries = static_cast<double>(rows.index.size()) / rows.rows();
  double work = 0.0;
  std::vector<double> distribution(rows.columns, 0.0);
  for (int i = 0; i < rows.rows() && worst.overlap > 0.0; ++i) {
    if (recurrent[i / rows_per_state] == 0) continue;
    if ((work += mean_entries * rows.rows()) > most_comparisons) {
      throw Error("too many pairs of transition distributions to compute kappa; use a smaller environment");
    }
    const auto columns = rows.indices(i);
    for (std::size_t e = 0; e < columns.size(); ++e) distribution[columns[e]] = rows.values(i)[e];
    for (int j = 0; j < rows.rows(); ++j) {
      const int x = i / rows_per_state, y = j / rows_per_state;
      if (x == y || (y < x && recurrent[y] != 0)) continue;
      double overlap = 0.0, distance = 0.0;
      const auto others = rows.indices(j);
      const auto values = rows.values(j);
      for (std::size_t e = 0; e < others.size(); ++e) {
        overlap += std::min(values[e], distribution[others[e]]);
        distance += std::max(values[e] - distribution[others[e]], 0.0);
      }
      if (overlap < worst.overlap) worst = {overlap, distance, i, j};
      if (overlap == 0.0) break;  // the distance is maximal
    }
    for (const int y : columns) distribution[y] = 0.0;
  }
  return worst;
}

Mixing mixing_of(const Closest& worst, double teleport, int rows_per_state) {
  Mixing result;
  if (worst.first < 0) {  // one state only: nothing to compare
    result.tau = 0.0;
    return result;
  }
  const double overlap = teleport + (1.0 - teleport) * worst.overlap;
  result.tau = worst.overlap == 0.0 ? 1.0 - teleport : (1.0 - teleport) * worst.distance;
  const double log_tau = overlap < 0.5 ? std::log1p(-overlap) : std::log(result.tau);
  result.kappa = overlap <= 0.0 ? std::numeric_limits<double>::infinity() : -1.0 / log_tau;
  result.first_state = worst.first / rows_per_state;
  result.second_state = worst.second / rows_per_state;
  if (rows_per_state > 1) {
    result.first_action = worst.first % rows_per_state;
    result.second_action = worst.second % rows_per_state;
  }
  return result;
}

Mixing infinite(int first, int second) {
  return {.tau = 1.0, .kappa = std::numeric_limits<double>::infinity(), .first_state = first, .second_state = second};
}

// The successor distributions of all pairs.
SparseRows pair_distributions(const FiniteModel& model) {
  SparseRows rows;
  rows.columns = model.states;
  for (int pair = 0; pair < model.pairs(); ++pair) {
    std::vector<std::pair<int, double>> entries;
    for (auto e = model.first[pair]; e < model.first[pair + 1]; ++e) {
      if (model.probability[e] > 0.0) entries.emplace_back(model.next[e], model.probability[e]);
    }
    std::ranges::stable_sort(entries, {}, &std::pair<int, double>::first);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const bool repeated = i > 0 && entries[i].first == entries[i - 1].first;
      if (repeated) {
        rows.value.back() += entries[i].second;
      } else {
        rows.append(entries[i].first, entries[i].second);
      }
    }
    rows.end_row();
  }
  return rows;
}

}  // namespace

Mixing mixing(const FiniteModel& model) {
  // A single end component is closed under all actions, so every pair of actions counts; with two, some policy has no
  // unique stationary distribution.
  const EndComponents components = end_components(model);
  if (components.count > 1) {
    const auto home = [&](int k) {
      return static_cast<int>(std::ranges::find(components.of, k) - components.of.begin());
    };
    return infinite(home(0), home(1));
  }
  std::vector<char> recurrent(model.states);
  for (int x = 0; x < model.states; ++x) recurrent[x] = components.of[x] >= 0 ? 1 : 0;
  return mixing_of(least_overlap(pair_distributions(model), model.actions, recurrent), model.teleport, model.actions);
}

Mixing mixing(const FiniteModel& model, std::span<const double> policy) {
  check_policy(model, policy);
  const Chain chain = chain_of(model, policy);
  const Classes classes = recurrent_classes(chain);
  if (classes.count > 1) {
    const auto home = [&](int k) { return static_cast<int>(std::ranges::find(classes.of, k) - classes.of.begin()); };
    return infinite(home(0), home(1));
  }
  std::vector<char> recurrent(model.states);
  for (int x = 0; x < model.states; ++x) recurrent[x] = classes.of[x] >= 0 ? 1 : 0;
  return mixing_of(least_overlap(chain.rows, 1, recurrent), model.teleport, 1);
}

double second_eigenvalue(const FiniteModel& model, std::span<const double> policy) {
  check_policy(model, policy);
  if (model.states > most_eigen_states) {
    throw Error(
        fmt::format("eigenvalues of a chain of {} states; accepted: up to {}. Use a smaller environment, or kappa, "
                    "which bounds the rate",
                    model.states, most_eigen_states));
  }
  if (model.states < 2) return 0.0;
  const Chain chain = chain_of(model, policy);
  Eigen::MatrixXd p = Eigen::MatrixXd::Constant(model.states, model.states, model.teleport / model.states);
  for (int x = 0; x < model.states; ++x) {
    const auto columns = chain.rows.indices(x);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      p(x, columns[e]) += (1.0 - model.teleport) * chain.rows.values(x)[e];
    }
  }
  return eigenvalue_moduli({p.data(), static_cast<std::size_t>(p.size())})[1];
}

double s_delta(int actions, std::span<const double> stationary, double delta) {
  double mean = 0.0;
  for (const double mass : stationary) {
    if (mass > 0.0) mean += mass * std::sqrt((std::log(2.0 / delta) - std::log(mass)) / 2.0);
  }
  return std::sqrt(std::log(static_cast<double>(actions)) / 2.0) + mean;
}

}  // namespace politex::exact
