#include "politex/evaluate/fitted_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "politex/base/error.hpp"

namespace politex::inline evaluate {
namespace {

/// Of the mean square of the features: it makes what the log says nothing about solvable, and moves the rest by
/// nothing.
constexpr double fitted_ridge = 1e-7;

/// A square matrix, factored once by elimination with pivots and solved for many right sides.
class Factored {
 public:
  Factored(std::vector<double> matrix, std::size_t size) : a_(std::move(matrix)), size_(size), row_(size) {
    for (std::size_t i = 0; i < size_; ++i) row_[i] = i;
    for (std::size_t k = 0; k < size_; ++k) {
      std::size_t best = k;
      for (std::size_t i = k + 1; i < size_; ++i)
        if (std::abs(at(i, k)) > std::abs(at(best, k))) best = i;
      std::swap(row_[k], row_[best]);
      for (std::size_t i = k + 1; i < size_; ++i) {
        const double factor = at(i, k) /= at(k, k);
        if (factor == 0.0) continue;
        for (std::size_t j = k + 1; j < size_; ++j) at(i, j) -= factor * at(k, j);
      }
    }
  }
  std::vector<double> solve(std::span<const double> right) const {
    std::vector<double> x(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      x[i] = right[row_[i]];
      for (std::size_t j = 0; j < i; ++j) x[i] -= at(i, j) * x[j];
    }
    for (std::size_t i = size_; i-- > 0;) {
      for (std::size_t j = i + 1; j < size_; ++j) x[i] -= at(i, j) * x[j];
      x[i] /= at(i, i);
    }
    return x;
  }

 private:
  double& at(std::size_t i, std::size_t j) { return a_[row_[i] * size_ + j]; }
  double at(std::size_t i, std::size_t j) const { return a_[row_[i] * size_ + j]; }

  std::vector<double> a_;
  std::size_t size_;
  std::vector<std::size_t> row_;
};

double dot(std::span<const double> a, std::span<const double> b) {
  double total = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) total += a[k] * b[k];
  return total;
}

/// target += vector vector', the other one scaled; zeros, of which replicated features have many, are skipped.
void add_outer(std::vector<double>& target, std::size_t size, std::span<const double> left,
               std::span<const double> right) {
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] == 0.0) continue;
    for (std::size_t j = 0; j < right.size(); ++j) target[i * size + j] += left[i] * right[j];
  }
}

}  // namespace

LogEstimate fit_log(const FittedLog& log, const std::vector<double>& next, const std::string& file) {
  const std::size_t lines = log.cost.size(), width = log.width, size = width + 1;
  const auto row = [&](const std::vector<double>& of, std::size_t t) {
    return std::span(of).subspan(t * width, width);
  };
  double squares_of_features = 0.0;
  for (const double each : log.taken) squares_of_features += each * each;
  const double ridge = fitted_ridge * squares_of_features / static_cast<double>(width);
  // The unknowns are w and the gain; `transposed` gives the weights of the lines.
  std::vector<double> matrix(size * size, 0.0), gram(width * width, 0.0), right(size, 0.0), z(size), change(size);
  for (std::size_t t = 0; t < lines; ++t) {
    for (std::size_t k = 0; k < width; ++k) {
      z[k] = row(log.taken, t)[k];
      change[k] = z[k] - row(next, t)[k];
    }
    z[width] = change[width] = 1.0;
    add_outer(matrix, size, z, change);
    add_outer(gram, width, std::span(z).first(width), std::span(z).first(width));
    for (std::size_t k = 0; k < size; ++k) right[k] += z[k] * log.cost[t];
  }
  for (std::size_t k = 0; k < width; ++k) {
    matrix[k * size + k] += ridge;
    gram[k * width + k] += ridge;
  }
  std::vector<double> transposed(size * size);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) transposed[j * size + i] = matrix[i * size + j];
  const std::vector<double> solved = Factored(std::move(matrix), size).solve(right);
  std::vector<double> last(size, 0.0);
  last[width] = 1.0;
  const std::vector<double> carries = Factored(std::move(transposed), size).solve(last);
  const Factored support(std::move(gram), width);

  LogEstimate out{.gain = solved[width]};
  const std::span<const double> w = std::span(solved).first(width);
  double weights = 0.0, squares = 0.0, time = 0.0, on_few = 0.0;
  for (std::size_t t = 0; t < lines; ++t) {
    const double error = log.cost[t] - out.gain - dot(row(log.taken, t), w) + dot(row(next, t), w);
    const double ratio = dot(row(log.taken, t), std::span(carries).first(width)) + carries[width];
    out.influence.push_back(ratio * error);
    out.weight.push_back(ratio);
    out.value.push_back(dot(row(next, t), w));
    out.leverage.push_back(dot(row(log.taken, t), support.solve(row(log.taken, t))));
    weights += ratio;
    squares += ratio * ratio;
    // What the policy does next is worth 1 / leverage lines of the log.
    const std::span<const double> ahead = row(next, t);
    const double leverage = dot(ahead, support.solve(ahead));
    time += std::max(0.0, ratio);
    if (leverage > 1.0 / few_lines) on_few += std::max(0.0, ratio);
  }
  if (!std::isfinite(out.gain) || !std::isfinite(squares))
    does_not_cover(file, "the equations of the fitted Q have no solution");
  if (on_few > most_time_on_few * time)
    does_not_cover(file, fmt::format("in {:.0f}% of its time the policy does what fewer than {:g} lines say something "
                                     "about",
                                     100.0 * on_few / time, few_lines));
  check_effective_lines(file, weights, squares, lines);
  return out;
}

