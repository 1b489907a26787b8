// Sparse feature vectors of state-action pairs. "Slots" are states: the states of a finite model, or otherwise the
// states visited during one phase.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/base/sparse_rows.hpp"

namespace politex::inline features {

/// The structure that the least-squares solvers exploit: the normal matrix has `blocks` independent blocks of `width`
/// columns, and in a block at most one of the first `exclusive` features is nonzero.
struct FeatureStructure {
  int blocks = 1;
  int width = 0;
  int exclusive = 0;
  int dimension() const noexcept { return blocks * width; }
  friend bool operator==(const FeatureStructure&, const FeatureStructure&) = default;
};

/// One feature row: column `offset + indices[k]` has value `values[k]`.
struct FeatureRow {
  int offset = 0;
  std::span<const std::int32_t> indices;
  std::span<const double> values;
};

struct Features {
  SparseRows rows;  // one per slot if replicated, else one per pair
  int actions = 0;
  bool replicated = true;       // psi(x, a) is phi(x) in the block of action a
  int exclusive = 0;            // of this many first columns, at most one is nonzero in any row
  bool two_indicators = false;  // replicated, and every row has two entries, both 1: DeepSea's row and column

  int dimension() const noexcept { return replicated ? actions * rows.columns : rows.columns; }
  FeatureStructure structure() const noexcept {
    return {.blocks = replicated ? actions : 1, .width = rows.columns, .exclusive = exclusive};
  }
  int slots() const noexcept { return replicated ? rows.rows() : rows.rows() / actions; }

  FeatureRow row(int pair) const noexcept {
    const int slot = pair / actions;
    const int at = replicated ? slot : pair;
    return {replicated ? (pair - slot * actions) * rows.columns : 0, rows.indices(at), rows.values(at)};
  }
  /// psi(pair) . weights
  double dot(int pair, std::span<const double> weights) const noexcept {
    const FeatureRow psi = row(pair);
    const double* block = weights.data() + psi.offset;
    double total = 0.0;
    for (std::size_t k = 0; k < psi.indices.size(); ++k) total += psi.values[k] * block[psi.indices[k]];
    return total;
  }
  /// The dot product of every pair; `q` has one entry per pair.
  void values(std::span<const double> weights, std::span<double> q) const noexcept;
  /// max over the actions of sum_k |psi_k(x, a)| norms[k]: a bound on the size of Q(x, .) if norms[k] bounds that of
  /// the weights of column k.
  double norm(int slot, std::span<const double> norms) const noexcept;
  /// Divides the values of every slot by its norm; values of norm 0 become 0.
  void divide_by_norms(std::span<const double> norms, std::span<double> q) const noexcept;
  /// One row with all columns per pair.
  SparseRows by_pair() const;
};

/// `values` of one state divided by its norm; 0 where the norm is 0.
inline void divide_by_norm(double norm, std::span<double> values) noexcept {
  for (double& each : values) each = norm > 0.0 ? each / norm : 0.0;
}

/// Adds the row of a state (one per action where they are not replicated) to others.
inline void append_state(const Features& features, int state, SparseRows& into) {
  const int count = features.replicated ? 1 : features.actions;
  for (int row = state * count; row < (state + 1) * count; ++row) {
    const auto indices = features.rows.indices(row);
    const auto values = features.rows.values(row);
    for (std::size_t k = 0; k < indices.size(); ++k) into.append(indices[k], values[k]);
    into.end_row();
  }
}

}  // namespace politex::inline features
