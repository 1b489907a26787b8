// An observation that is a sparse row already (Python's own sparse features): pairs of a column and a value, and column
// -1 where there are no more.
#pragma once

#include <cmath>

#include <fmt/format.h>

#include "politex/base/error.hpp"
#include "politex/features/feature_map.hpp"

namespace politex::inline features {

class PackedRows final : public FeatureMap {
 public:
  explicit PackedRows(int columns) : columns_(columns) {}
  int columns() const override { return columns_; }
  /// Throws Error where columns do not ascend or a value is not finite.
  void append(std::span<const double> observation, SparseRows& into) const override {
    double last = -1.0;
    for (std::size_t k = 0; k + 1 < observation.size() && observation[k] >= 0.0; k += 2) {
      const double column = observation[k], value = observation[k + 1];
      if (!(column > last && column < columns_ && column == std::floor(column) && std::isfinite(value)))
        throw Error(
            fmt::format("entry {} of a sparse row is column {} with value {}; accepted: ascending columns from 0 "
                        "to {} and finite values",
                        k / 2, column, value, columns_ - 1));
      into.append(static_cast<int>(column), value);
      last = column;
    }
    into.end_row();
  }

 private:
  int columns_;
};

}  // namespace politex::inline features
