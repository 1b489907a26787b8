// Writes the tables of a finite model, one state-action pair after the other.
#pragma once

#include <cstddef>
#include <utility>

#include "politex/env/finite_model.hpp"

namespace politex::inline env {

/// Pairs come in order: `add` the outcomes of a pair, then `end_pair`. Outcomes with the same successor become one.
class ModelBuilder {
 public:
  ModelBuilder(std::string_view name, int actions) {
    model_.name = name;
    model_.actions = actions;
    model_.first = {0};
  }

  void add(int next, double probability) {
    if (probability <= 0.0) return;
    for (auto k = static_cast<std::size_t>(model_.first.back()); k < model_.next.size(); ++k) {
      if (model_.next[k] != next) continue;
      model_.probability[k] += probability;
      return;
    }
    model_.next.push_back(next);
    model_.probability.push_back(probability);
  }

  void end_pair(double cost) {
    model_.first.push_back(static_cast<std::int64_t>(model_.next.size()));
    model_.cost.push_back(cost);
  }

  /// The checked model; `size` is the N of lengths.
  FiniteModel finish(int size, int start) && {
    model_.states = static_cast<int>(model_.cost.size()) / model_.actions;
    model_.size = size;
    model_.start = start;
    check(model_);
    return std::move(model_);
  }

 private:
  FiniteModel model_;
};

}  // namespace politex::inline env
