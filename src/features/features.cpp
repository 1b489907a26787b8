#include "politex/features/features.hpp"

#include <algorithm>
#include <cmath>

namespace politex::inline features {

SparseRows Features::by_pair() const {
  SparseRows all;
  all.columns = dimension();
  for (int pair = 0; pair < slots() * actions; ++pair) {
    const FeatureRow psi = row(pair);
    for (std::size_t k = 0; k < psi.indices.size(); ++k) all.append(psi.offset + psi.indices[k], psi.values[k]);
    all.end_row();
  }
  return all;
}

double Features::norm(int slot, std::span<const double> norms) const noexcept {
  const int count = replicated ? 1 : actions;
  double largest = 0.0;
  for (int r = slot * count; r < (slot + 1) * count; ++r) {
    const auto indices = rows.indices(r);
    const auto entries = rows.values(r);
    double total = 0.0;
    for (std::size_t k = 0; k < indices.size(); ++k)
      total += std::abs(entries[k]) * norms[static_cast<std::size_t>(indices[k])];
    largest = std::max(largest, total);
  }
  return largest;
}

void Features::divide_by_norms(std::span<const double> norms, std::span<double> q) const noexcept {
  const auto width = static_cast<std::size_t>(actions);
  for (std::size_t slot = 0; slot < q.size() / width; ++slot)
    divide_by_norm(norm(static_cast<int>(slot), norms), q.subspan(slot * width, width));
}

void Features::values(std::span<const double> weights, std::span<double> q) const noexcept {
  const auto width = static_cast<std::size_t>(actions);
  const auto columns = static_cast<std::size_t>(rows.columns);
  if (!replicated) {
    for (std::size_t pair = 0; pair < q.size(); ++pair) q[pair] = dot(static_cast<int>(pair), weights);
    return;
  }
  if (two_indicators) {
    const std::int32_t* index = rows.index.data();
    for (std::size_t slot = 0; slot < q.size() / width; ++slot)
      for (std::size_t a = 0; a < width; ++a) {
        const double* block = weights.data() + a * columns;
        q[slot * width + a] = block[index[2 * slot]] + block[index[2 * slot + 1]];
      }
    return;
  }
  for (std::size_t slot = 0; slot < q.size() / width; ++slot) {
    const auto indices = rows.indices(static_cast<int>(slot));
    const auto entries = rows.values(static_cast<int>(slot));
    for (std::size_t a = 0; a < width; ++a) {
      double total = 0.0;
      for (std::size_t k = 0; k < indices.size(); ++k)
        total += entries[k] * weights[a * columns + static_cast<std::size_t>(indices[k])];
      q[slot * width + a] = total;
    }
  }
}

}  // namespace politex::inline features
