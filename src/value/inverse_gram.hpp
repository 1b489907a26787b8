// How much is known of a direction in the space of features: the inverses of Gram matrices, one per block of columns,
// updated pair by pair.
#pragma once

#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/features/features.hpp"

namespace politex::inline value {

/// P = (ridge I + sum of weight psi psi')^-1 of every block, by the formula of Sherman and Morrison. A row belongs to
/// the block that its offset names.
class InverseGram {
 public:
  InverseGram(int blocks, int width, double ridge);

  int width() const noexcept { return width_; }
  /// psi' P psi: the elliptical bonus of a pair.
  double bonus(const FeatureRow& psi) const noexcept;
  /// Adds `weight` copies of the row.
  void add(const FeatureRow& psi, double weight = 1.0) noexcept;
  /// log det of ridge I + sum of weight psi psi', over all blocks.
  double log_det() const noexcept { return log_det_; }
  /// The inverse of a block, row by row.
  std::span<const double> block(int which) const noexcept;

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  int width_;
  double log_det_;
  std::vector<double> inverse_;  // blocks x width x width
  std::vector<double> scratch_;
};

}  // namespace politex::inline value
