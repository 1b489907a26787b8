#include "politex/features/polynomial.hpp"

#include <fmt/format.h>

#include "politex/base/error.hpp"
#include "politex/features/coordinates.hpp"
#include "politex/features/features_entry.hpp"
#include "politex/features/on_axes.hpp"

namespace politex::inline features {

Polynomial::Polynomial(std::vector<Range> ranges, std::int64_t degree) : ranges_(std::move(ranges)) {
  double count = 1.0;  // (numbers + degree) choose degree
  for (std::int64_t k = 1; k <= degree; ++k)
    count *= static_cast<double>(static_cast<std::int64_t>(ranges_.size()) + k) / static_cast<double>(k);
  if (count > static_cast<double>(most_features) + 0.5)
    throw ConfigError{"features.degree",
                      fmt::format("{} gives {:.6g} features for {} numbers; accepted: at most {}: a smaller degree",
                                  degree, count, ranges_.size(), most_features)};
  factors_.emplace_back();
  // Every product is made once, with its numbers in order.
  for (std::size_t begin = 0; degree > 0; --degree) {
    const std::size_t end = factors_.size();
    for (std::size_t f = begin; f < end; ++f)
      for (std::size_t k = f == 0 ? 0 : factors_[f].number; k < ranges_.size(); ++k)
        factors_.push_back({static_cast<int>(f), k});
    begin = end;
  }
  values_.resize(factors_.size());
  shares_.resize(ranges_.size());
}

void Polynomial::append(std::span<const double> observation, SparseRows& into) const {
  for (std::size_t k = 0; k < ranges_.size(); ++k) shares_[k] = scaled(observation[k], ranges_[k]);
  values_[0] = 1.0;
  into.append(0, 1.0);
  for (std::size_t f = 1; f < factors_.size(); ++f) {
    values_[f] = values_[static_cast<std::size_t>(factors_[f].earlier)] * shares_[factors_[f].number];
    if (values_[f] != 0.0) into.append(static_cast<int>(f), values_[f]);
  }
  into.end_row();
}

namespace {

struct PolynomialOptions {
  std::int64_t degree = 2;
};

}  // namespace

const FeaturesEntry& polynomial_entry() {
  static const FeaturesEntry entry{
      .name = "polynomial",
      .help = "products of the numbers of an observation: queue lengths, stocks, positions",
      .keys = {key<&PolynomialOptions::degree>("features.degree", "most numbers in a product", whole(0, 20))},
      .fits = has_numbers,
      .make = [](const FeaturesRequest& request) -> std::unique_ptr<FeatureMap> {
        const auto options = read<PolynomialOptions>(polynomial_entry().keys, request.values);
        return on_numbers(request.space, request.model, [&](const std::vector<Range>& ranges) {
          return std::make_unique<Polynomial>(ranges, options.degree);
        });
      },
      .lists_states = true};
  return entry;
}

}  // namespace politex::inline features
