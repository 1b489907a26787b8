#include "politex/exact/weighted_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "politex/base/error.hpp"
#include "politex/exact/excitation.hpp"

namespace politex::exact {
namespace {

constexpr double most_entries = 6e7;
constexpr double row_noise = 1e-11;  // entries this small relative to their own row are rounding

}  // namespace

WeightedBasis::WeightedBasis(const SparseRows& features, std::span<const double> distribution)
    : features_(features.columns) {
  if (features.columns > most_features || static_cast<double>(features.columns) * features.rows() > most_entries) {
    throw Error(
        fmt::format("{} features of {} pairs are too many for dense least squares; use fewer features or a "
                    "smaller environment",
                    features.columns, features.rows()));
  }
  const double total = std::accumulate(distribution.begin(), distribution.end(), 0.0);
  for (int pair = 0; pair < features.rows(); ++pair) {
    if (!(distribution[static_cast<std::size_t>(pair)] > 0.0)) continue;
    support_.push_back(pair);
    probability_.push_back(distribution[static_cast<std::size_t>(pair)] / total);
  }
  // The constant is column 0.
  const int columns = features_ + 1;
  std::vector<double> matrix(support_.size() * columns, 0.0);
  for (std::size_t i = 0; i < support_.size(); ++i) {
    const double root = std::sqrt(probability_[i]);
    double* const row = matrix.data() + i * columns;
    row[0] = root;
    const auto indices = features.indices(support_[i]);
    const auto values = features.values(support_[i]);
    for (std::size_t e = 0; e < indices.size(); ++e) row[1 + indices[e]] += root * values[e];
  }
  reduce(matrix, columns);
}

// Reduces the matrix to a triangle and keeps the first columns of the orthogonal factor.
void WeightedBasis::reduce(std::vector<double>& matrix, int columns) {
  const int rows = static_cast<int>(support_.size());
  std::vector<int> row_of(rows), column_of(columns);
  std::iota(row_of.begin(), row_of.end(), 0);
  std::iota(column_of.begin(), column_of.end(), 0);
  std::vector<double> largest(rows, 0.0);
  const auto at = [&](int i, int j) -> double& {
    return matrix[static_cast<std::size_t>(row_of[i]) * columns + column_of[j]];
  };
  int step = 0;
  for (; step < std::min(rows, columns); ++step) {
    // What is left of a column without rounding; the constant goes first.
    int best = step;
    double most = 0.0;
    std::vector<double> norms(columns, 0.0);
    for (int i = step; i < rows; ++i) {
      double& scale = largest[row_of[i]];
      for (int j = step; j < columns; ++j) scale = std::max(scale, std::abs(at(i, j)));
      for (int j = step; j < columns; ++j) {
        double& entry = at(i, j);
        if (std::abs(entry) <= row_noise * scale) entry = 0.0;
        norms[j] += entry * entry;
      }
    }
    for (int j = step; j < (step == 0 ? 1 : columns); ++j) {
      if (norms[j] > most) {
        most = norms[j];
        best = j;
      }
    }
    if (most == 0.0) {
      // Squares may underflow where the entries do not.
      for (int j = step; j < columns && most == 0.0; ++j) {
        for (int i = step; i < rows; ++i) {
          if (at(i, j) != 0.0) {
            most = std::abs(at(i, j));
            best = j;
          }
        }
      }
      if (most == 0.0) break;
    }
    std::swap(column_of[step], column_of[best]);
    int heaviest = step;
    for (int i = step; i < rows; ++i) {
      if (std::abs(at(i, step)) > std::abs(at(heaviest, step))) heaviest = i;
    }
    std::swap(row_of[step], row_of[heaviest]);
    const double pivot = at(step, step);
    double square = 0.0;
    for (int i = step; i < rows; ++i) square += (at(i, step) / pivot) * (at(i, step) / pivot);
    // v = (1 + norm, x / pivot): all entries at most 1 next to the first.
    std::vector<double> v(rows, 0.0);  // by original row
    for (int i = step; i < rows; ++i) v[row_of[i]] = at(i, step) / pivot;
    v[row_of[step]] += std::sqrt(square);
    const double beta = 1.0 / (std::sqrt(square) * v[row_of[step]]);
    std::vector<double> sums(columns, 0.0);
    for (int i = step; i < rows; ++i) {
      for (int j = step; j < columns; ++j) sums[j] += v[row_of[i]] * at(i, j);
    }
    for (int i = step; i < rows; ++i) {
      for (int j = step; j < columns; ++j) at(i, j) -= beta * v[row_of[i]] * sums[j];
    }
    for (int i = step + 1; i < rows; ++i) at(i, step) = 0.0;
    reflections_.push_back({.direction = std::move(v), .factor = beta, .pivot = row_of[step]});
  }
  size_ = std::max(0, step - 1);
  chosen_.assign(column_of.begin(), column_of.begin() + step);
  others_.assign(column_of.begin() + step, column_of.end());
  std::vector<double> triangle(static_cast<std::size_t>(step) * columns);
  for (int i = 0; i < step; ++i) {
    for (int j = 0; j < columns; ++j) triangle[static_cast<std::size_t>(i) * columns + j] = j < i ? 0.0 : at(i, j);
  }
  find_null_space(triangle, columns);

  scaled_.assign(static_cast<std::size_t>(rows) * size_, 0.0);
  std::vector<double> unit(rows);
  for (int k = 1; k < step; ++k) {
    std::ranges::fill(unit, 0.0);
    unit[reflections_[k].pivot] = 1.0;
    for (int r = step - 1; r >= 0; --r) reflect(reflections_[r], unit);
    for (int i = 0; i < rows; ++i) scaled_[static_cast<std::size_t>(i) * size_ + k - 1] = unit[i];
  }
}

void WeightedBasis::reflect(const Reflection& by, std::vector<double>& f) {
  const double sum = by.factor * std::inner_product(f.begin(), f.end(), by.direction.begin(), 0.0);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] -= sum * by.direction[i];
}

