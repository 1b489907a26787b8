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

}  // namespace politex
