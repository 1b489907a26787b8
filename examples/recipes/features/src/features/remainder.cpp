#include "politex/features/remainder.hpp"

namespace politex::inline features {

void RemainderFeatures::append(std::span<const double> observation, SparseRows& into) const {
  into.append(static_cast<int>(observation[0]) % modulus_, 1.0);
  into.end_row();
}

namespace {

struct RemainderOptions {
  int modulus = 2;
};

bool remainder_fits(const Space& space, const FiniteModel*) { return space.states > 0; }

std::unique_ptr<FeatureMap> make_remainder(const FeaturesRequest& request) {
  const auto options = read<RemainderOptions>(remainder_entry().keys, request.values);
  return std::make_unique<RemainderFeatures>(options.modulus);
}

}  // namespace

const FeaturesEntry& remainder_entry() {
  static const FeaturesEntry entry{
      .name = "remainder",
      .help = "one per remainder of the state's index and action",
      .keys = {key<&RemainderOptions::modulus>("features.modulus", "number of remainders", whole(2, 1000))},
      .fits = remainder_fits,
      .make = make_remainder,
      .lists_states = true};
  return entry;
}

}  // namespace politex::inline features
