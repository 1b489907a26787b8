#include "politex/features/random_fourier.hpp"

#include <cmath>
#include <numbers>

#include "politex/base/rng.hpp"
#include "politex/features/coordinates.hpp"
#include "politex/features/features_entry.hpp"

namespace politex::inline features {

RandomFourier::RandomFourier(std::vector<Range> ranges, const RandomFourierOptions& options)
    : ranges_(std::move(ranges)), positions_(ranges_.size()) {
  Rng rng(static_cast<std::uint64_t>(options.seed), Use::model);
  for (std::int64_t feature = 0; feature < options.count; ++feature) {
    for (std::size_t k = 0; k < ranges_.size(); ++k) frequencies_.push_back(rng.normal() / options.scale);
    offsets_.push_back(2.0 * std::numbers::pi * rng.uniform());
  }
}

void RandomFourier::append(std::span<const double> observation, SparseRows& into) const {
  for (std::size_t k = 0; k < positions_.size(); ++k) positions_[k] = scaled(observation[k], ranges_[k]);
  const double height = std::sqrt(2.0 / static_cast<double>(offsets_.size()));
  const double* frequency = frequencies_.data();
  for (std::size_t feature = 0; feature < offsets_.size(); ++feature) {
    double angle = offsets_[feature];
    for (const double position : positions_) angle += *frequency++ * position;
    into.append(static_cast<int>(feature), height * std::cos(angle));
  }
  into.end_row();
}

const FeaturesEntry& random_fourier_entry() {
  static const FeaturesEntry entry{
      .name = "random_fourier",
      .help = "cosines of random frequencies of continuous states: a Gaussian kernel, approximately",
      .keys = {key<&RandomFourierOptions::count>("features.count", "number of random cosines",
                                                 whole(1, static_cast<double>(most_features))),
               key<&RandomFourierOptions::scale>("features.scale", "width of the kernel, in ranges of a coordinate",
                                                 number_above(0)),
               key<&RandomFourierOptions::seed>("features.frequency_seed",
                                                "seed of the frequencies, whatever the run's seed",
                                                whole(0, largest_whole))},
      .fits = [](const Space& space, const FiniteModel*) { return space.states == 0; },
      .make = [](const FeaturesRequest& request) -> std::unique_ptr<FeatureMap> {
        return std::make_unique<RandomFourier>(request.space.ranges,
                                               read<RandomFourierOptions>(random_fourier_entry().keys, request.values));
      }};
  return entry;
}

}  // namespace politex::inline features
