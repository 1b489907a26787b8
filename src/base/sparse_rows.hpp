// A sparse matrix stored row by row: feature vectors of state-action pairs, outcomes, transition rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace politex::inline base {

struct SparseRows {
  int columns = 0;
  std::vector<std::int64_t> first = {0};  // row -> its first entry; rows + 1 entries
  std::vector<std::int32_t> index;        // entry -> column, ascending within a row
  std::vector<double> value;              // entry -> value

  int rows() const noexcept { return static_cast<int>(first.size()) - 1; }
  void append(int column, double entry) {
    index.push_back(column);
    value.push_back(entry);
  }
  void end_row() { first.push_back(static_cast<std::int64_t>(index.size())); }

  std::span<const std::int32_t> indices(int row) const noexcept { return slice(index, row); }
  std::span<const double> values(int row) const noexcept { return slice(value, row); }

 private:
  template <class T>
  std::span<const T> slice(const std::vector<T>& all, int row) const noexcept {
    const auto begin = static_cast<std::size_t>(first[static_cast<std::size_t>(row)]);
    const auto end = static_cast<std::size_t>(first[static_cast<std::size_t>(row) + 1]);
    return std::span(all).subspan(begin, end - begin);
  }
};

}  // namespace politex::inline base