namespace {

constexpr double most_feature_numbers = 2e8;

/// The features of an observation in the block of the action, appended; maps that are not replicated have a row per
/// action already.
void append_pair(const FeatureMap& map, std::span<const double> observation, int action, std::size_t width,
                 std::vector<double>& to) {
  SparseRows rows;
  rows.columns = map.columns();
  map.append(observation, rows);
  const std::size_t begin = to.size();
  to.resize(begin + width, 0.0);
  const int row = map.replicated() ? 0 : action;
  const std::size_t offset =
      map.replicated() ? static_cast<std::size_t>(action) * static_cast<std::size_t>(map.columns()) : 0;
  for (std::size_t k = 0; k < rows.indices(row).size(); ++k)
    to[begin + offset + static_cast<std::size_t>(rows.indices(row)[k])] = rows.values(row)[k];
}

std::vector<double> next_features_of(const ObservationLog& log, const FeatureMap& map, std::size_t width,
                                     const Explorer& policy) {
  std::vector<double> next;
  ExplorerMemory memory;
  Rng rng(1, Use::comparator);
  for (std::size_t t = 0; t < log.cost.size(); ++t) {
    const auto seen = std::span(log.after).subspan(t * log.numbers, log.numbers);
    append_pair(map, seen, policy.act(seen, memory, rng), width, next);
  }
  return next;
}

}  // namespace

Comparison evaluate_observations(const ObservationLog& log, const std::string& file, const FeatureMap& map, int actions,
                                 const Explorer& policy, const Explorer* reference, double alpha) {
  const auto columns = static_cast<std::size_t>(map.columns());
  FittedLog fitted{
      .width = map.replicated() ? columns * static_cast<std::size_t>(actions) : columns, .taken = {}, .cost = log.cost};
  if (static_cast<double>(fitted.width) * static_cast<double>(log.cost.size()) > most_feature_numbers)
    throw ConfigError{"--log", fmt::format("{}: {} lines of {} features are too many; accepted: up to {:g} numbers",
                                           file, log.cost.size(), fitted.width, most_feature_numbers)};
  for (std::size_t t = 0; t < log.cost.size(); ++t)
    append_pair(map, std::span(log.before).subspan(t * log.numbers, log.numbers), log.action[t], fitted.width,
                fitted.taken);
  const LogEstimate first = fit_log(fitted, next_features_of(log, map, fitted.width, policy), file);
  if (reference == nullptr) return compare_estimates(first, nullptr, "fitted_q", alpha);
  const LogEstimate second = fit_log(fitted, next_features_of(log, map, fitted.width, *reference), file);
  return compare_estimates(first, &second, "fitted_q", alpha);
}

}  // namespace politex::inline evaluate
