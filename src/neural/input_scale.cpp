#include "politex/neural/input_scale.hpp"

#include <algorithm>

#include "politex/base/error.hpp"

namespace politex::neural {
namespace {

void get_numbers(ByteReader& from, std::vector<float>& into) {
  const std::size_t inputs = into.size();
  from.get(into);
  if (into.size() != inputs) throw Error("the saved explorer belongs to another environment");
}

}  // namespace

void InputScale::apply(std::span<float> rows) const noexcept {
  const std::size_t inputs = middles_.size();
  for (std::size_t at = 0; at < rows.size(); at += inputs)
    for (std::size_t i = 0; i < inputs; ++i) rows[at + i] = (rows[at + i] - middles_[i]) * factors_[i];
}

void InputScale::save(ByteWriter& to) const {
  to.put(middles_);
  to.put(factors_);
}

void InputScale::restore(ByteReader& from) {
  get_numbers(from, middles_);
  get_numbers(from, factors_);
}

void InputRanges::add(std::span<const float> input) noexcept {
  for (std::size_t i = 0; i < least_.size(); ++i) {
    least_[i] = any_ ? std::min(least_[i], input[i]) : input[i];
    most_[i] = any_ ? std::max(most_[i], input[i]) : input[i];
  }
  any_ = true;
}

InputScale InputRanges::scale() const {
  InputScale scale(least_.size());
  for (std::size_t i = 0; i < least_.size(); ++i) {
    const float half = most_[i] / 2 - least_[i] / 2;  // halves first: the difference may overflow
    scale.middles_[i] = most_[i] / 2 + least_[i] / 2;
    scale.factors_[i] = half > 0 ? InputScale::half_width / half : 0.0F;
  }
  return scale;
}

void InputRanges::save(ByteWriter& to) const {
  to.put(any_);
  to.put(least_);
  to.put(most_);
}

void InputRanges::restore(ByteReader& from) {
  from.get(any_);
  get_numbers(from, least_);
  get_numbers(from, most_);
}

}  // namespace politex::neural
