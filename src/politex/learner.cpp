#include "politex/politex/learner.hpp"

#include <algorithm>
#include <cmath>

namespace politex {
namespace {

double mean_cost(const Phase& phase) noexcept {
  double total = 0.0;
  for (const double cost : phase.costs) total += cost;
  return total / static_cast<double>(phase.costs.size());
}

}  // namespace

double PolitexLearner::StepSize::of(double phases, int actions) const {
  return q_max > 0.0 && eta == 0.0 ? std::sqrt(8.0 * std::log(static_cast<double>(actions)) / phases) / q_max : eta;
}

PolitexLearner::PolitexLearner(Estimator estimator, const FeatureStructure& structure, StepSize step_size, int actions,
                               double phases)
    : estimator_(std::move(estimator)),
      step_size_(step_size),
      actions_(actions),
      eta_(step_size.of(phases, actions)),
      sum_(static_cast<std::size_t>(structure.dimension()), 0.0),
      newest_(sum_.size(), 0.0) {}

void PolitexLearner::learn(const Phase& phase) {
  std::visit([&](auto& estimator) { estimator.estimate(phase, newest_); }, estimator_);
  for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += newest_[k];
}

void PolitexLearner::restart(double phases) {
  std::fill(sum_.begin(), sum_.end(), 0.0);
  std::fill(newest_.begin(), newest_.end(), 0.0);
  eta_ = step_size_.of(phases, actions_);
}

void PolitexLearner::save(ByteWriter& to) const {
  to.put(eta_);
  to.put(sum_);
  to.put(newest_);
}

void PolitexLearner::restore(ByteReader& from) {
  from.get(eta_);
  from.get(sum_);
  from.get(newest_);
}

RlsviLearner::RlsviLearner(const RlsviOptions& options, const FeatureStructure& structure, std::int64_t buffer,
                           Features start, const Features* finite, std::uint64_t seed)
    : rlsvi_(options, structure),
      buffer_(buffer),
      data_(buffer),
      start_(std::move(start)),
      finite_(finite),
      rng_(seed, Use::sample),
      prior_deviation_(1.0 / std::sqrt(options.prior)),
      sample_(static_cast<std::size_t>(structure.dimension()), 0.0) {
  sample_prior();
}

void RlsviLearner::sample_prior() {
  for (double& weight : sample_) weight = prior_deviation_ * rng_.normal();
}

void RlsviLearner::learn(const Phase& phase) {
  data_.add(phase);
  rlsvi_.update(data_, mean_cost(phase), least_value(start_, 0, sample_), rng_, sample_);
}

void RlsviLearner::restart(double) {
  data_ = Transitions(buffer_);
  sample_prior();
}

void RlsviLearner::save(ByteWriter& to) const {
  data_.save(to);
  to.put(rng_.position());
  to.put(sample_);
}

void RlsviLearner::restore(ByteReader& from) {
  data_.restore(from, finite_);
  rng_.seek(from.get<std::uint64_t>());
  from.get(sample_);
}

LspiLearner::LspiLearner(const LspiOptions& options, const FeatureStructure& structure, std::int64_t buffer,
                         double epsilon, const Features* finite)
    : lspi_({.solve = options.solve, .ridge = options.ridge, .epsilon = epsilon}, structure),
      buffer_(buffer),
      data_(buffer),
      epsilon_(epsilon),
      finite_(finite),
      weights_(static_cast<std::size_t>(structure.dimension()), 0.0) {}

void LspiLearner::learn(const Phase& phase) {
  data_.add(phase);
  lspi_.update(data_, mean_cost(phase), weights_);
}

void LspiLearner::restart(double) {
  data_ = Transitions(buffer_);
  std::fill(weights_.begin(), weights_.end(), 0.0);
}

void LspiLearner::save(ByteWriter& to) const {
  data_.save(to);
  to.put(weights_);
}

void LspiLearner::restore(ByteReader& from) {
  data_.restore(from, finite_);
  from.get(weights_);
}

}  // namespace politex
