#include "politex/neural/input_scale.hpp"

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"

namespace politex::neural {
namespace {

template <class Number>
void get_moments(ByteReader& from, std::vector<Number>& into) {
  const std::size_t inputs = into.size();
  from.get(into);
  if (into.size() != inputs) throw Error("the saved explorer belongs to another environment");
}

}  // namespace

void InputScale::apply(std::span<float> rows) const noexcept {
  const std::size_t inputs = means_.size();
  for (std::size_t at = 0; at < rows.size(); at += inputs)
    for (std::size_t i = 0; i < inputs; ++i)
      rows[at + i] = std::clamp((rows[at + i] - means_[i]) * factors_[i], -most_deviations, most_deviations);
}

void InputScale::save(ByteWriter& to) const {
  to.put(means_);
  to.put(factors_);
}

void InputScale::restore(ByteReader& from) {
  get_moments(from, means_);
  get_moments(from, factors_);
}

void InputMoments::add(std::span<const float> input) noexcept {
  ++count_;
  const double share = 1.0 / static_cast<double>(count_);
  for (std::size_t i = 0; i < means_.size(); ++i) {
    const double x = static_cast<double>(input[i]), before = x - means_[i];
    means_[i] += share * before;
    squares_[i] += before * (x - means_[i]);
  }
}

InputScale InputMoments::scale() const {
  InputScale scale(means_.size());
  for (std::size_t i = 0; i < means_.size(); ++i) {
    const double variance = count_ > 0 ? squares_[i] / static_cast<double>(count_) : 0.0;
    scale.means_[i] = static_cast<float>(means_[i]);
    scale.factors_[i] = variance > 0 ? static_cast<float>(1.0 / std::sqrt(variance)) : 0.0F;
  }
  return scale;
}

void InputMoments::save(ByteWriter& to) const {
  to.put(count_);
  to.put(means_);
  to.put(squares_);
}

void InputMoments::restore(ByteReader& from) {
  from.get(count_);
  get_moments(from, means_);
  get_moments(from, squares_);
}

}  // namespace politex::neural
