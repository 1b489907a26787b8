// The rows of one block of least squares on the columns that they use: memory and time are those of the nonzeros of a
// phase, whatever the number of features.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace politex::inline solvers {

/// Rows x with a weight c and a sum of targets t: the problem is to minimise sum c (t / c - x.w)^2 + ridge |w|^2.
class CompactRows {
 public:
  void clear();
  /// Equal rows are merged where all values are 1: tiles repeat, other features do not.
  void add(std::span<const std::int32_t> of, std::span<const double> values, double more, double sum,
           std::vector<std::int32_t>& numbers);
  /// Removes this block's columns from `numbers`, which is 0 for a column without number.
  void release(std::vector<std::int32_t>& numbers) const;

  std::size_t rows() const noexcept { return weight.size(); }
  std::size_t unknowns() const noexcept { return columns.size(); }
  std::size_t entries() const noexcept { return index.size(); }
  std::span<const std::int32_t> indices(std::size_t row) const noexcept {
    return {index.data() + first[row], width(row)};
  }
  std::span<const double> values(std::size_t row) const noexcept { return {value.data() + first[row], width(row)}; }
  std::size_t width(std::size_t row) const noexcept { return first[row + 1] - first[row]; }
  /// x.w of a row.
  double dot(std::size_t row, std::span<const double> w) const noexcept {
    double total = 0.0;
    for (std::size_t k = first[row]; k < first[row + 1]; ++k) total += value[k] * w[static_cast<std::size_t>(index[k])];
    return total;
  }

  std::vector<std::int32_t> columns;  // unknown -> column of the block, in the order of the first rows
  std::vector<std::size_t> first = {0};
  std::vector<std::int32_t> index;  // entry -> unknown
  std::vector<double> value;
  std::vector<double> weight, target;  // of the rows

 private:
  bool merged(std::span<const std::int32_t> unknowns, double more, double sum);
  void grow();

  std::vector<std::int32_t> table_;  // open addressing: row + 1, or 0
  std::vector<std::uint64_t> hash_;  // of the rows
  std::vector<std::int32_t> scratch_;
};

}  // namespace politex::inline solvers
