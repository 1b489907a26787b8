#include "politex/features/radial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/features/coordinates.hpp"
#include "politex/features/features_entry.hpp"

namespace politex::inline features {
namespace {

constexpr double largest_distance = 3.0;

}  // namespace

Radial::Radial(std::vector<Range> ranges, const RadialOptions& options)
    : ranges_(std::move(ranges)),
      options_(options),
      groups_(groups_of(options.groups, ranges_.size())),
      near_(ranges_.size()) {
  const double along = std::min(static_cast<double>(options.centers), 2.0 * largest_distance * options.width + 1.0);
  double entries = 0.0;
  for (const auto& group : groups_) {
    columns_ += number_of_features("features.centers", options.centers, group.size(), 1, most_sparse_features);
    entries += std::pow(along, static_cast<double>(group.size()));
  }
  if (columns_ > most_sparse_features || entries > static_cast<double>(most_features))
    throw ConfigError{
        "features.centers",
        fmt::format("{} per coordinate makes {} features, of which about {:.0f} are not 0; accepted: at most "
                    "{}, and {} that are not 0. Use a smaller number, features.width or features.groups",
                    options.centers, columns_, entries, most_sparse_features, most_features)};
}

void Radial::append(std::span<const double> observation, SparseRows& into) const {
  const double last = static_cast<double>(options_.centers - 1);
  for (std::size_t k = 0; k < near_.size(); ++k) {
    const double position = scaled(observation[k], ranges_[k]) * last, reach = largest_distance * options_.width;
    near_[k].first = static_cast<std::int64_t>(std::max(0.0, std::ceil(position - reach)));
    near_[k].values.clear();
    for (std::int64_t c = near_[k].first; static_cast<double>(c) <= std::min(last, position + reach); ++c) {
      const double distance = (position - static_cast<double>(c)) / options_.width;
      near_[k].values.push_back(std::exp(-0.5 * distance * distance));
    }
    double total = 0.0;
    for (const double each : near_[k].values) total += each;
    for (double& each : near_[k].values) each /= total;
  }
  std::int64_t first = 0;
  std::vector<std::size_t> at;
  for (const auto& group : groups_) {
    at.assign(group.size(), 0);
    std::int64_t all = 1;
    while (true) {
      std::int64_t column = 0;
      double product = 1.0;
      all = 1;
      for (std::size_t k = 0; k < group.size(); ++k) {
        const Near& near = near_[group[k]];
        column = column * options_.centers + near.first + static_cast<std::int64_t>(at[k]);
        product *= near.values[at[k]];
        all *= options_.centers;
      }
      into.append(static_cast<int>(first + column), product);
      std::size_t k = group.size();
      while (k > 0 && ++at[k - 1] == near_[group[k - 1]].values.size()) at[--k] = 0;
      if (k == 0) break;
    }
    first += all;
  }
  into.end_row();
}

const FeaturesEntry& radial_entry() {
  static const FeaturesEntry entry{
      .name = "radial",
      .help = "radial basis functions of continuous states: a grid of Gaussian bumps",
      .keys = {key<&RadialOptions::centers>("features.centers", "bumps along each axis", whole(1, 1024)),
               key<&RadialOptions::width>("features.width", "standard deviation of a bump, in distances between them",
                                          number(0.25, 4)),
               key<&RadialOptions::groups>("features.groups", groups_help, text())},
      .fits = [](const Space& space, const FiniteModel*) { return space.states == 0; },
      .make = [](const FeaturesRequest& request) -> std::unique_ptr<FeatureMap> {
        return std::make_unique<Radial>(request.space.ranges, read<RadialOptions>(radial_entry().keys, request.values));
      }};
  return entry;
}

}  // namespace politex::inline features
