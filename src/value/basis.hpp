// Features of continuous observations: tile coding and the Fourier basis, replicated per action.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "politex/base/sparse_rows.hpp"
#include "politex/env/environment.hpp"
#include "politex/env/range.hpp"

namespace politex {

/// `tilings` grids of `tiles` cells per coordinate, each shifted by its own fraction of a cell; one cell of each is on.
class Tiles {
 public:
  /// Throws ConfigError where there would be more than 5000 features.
  Tiles(std::vector<Range> ranges, std::int64_t tilings, std::int64_t tiles);
  int columns() const noexcept { return static_cast<int>(tilings_ * cells_); }
  int exclusive() const noexcept { return static_cast<int>(cells_); }  // the first tiling
  void append(std::span<const double> observation, SparseRows& into) const;

 private:
  std::vector<Range> ranges_;
  std::int64_t tilings_, tiles_, cells_ = 1;
};

/// cos(pi k . x) for every k in {0..order}^n, x scaled to [0, 1]^n.
class Fourier {
 public:
  /// Throws ConfigError where there would be more than 5000 features.
  Fourier(std::vector<Range> ranges, std::int64_t order);
  int columns() const noexcept { return static_cast<int>(count_); }
  int exclusive() const noexcept { return 0; }
  void append(std::span<const double> observation, SparseRows& into) const;

 private:
  std::vector<Range> ranges_;
  std::int64_t order_, count_ = 1;
};

/// The Fourier basis without products of many coordinates: cos(pi k . x) for the k with at most one nonzero entry (or
/// two, where coupled), for observations of which the whole basis would have too many. Few cosines are computed: the
/// rest are sums of angles.
class SparseFourier {
 public:
  /// Throws ConfigError where there would be more than 5000 features.
  SparseFourier(std::vector<Range> ranges, std::int64_t order, bool coupled);
  int columns() const noexcept { return columns_; }
  int exclusive() const noexcept { return 0; }
  void append(std::span<const double> observation, SparseRows& into) const;

 private:
  std::vector<Range> ranges_;
  std::size_t order_;
  bool coupled_;
  int columns_ = 1;
  mutable std::vector<double> cosine_, sine_;  // scratch, order_ per coordinate; one object per thread
};

/// A basis applied to what an environment lets one observe: a state map for the general path.
template <ObservableEnvironment E, class Basis>
class Observed {
 public:
  Observed(E world, Basis basis)
      : world_(std::move(world)),
        basis_(std::move(basis)),
        observation_(static_cast<std::size_t>(world_.observation_size())) {}
  int columns() const noexcept { return basis_.columns(); }
  int exclusive() const noexcept { return basis_.exclusive(); }
  bool replicated() const noexcept { return true; }
  const Basis& basis() const noexcept { return basis_; }
  void append(const typename E::State& state, SparseRows& into) const {
    world_.observe(state, observation_);
    basis_.append(observation_, into);
  }

 private:
  E world_;
  Basis basis_;
  mutable std::vector<double> observation_;  // scratch; one object per thread
};

}  // namespace politex
