// Feature vectors of state-action pairs, sparse. "Slots" are states: the states of a finite model, or the states met
// during one phase where states are not finite.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "politex/base/sparse_rows.hpp"
#include "politex/env/finite_model.hpp"

namespace politex {

/// What the least-squares solvers exploit: the normal matrix consists of `blocks` independent blocks of `width`
/// columns, and within a block the first `exclusive` features are never on together.
struct FeatureStructure {
  int blocks = 1;
  int width = 0;
  int exclusive = 0;
  int dimension() const noexcept { return blocks * width; }
};

/// One feature row: column `offset + indices[k]` has value `values[k]`.
struct FeatureRow {
  int offset = 0;
  std::span<const std::int32_t> indices;
  std::span<const double> values;
};

struct Features {
  SparseRows rows;  // one per slot where replicated, else one per pair
  int actions = 0;
  bool replicated = true;       // psi(x, a) is phi(x) in the block of action a
  int exclusive = 0;            // of the first columns, at most one is on in any row
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
  /// Every pair's dot product; `q` has one entry per pair.
  void values(std::span<const double> weights, std::span<double> q) const noexcept;
  /// One row of all columns per pair.
  SparseRows by_pair() const;
};

/// One indicator per state.
Features tabular_features(const FiniteModel& model);
/// One indicator per coordinate of each axis (DeepSea: row and column). Throws ConfigError where the model has no axes.
Features additive_features(const FiniteModel& model);
/// From JSON: {"features": [[...], ...]} with a row per state (replicated per action) or per pair. Throws ConfigError.
Features parse_features(std::string_view text, const std::string& origin, const FiniteModel& model);
Features read_features(const std::string& file, const FiniteModel& model);

}  // namespace politex
