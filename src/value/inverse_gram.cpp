#include "politex/value/inverse_gram.hpp"

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"

namespace politex::inline value {

InverseGram::InverseGram(int blocks, int width, double ridge)
    : width_(width),
      log_det_(std::log(ridge) * width * blocks),
      inverse_(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(width) * static_cast<std::size_t>(width),
               0.0),
      scratch_(static_cast<std::size_t>(width)) {
  const auto size = static_cast<std::size_t>(width);
  for (std::size_t k = 0; k < static_cast<std::size_t>(blocks) * size; ++k) inverse_[k * size + k % size] = 1.0 / ridge;
}

std::span<const double> InverseGram::block(int which) const noexcept {
  const auto size = static_cast<std::size_t>(width_) * static_cast<std::size_t>(width_);
  return std::span(inverse_).subspan(static_cast<std::size_t>(which) * size, size);
}

double InverseGram::bonus(const FeatureRow& psi) const noexcept {
  const double* matrix = block(psi.offset / width_).data();
  double total = 0.0;
  for (std::size_t i = 0; i < psi.indices.size(); ++i) {
    const double* row = matrix + static_cast<std::ptrdiff_t>(psi.indices[i]) * width_;
    double product = 0.0;
    for (std::size_t k = 0; k < psi.indices.size(); ++k) product += row[psi.indices[k]] * psi.values[k];
    total += psi.values[i] * product;
  }
  // Rounding may leave a negative number where nothing is left to learn.
  return std::max(0.0, total);
}

void InverseGram::add(const FeatureRow& psi, double weight) noexcept {
  double* matrix = inverse_.data() + (block(psi.offset / width_).data() - inverse_.data());
  const auto size = static_cast<std::size_t>(width_);
  std::ranges::fill(scratch_, 0.0);
  for (std::size_t k = 0; k < psi.indices.size(); ++k) {
    const double* row = matrix + static_cast<std::size_t>(psi.indices[k]) * size;
    for (std::size_t j = 0; j < size; ++j) scratch_[j] += psi.values[k] * row[j];
  }
  double own = 0.0;
  for (std::size_t k = 0; k < psi.indices.size(); ++k)
    own += psi.values[k] * scratch_[static_cast<std::size_t>(psi.indices[k])];
  const double grown = 1.0 + weight * std::max(0.0, own);
  log_det_ += std::log(grown);
  // Both factors have the same scale, so that the matrix stays symmetric to the last bit.
  const double scale = std::sqrt(weight / grown);
  for (double& each : scratch_) each *= scale;
  for (std::size_t i = 0; i < size; ++i) {
    const double left = scratch_[i];
    if (left == 0.0) continue;
    double* row = matrix + i * size;
    for (std::size_t j = 0; j < size; ++j) row[j] -= left * scratch_[j];
  }
}

void InverseGram::save(ByteWriter& to) const {
  to.put(inverse_);
  to.put(log_det_);
}

void InverseGram::restore(ByteReader& from) {
  from.get_again(inverse_, "the information of the explorer");
  from.get_finite(log_det_, "the information of the explorer");
}

}  // namespace politex::inline value
