#include "politex/neural/distillation.hpp"

#include <algorithm>
#include <limits>

#include "politex/base/rng.hpp"
#include "politex/network/float_bytes.hpp"

namespace politex::neural {
namespace {

// Larger weights than usual: the target bends more, so that states that are close differ in it.
constexpr float target_gain = 3.0F;
constexpr double forgetting = 0.01;  // of the running mean

}  // namespace

Distillation::Distillation(const Shape& shape, const Adam::Settings& adam, std::uint64_t seed)
    : target_(shape),
      predictor_(shape),
      adam_(target_.parameters().size(), adam),
      gradient_(target_.parameters().size(), 0.0F) {
  Rng initial(seed, Use::network, 2);
  target_.randomise(initial);
  predictor_.randomise(initial);
  for (float& weight : target_.parameters()) weight *= target_gain;
}

const std::vector<float>& Distillation::bonuses(const Floats& states, int rows) {
  const auto outputs = static_cast<std::size_t>(target_.shape().actions);
  const std::size_t all = static_cast<std::size_t>(rows) * outputs;
  wanted_.resize(std::max(wanted_.size(), all));
  predicted_.resize(wanted_.size());
  bonuses_.resize(static_cast<std::size_t>(rows));
  target_.forward(states.data(), rows, wanted_.data(), tape_);
  predictor_.forward(states.data(), rows, predicted_.data(), tape_);
  double sum = 0.0;
  const float share = 1.0F / static_cast<float>(rows);
  for (std::size_t r = 0; r < bonuses_.size(); ++r) {
    float error = 0.0F;
    for (std::size_t k = r * outputs; k < (r + 1) * outputs; ++k) {
      const float difference = predicted_[k] - wanted_[k];
      error += difference * difference;
      predicted_[k] = share * difference;  // from here on the slope
    }
    bonuses_[r] = error;
    sum += static_cast<double>(error);
  }
  const double mean = sum / rows;
  mean_error_ = mean_error_ > 0 ? mean_error_ + forgetting * (mean - mean_error_) : mean;
  for (float& bonus : bonuses_)
    bonus = mean_error_ > 0 ? static_cast<float>(std::min(most, static_cast<double>(bonus) / mean_error_)) : 0.0F;
  predictor_.backward(states.data(), rows, predicted_.data(), tape_, gradient_);
  adam_.step(predictor_.parameters(), gradient_);
  return bonuses_;
}

void Distillation::save(ByteWriter& to) const {
  put_floats(to, predictor_.parameters());
  adam_.save(to);
  to.put(mean_error_);
}

void Distillation::restore(ByteReader& from) {
  get_floats(from, predictor_.parameters());
  adam_.restore(from);
  from.get_within(mean_error_, 0.0, std::numeric_limits<double>::max(), "the error of the explorer");
}

}  // namespace politex::neural
