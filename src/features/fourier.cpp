#include "politex/features/fourier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "politex/base/error.hpp"
#include "politex/features/coordinates.hpp"
#include "politex/features/features_entry.hpp"

namespace politex::inline features {

Fourier::Fourier(std::vector<Range> ranges, std::int64_t order) : ranges_(std::move(ranges)), order_(order) {
  count_ = number_of_features("features.order", order + 1, ranges_.size(), 1);
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
                      fmt::format("{} with products of {} gives {} features for {} coordinates; accepted: "
                                  "at most {}. Use a smaller order or a smaller features.coupling",
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

std::unique_ptr<FeatureMap> make_fourier(std::vector<Range> ranges, std::int64_t order, std::int64_t coupling) {
  if (coupling > 0) return std::make_unique<SparseFourier>(std::move(ranges), order, coupling == 2);
  return std::make_unique<Fourier>(std::move(ranges), order);
}

std::unique_ptr<FeatureMap> make_small_fourier(const std::vector<Range>& ranges) {
  constexpr std::int64_t most = 80;
  const auto n = static_cast<std::int64_t>(ranges.size());
  if (n <= 3) return std::make_unique<Fourier>(ranges, n == 3 ? 3 : 7);
  for (const std::int64_t order : {2, 1})
    if (1 + n * order + n * (n - 1) / 2 * order * order <= most)
      return std::make_unique<SparseFourier>(ranges, order, true);
  for (const std::int64_t order : {3, 2})
    if (1 + n * order <= most) return std::make_unique<SparseFourier>(ranges, order, false);
  return std::make_unique<SparseFourier>(ranges, 1, false);
}

namespace {

struct FourierOptions {
  std::int64_t order = 3, coupling = 0;
};

}  // namespace

const FeaturesEntry& fourier_entry() {
  static const FeaturesEntry entry{
      .name = "fourier",
      .help = "Fourier basis of continuous states",
      .keys = {key<&FourierOptions::order>("features.order", "largest frequency along each axis", whole(0, 64)),
               key<&FourierOptions::coupling>("features.coupling",
                                              "most coordinates in one product: 1, 2, or 0 for all", whole(0, 2))},
      .fits = [](const Space& space, const FiniteModel*) { return space.states == 0; },
      .make = [](const FeaturesRequest& request) -> std::unique_ptr<FeatureMap> {
        const auto options = read<FourierOptions>(fourier_entry().keys, request.values);
        return make_fourier(request.space.ranges, options.order, options.coupling);
      }};
  return entry;
}

}  // namespace politex::inline features
