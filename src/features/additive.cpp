#include "politex/features/additive.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "politex/base/error.hpp"
#include "politex/features/features_entry.hpp"

namespace politex::inline features {

AdditiveFeatures::AdditiveFeatures(const FiniteModel& model) : axes_(model.axes) {
  if (axes_.empty())
    throw ConfigError{"features.name", fmt::format("\"additive\" needs coordinates of the states, and {} has none; "
                                                   "accepted here: tabular, file",
                                                   model.name)};
  for (const auto& axis : axes_) {
    begin_.push_back(columns_);
    columns_ += *std::max_element(axis.begin(), axis.end()) + 1;
  }
}

void AdditiveFeatures::append(std::span<const double> observation, SparseRows& into) const {
  const auto state = static_cast<std::size_t>(observation[0]);
  for (std::size_t k = 0; k < begin_.size(); ++k) into.append(begin_[k] + axes_[k][state], 1.0);
  into.end_row();
}

Features additive_features(const FiniteModel& model) {
  return features_of_states(AdditiveFeatures(model), model.states, model.actions);
}

const FeaturesEntry& additive_entry() {
  static const FeaturesEntry entry{
      .name = "additive",
      .help = "one per coordinate value (row, column) and action",
      .fits = [](const Space&, const FiniteModel* model) { return model != nullptr && !model->axes.empty(); },
      .make = [](const FeaturesRequest& request) -> std::unique_ptr<FeatureMap> {
        return std::make_unique<AdditiveFeatures>(*request.model);
      },
      .lists_states = true};
  return entry;
}

}  // namespace politex::inline features
