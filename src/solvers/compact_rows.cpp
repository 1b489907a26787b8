#include "politex/solvers/compact_rows.hpp"

#include <algorithm>

namespace politex::inline solvers {
namespace {

constexpr std::uint64_t not_hashed = 0;

std::uint64_t hash_of(std::span<const std::int32_t> unknowns) noexcept {
  std::uint64_t hash = 0x9e3779b97f4a7c15U;
  for (const std::int32_t each : unknowns) {
    hash = (hash ^ static_cast<std::uint64_t>(each)) * 0xff51afd7ed558ccdU;
    hash ^= hash >> 32;
  }
  return hash == not_hashed ? 1 : hash;
}

}  // namespace

void CompactRows::clear() {
  columns.clear();
  first.assign(1, 0);
  index.clear();
  value.clear();
  weight.clear();
  target.clear();
  hash_.clear();
  std::ranges::fill(table_, 0);
}

void CompactRows::grow() {
  table_.assign(std::max<std::size_t>(64, 2 * table_.size()), 0);
  for (std::size_t row = 0; row < hash_.size(); ++row) {
    if (hash_[row] == not_hashed) continue;
    std::size_t at = hash_[row] & (table_.size() - 1);
    while (table_[at] != 0) at = (at + 1) & (table_.size() - 1);
    table_[at] = static_cast<std::int32_t>(row) + 1;
  }
}

bool CompactRows::merged(std::span<const std::int32_t> unknowns, double more, double sum) {
  if (2 * (hash_.size() + 1) > table_.size()) grow();
  const std::uint64_t hash = hash_of(unknowns);
  std::size_t at = hash & (table_.size() - 1);
  for (; table_[at] != 0; at = (at + 1) & (table_.size() - 1)) {
    const auto row = static_cast<std::size_t>(table_[at]) - 1;
    if (hash_[row] != hash || !std::ranges::equal(indices(row), unknowns)) continue;
    weight[row] += more;
    target[row] += sum;
    return true;
  }
  hash_.push_back(hash);
  table_[at] = static_cast<std::int32_t>(hash_.size());
  return false;
}

void CompactRows::add(std::span<const std::int32_t> of, std::span<const double> values, double more, double sum,
                      std::vector<std::int32_t>& numbers) {
  scratch_.clear();
  for (const std::int32_t column : of) {
    std::int32_t& number = numbers[static_cast<std::size_t>(column)];
    if (number == 0) {
      columns.push_back(column);
      number = static_cast<std::int32_t>(columns.size());
    }
    scratch_.push_back(number - 1);
  }
  if (std::ranges::all_of(values, [](double each) { return each == 1.0; })) {
    if (merged(scratch_, more, sum)) return;
  } else {
    hash_.push_back(not_hashed);
  }
  index.insert(index.end(), scratch_.begin(), scratch_.end());
  value.insert(value.end(), values.begin(), values.end());
  first.push_back(index.size());
  weight.push_back(more);
  target.push_back(sum);
}

void CompactRows::release(std::vector<std::int32_t>& numbers) const {
  for (const std::int32_t column : columns) numbers[static_cast<std::size_t>(column)] = 0;
}

}  // namespace politex::inline solvers