void WeightedBasis::find_null_space(const std::vector<double>& triangle, int columns) {
  const auto step = chosen_.size(), left = others_.size();
  triangle_.resize(step * step);
  dependence_.resize(step * left);
  for (std::size_t i = 0; i < step; ++i) {
    for (std::size_t j = 0; j < step; ++j) triangle_[i * step + j] = triangle[i * columns + j];
  }
  for (std::size_t k = 0; k < left; ++k) {
    for (std::size_t i = step; i-- > 0;) {
      double sum = triangle[i * columns + step + k];
      for (std::size_t j = i + 1; j < step; ++j) sum -= triangle_[i * step + j] * dependence_[j * left + k];
      dependence_[i * left + k] = sum / triangle_[i * step + i];
    }
  }
  // Row 0 belongs to the constant, whose size does not count.
  factor_.assign(left * left, 0.0);
  for (std::size_t a = 0; a < left; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      double sum = a == b ? 1.0 : 0.0;
      for (std::size_t i = 1; i < step; ++i) sum += dependence_[i * left + a] * dependence_[i * left + b];
      for (std::size_t c = 0; c < b; ++c) sum -= factor_[a * left + c] * factor_[b * left + c];
      factor_[a * left + b] = a == b ? std::sqrt(sum) : sum / factor_[b * left + b];
    }
  }
}

std::vector<double> WeightedBasis::coefficients(std::span<const double> f) const {
  // From the value at the most probable pair, so that little is left for the constant to take away.
  const auto heaviest = static_cast<std::size_t>(std::ranges::max_element(probability_) - probability_.begin());
  const double centre = f[static_cast<std::size_t>(support_[heaviest])];
  std::vector<double> values(support_.size()), result(static_cast<std::size_t>(size_));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = std::sqrt(probability_[i]) * (f[static_cast<std::size_t>(support_[i])] - centre);
  }
  for (const Reflection& each : reflections_) reflect(each, values);
  for (std::size_t k = 0; k < result.size(); ++k)
    result[k] = values[static_cast<std::size_t>(reflections_[k + 1].pivot)];
  return result;
}

std::vector<double> WeightedBasis::weights(std::span<const double> coefficients) const {
  const auto step = chosen_.size(), left = others_.size();
  std::vector<double> z(step, 0.0), result(static_cast<std::size_t>(features_), 0.0);
  for (std::size_t i = step; i-- > 0;) {
    double sum = i == 0 ? 0.0 : coefficients[i - 1];
    for (std::size_t j = i + 1; j < step; ++j) sum -= triangle_[i * step + j] * z[j];
    z[i] = sum / triangle_[i * step + i];
  }
  // Moves along the null space to the least norm: (1 + C'C) t = C' z.
  std::vector<double> t(left, 0.0);
  for (std::size_t a = 0; a < left; ++a) {
    for (std::size_t i = 1; i < step; ++i) t[a] += dependence_[i * left + a] * z[i];
    for (std::size_t c = 0; c < a; ++c) t[a] -= factor_[a * left + c] * t[c];
    t[a] /= factor_[a * left + a];
  }
  for (std::size_t a = left; a-- > 0;) {
    for (std::size_t c = a + 1; c < left; ++c) t[a] -= factor_[c * left + a] * t[c];
    t[a] /= factor_[a * left + a];
  }
  for (std::size_t i = 1; i < step; ++i) {
    for (std::size_t a = 0; a < left; ++a) z[i] -= dependence_[i * left + a] * t[a];
    result[static_cast<std::size_t>(chosen_[i]) - 1] = z[i];
  }
  for (std::size_t a = 0; a < left; ++a) result[static_cast<std::size_t>(others_[a]) - 1] = t[a];
  return result;
}

}  // namespace politex::exact
