#include "politex/neural/ring_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"

namespace politex::neural {
namespace {

constexpr int most_networks = 64;

}  // namespace

RingPolicy::RingPolicy(int actions, const PolicySettings& settings) : actions_(actions), settings_(settings) {
  if (settings.ring < 1 || settings.ring > most_networks)
    throw ConfigError("policy.ring", fmt::format("{} networks; accepted: 1 to {}", settings.ring, most_networks));
  if (!(settings.alpha > 0) || !std::isfinite(settings.alpha))
    throw ConfigError("policy.alpha", "out of range; accepted: a number above 0");
  if (!(settings.epsilon >= 0 && settings.epsilon <= 1))
    throw ConfigError("policy.epsilon", "out of range; accepted: 0 to 1");
}

void RingPolicy::push(std::shared_ptr<const FrozenNetwork> network, double phase_length) {
  ring_.push_back({std::move(network), phase_length});
  identity_ = std::make_shared<char>();
  if (ring_.size() > static_cast<std::size_t>(settings_.ring)) ring_.pop_front();
  double all = 0.0;
  for (const Entry& entry : ring_) all += entry.length;
  const double to = settings_.combine == PolicySettings::Combine::sum ? static_cast<double>(ring_.size()) : 1.0;
  weights_.clear();
  scales_.clear();
  for (const Entry& entry : ring_) {
    const double weight = to * entry.length / all;
    weights_.push_back(weight);
    scales_.push_back(settings_.step_norm == PolicySettings::StepNorm::weighted ? weight * weight : 1.0);
  }
}

void RingPolicy::evaluate(const float* observations, int rows, float* probabilities, Workspace& workspace) const {
  const auto actions = static_cast<std::ptrdiff_t>(actions_);
  const std::ptrdiff_t stride = rows * actions;
  if (ring_.empty()) {
    for (int r = 0; r < rows; ++r) uniform(probabilities + r * actions);
    return;
  }
  const auto size = static_cast<std::size_t>(stride) * ring_.size();
  if (workspace.values.size() < size) workspace.values.resize(size);
  for (std::size_t i = 0; i < ring_.size(); ++i)
    ring_[i].network->evaluate(observations, rows, workspace.values.data() + static_cast<std::ptrdiff_t>(i) * stride,
                               workspace.network);
  for (int r = 0; r < rows; ++r)
    combine(workspace.values.data() + r * actions, stride, probabilities + r * actions, workspace);
}

void RingPolicy::evaluate_one(const float* observations, int row, float* probabilities, Workspace& workspace,
                              Recall& recall) const {
  const ByteLayer& first = *ring_.front().network->byte_layer();
  const auto units = static_cast<std::size_t>(first.units());
  if (recall.whose != identity_) {
    recall.seen.clear();
    recall.sums.assign(ring_.size() * units, 0);
    recall.whose = identity_;
  }
  const auto inputs = static_cast<std::size_t>(ring_.front().network->inputs());
  const auto actions = static_cast<std::size_t>(actions_);
  recall.seen.read({observations + static_cast<std::size_t>(row) * inputs, inputs}, workspace.network.changes);
  if (workspace.values.size() < ring_.size() * actions) workspace.values.resize(ring_.size() * actions);
  for (std::size_t i = 0; i < ring_.size(); ++i) {
    std::int32_t* sums = &recall.sums[i * units];
    ring_[i].network->byte_layer()->add(workspace.network.changes, sums);
    ring_[i].network->answer(sums, &workspace.values[i * actions], workspace.network);
  }
  combine(workspace.values.data(), actions_, probabilities + static_cast<std::ptrdiff_t>(row) * actions_, workspace);
}

void RingPolicy::combine(const float* values, std::ptrdiff_t stride, float* probabilities, Workspace& workspace) const {
  if (ring_.empty()) {
    uniform(probabilities);
  } else if (settings_.kind == PolicySettings::Kind::greedy) {
    greedy(values, stride, probabilities);
  } else {
    boltzmann(values, stride, probabilities, workspace);
  }
}

void RingPolicy::uniform(float* probabilities) const noexcept {
  std::fill(probabilities, probabilities + actions_, 1.0F / static_cast<float>(actions_));
}

void RingPolicy::boltzmann(const float* values, std::ptrdiff_t stride, float* probabilities,
                           Workspace& workspace) const {
  const std::size_t count = ring_.size();
  workspace.ranges.resize(count);
  workspace.scales.assign(scales_.begin(), scales_.end());
  workspace.logits.assign(static_cast<std::size_t>(actions_), 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    const float* q = values + static_cast<std::ptrdiff_t>(i) * stride;
    const auto [low, high] = std::minmax_element(q, q + actions_);
    workspace.ranges[i] = {0.5 * (static_cast<double>(*low) + static_cast<double>(*high)),
                           0.5 * (static_cast<double>(*high) - static_cast<double>(*low))};
    for (int a = 0; a < actions_; ++a)
      workspace.logits[static_cast<std::size_t>(a)] += weights_[i] * static_cast<double>(q[a]);
  }
  const double norm = solo_norm(workspace.ranges, workspace.scales);
  if (!(norm > 0)) return uniform(probabilities);
  const double eta = solo_step(settings_.alpha, actions_, norm);
  const double best = std::ranges::min(workspace.logits);
  float sum = 0.0F;
  for (int a = 0; a < actions_; ++a)
    sum += probabilities[a] =
        std::exp(static_cast<float>(-eta * (workspace.logits[static_cast<std::size_t>(a)] - best)));
  for (int a = 0; a < actions_; ++a) probabilities[a] /= sum;
}

void RingPolicy::greedy(const float* values, std::ptrdiff_t stride, float* probabilities) const {
  int best = 0;
  double least = 0.0;
  for (int a = 0; a < actions_; ++a) {
    double sum = 0.0;
    for (std::size_t i = 0; i < ring_.size(); ++i)
      sum += weights_[i] * static_cast<double>(values[static_cast<std::ptrdiff_t>(i) * stride + a]);
    if (a == 0 || sum < least) {
      best = a;
      least = sum;
    }
  }
  const double share = settings_.epsilon / actions_;
  for (int a = 0; a < actions_; ++a)
    probabilities[a] = static_cast<float>(share + (a == best ? 1 - settings_.epsilon : 0.0));
}

int pick(const float* probabilities, int actions, double draw) noexcept {
  double sum = 0.0;
  for (int a = 0; a + 1 < actions; ++a) {
    sum += static_cast<double>(probabilities[a]);
    if (draw < sum) return a;
  }
  return actions - 1;
}

}  // namespace politex::neural
