#include "politex/value/basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "politex/base/error.hpp"

namespace politex {
namespace {

constexpr std::int64_t most_features = 5000;

double scaled(double value, const Range& range) noexcept {
  return std::clamp((value - range.low) / (range.high - range.low), 0.0, 1.0);
}

std::int64_t power(const char* key, std::int64_t base, std::size_t exponent, std::int64_t times) {
  std::int64_t result = times;
  for (std::size_t k = 0; k < exponent; ++k) {
    result *= base;
    if (result > most_features)
      throw ConfigError{key, fmt::format("{} per coordinate makes more than {} features of {} coordinates; accepted: a "
                                         "smaller number",
                                         base, most_features, exponent)};
  }
  return result;
}

}  // namespace

Tiles::Tiles(std::vector<Range> ranges, std::int64_t tilings, std::int64_t tiles)
    : ranges_(std::move(ranges)), tilings_(tilings), tiles_(tiles) {
  cells_ = power("features.tiles", tiles, ranges_.size(), tilings) / tilings;
}

void Tiles::append(std::span<const double> observation, SparseRows& into) const {
  for (std::int64_t tiling = 0; tiling < tilings_; ++tiling) {
    std::int64_t cell = 0;
    for (std::size_t k = 0; k < ranges_.size(); ++k) {
      // Odd multiples of 1/tilings shift the grids differently in every coordinate.
      const auto shift = static_cast<double>((tiling * (2 * static_cast<std::int64_t>(k) + 1)) % tilings_) /
                         static_cast<double>(tilings_);
      const double position = scaled(observation[k], ranges_[k]) * static_cast<double>(tiles_ - 1) + shift;
      cell = cell * tiles_ + std::min(tiles_ - 1, static_cast<std::int64_t>(position));
    }
    into.append(static_cast<int>(tiling * cells_ + cell), 1.0);
  }
  into.end_row();
}

Fourier::Fourier(std::vector<Range> ranges, std::int64_t order) : ranges_(std::move(ranges)), order_(order) {
  count_ = power("features.order", order + 1, ranges_.size(), 1);
}

void Fourier::append(std::span<const double> observation, SparseRows& into) const {
  for (std::int64_t feature = 0; feature < count_; ++feature) {
    double phase = 0.0;
    std::int64_t digits = feature;
    for (std::size_t k = 0; k < ranges_.size(); ++k) {
      phase += static_cast<double>(digits % (order_ + 1)) * scaled(observation[k], ranges_[k]);
      digits /= order_ + 1;
    }
    into.append(static_cast<int>(feature), std::cos(std::numbers::pi * phase));
  }
  into.end_row();
}

SparseFourier::SparseFourier(std::vector<Range> ranges, std::int64_t order, bool coupled)
    : ranges_(std::move(ranges)), order_(static_cast<std::size_t>(order)), coupled_(coupled) {
  const auto n = static_cast<std::int64_t>(ranges_.size());
  const std::int64_t count = 1 + n * order + (coupled ? n * (n - 1) / 2 * order * order : 0);
  if (count > most_features)
    throw ConfigError{"features.order",
                      fmt::format("{} with products of {} makes {} features of {} coordinates; accepted: "
                                  "at most {}, by a smaller number or features.coupling",
                                  order, coupled ? 2 : 1, count, n, most_features)};
  columns_ = static_cast<int>(count);
  cosine_.resize(ranges_.size() * order_);
  sine_.resize(cosine_.size());
}

void SparseFourier::append(std::span<const double> observation, SparseRows& into) const {
  int column = 0;
  into.append(column++, 1.0);
  if (order_ == 0) return into.end_row();
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const double angle = std::numbers::pi * scaled(observation[i], ranges_[i]);
    double* const c = cosine_.data() + i * order_;
    double* const s = sine_.data() + i * order_;
    c[0] = std::cos(angle);
    s[0] = std::sin(angle);
    for (std::size_t k = 1; k < order_; ++k) {
      c[k] = c[k - 1] * c[0] - s[k - 1] * s[0];
      s[k] = s[k - 1] * c[0] + c[k - 1] * s[0];
    }
    for (std::size_t k = 0; k < order_; ++k) into.append(column++, c[k]);
  }
  for (std::size_t i = 0; coupled_ && i < cosine_.size(); ++i)
    for (std::size_t j = (i / order_ + 1) * order_; j < cosine_.size(); ++j)
      into.append(column++, cosine_[i] * cosine_[j] - sine_[i] * sine_[j]);
  into.end_row();
}

}  // namespace politex
