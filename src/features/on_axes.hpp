// Feature maps of numbers on listed states that have coordinates: queue lengths, stocks, rows and columns.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "politex/env/finite_model.hpp"
#include "politex/env/range.hpp"
#include "politex/env/space.hpp"
#include "politex/features/feature_map.hpp"

namespace politex::inline features {

/// Coordinates of every state: axes[k][state]. Empty where the environment has none.
std::vector<std::vector<int>> state_axes(const FiniteModel& model);
/// From 0 to the largest coordinate of each axis.
std::vector<Range> axis_ranges(const std::vector<std::vector<int>>& axes);

/// A map of the coordinates, given the number of the state.
class OnAxes final : public FeatureMap {
 public:
  OnAxes(std::vector<std::vector<int>> axes, std::unique_ptr<FeatureMap> map)
      : axes_(std::move(axes)), map_(std::move(map)), here_(axes_.size()) {}
  int columns() const override { return map_->columns(); }
  int exclusive() const override { return map_->exclusive(); }
  bool partition() const override { return map_->partition(); }
  int cells() const override { return map_->cells(); }
  std::string remark() const override { return map_->remark(); }
  void save(ByteWriter& to) const override { map_->save(to); }
  void restore(ByteReader& from) override { map_->restore(from); }
  void append(std::span<const double> observation, SparseRows& into) const override {
    const auto state = static_cast<std::size_t>(observation[0]);
    for (std::size_t k = 0; k < here_.size(); ++k) here_[k] = axes_[k][state];
    map_->append(here_, into);
  }

 private:
  std::vector<std::vector<int>> axes_;
  std::unique_ptr<FeatureMap> map_;
  mutable std::vector<double> here_;
};

/// Whether a map of numbers fits: observations are numbers, or listed states have coordinates.
inline bool has_numbers(const Space& space, const FiniteModel* model) {
  return space.states == 0 || (model != nullptr && !state_axes(*model).empty());
}
/// `make(ranges)` for observations of numbers, else the same map on the coordinates of the listed states.
template <class Make>
std::unique_ptr<FeatureMap> on_numbers(const Space& space, const FiniteModel* model, const Make& make) {
  if (space.states == 0) return make(space.ranges);
  std::vector<std::vector<int>> axes = state_axes(*model);
  auto map = make(axis_ranges(axes));
  return std::make_unique<OnAxes>(std::move(axes), std::move(map));
}

}  // namespace politex::inline features
