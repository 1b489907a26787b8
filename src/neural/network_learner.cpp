#include "politex/neural/network_learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "politex/base/error.hpp"
#include "politex/base/require.hpp"
#include "politex/network/float_bytes.hpp"

namespace politex::neural {
namespace {

using Target = LearnerSettings::Target;
using Mode = LearnerSettings::Mode;

LearnerSettings checked(const LearnerSettings& s, const Replay& replay) {
  require(s.batch >= 1 && s.batch <= 65536, "learner.batch", "1 to 65536");
  if (s.batch > replay.capacity())
    throw ConfigError("learner.batch",
                      fmt::format("{} is larger than replay.capacity ({})", s.batch, replay.capacity()));
  require(s.discount >= 0 && s.discount < 1, "learner.discount", "0 <= discount < 1");
  require(s.gain_rate >= 0 && s.gain_rate <= 1, "learner.gain_rate", "0 to 1");
  require(s.target_copy >= 1, "learner.target_copy", "an integer >= 1");
  require(s.adam.rate > 0 && std::isfinite(s.adam.rate), "learner.rate", "a number above 0");
  require(s.adam.epsilon > 0 && std::isfinite(s.adam.epsilon), "learner.adam_epsilon", "a number above 0");
  require(s.adam.clip >= 0 && std::isfinite(s.adam.clip), "learner.clip", "a number >= 0 (0: no bound)");
  require(s.priority_exponent >= 0 && s.priority_exponent <= 1, "replay.priority_exponent", "0 to 1");
  require(s.importance_exponent >= 0 && s.importance_exponent <= 1, "replay.importance_exponent", "0 to 1");
  return s;
}

}  // namespace

NetworkLearner::NetworkLearner(const Shape& shape, const LearnerSettings& settings, Replay& replay, std::uint64_t seed)
    : settings_(checked(settings, replay)),
      replay_(replay),
      network_(shape),
      target_(shape),
      adam_(network_.parameters().size(), settings.adam),
      rng_(seed, Use::replay) {
  Rng initial(seed, Use::network);
  network_.randomise(initial);
  std::ranges::copy(network_.parameters(), target_.parameters().begin());
  if (settings.prioritised) priorities_.emplace(static_cast<std::size_t>(replay.capacity()));
  batch_.resize(settings.batch, shape.inputs, shape.actions);
  const auto values = static_cast<std::size_t>(settings.batch) * static_cast<std::size_t>(shape.actions);
  for (Floats* each : {&values_, &next_values_, &chooser_values_, &slope_, &stale_policies_})
    each->assign(values, 0.0F);
  stale_states_.resize(batch_.states.size());
  replay.expect(batch_.rows.size());
  gradient_.assign(network_.parameters().size(), 0.0F);
  target_values_.resize(static_cast<std::size_t>(settings.batch));
  double factor = 1.0;
  for (int k = 0; k < 256; ++k, factor *= value_factor(settings)) factors_.push_back(factor);
}

void NetworkLearner::added(std::uint32_t row) {
  if (priorities_) priorities_->set(row, top_priority_);
}

void NetworkLearner::draw(std::vector<std::uint32_t>& rows) {
  const auto size = static_cast<std::uint64_t>(replay_.size());
  for (std::uint32_t& row : rows) {
    row = static_cast<std::uint32_t>(priorities_ ? priorities_->find(rng_.uniform() * priorities_->total())
                                                 : rng_.below(size));
    replay_.prefetch(row);
  }
}

// Only if the rows cannot depend on what happens until then: a full replay keeps its size.
void NetworkLearner::look_ahead() {
  if (priorities_ || settings_.target == Target::max || replay_.size() < replay_.capacity()) return;
  position_before_ahead_ = rng_.position();
  ahead_.resize(batch_.rows.size());
  draw(ahead_);
  replay_.want(ahead_);
}

void NetworkLearner::sample() {
  if (ahead_.empty()) {
    draw(batch_.rows);
  } else {
    batch_.rows.swap(ahead_);
    ahead_.clear();
  }
  if (!priorities_) return;
  const auto size = static_cast<std::uint64_t>(replay_.size());
  // Importance weights (N P(i))^-beta, over the largest of the batch.
  float most = 0.0F;
  for (std::size_t i = 0; i < batch_.rows.size(); ++i) {
    const double share = priorities_->priority(batch_.rows[i]) / priorities_->total();
    const double weight = std::pow(static_cast<double>(size) * share, -settings_.importance_exponent);
    most = std::max(most, batch_.weights[i] = static_cast<float>(weight));
  }
  for (float& weight : batch_.weights) weight /= most;
}

void NetworkLearner::refresh(const RingPolicy& policy, std::uint32_t phase) {
  const auto inputs = static_cast<std::size_t>(network_.shape().inputs);
  const auto actions = static_cast<std::size_t>(network_.shape().actions);
  for (std::size_t j = 0; j < batch_.stale.size(); ++j)
    std::copy_n(&batch_.nexts[static_cast<std::size_t>(batch_.stale[j]) * inputs], inputs, &stale_states_[j * inputs]);
  refreshed_ += static_cast<std::int64_t>(batch_.stale.size());
  policy.evaluate(stale_states_.data(), static_cast<int>(batch_.stale.size()), stale_policies_.data(), workspace_);
  for (std::size_t j = 0; j < batch_.stale.size(); ++j) {
    const auto i = static_cast<std::size_t>(batch_.stale[j]);
    const auto fresh = std::span<const float>(stale_policies_).subspan(j * actions, actions);
    std::ranges::copy(fresh, &batch_.policies[i * actions]);
    replay_.set_policy(batch_.rows[i], fresh, phase);
  }
}

float NetworkLearner::next_value(const Batch& batch, std::size_t i, const float* q, const float* chooser) const {
  if (batch.terminal[i] != 0) return 0.0F;
  const auto actions = static_cast<std::size_t>(network_.shape().actions);
  if (settings_.target == Target::max) return q[std::min_element(chooser, chooser + actions) - chooser];
  if (settings_.target == Target::sarsa && batch.next_actions[i] >= 0) return q[batch.next_actions[i]];
  float value = 0.0F;
  for (std::size_t a = 0; a < actions; ++a) value += batch.policies[i * actions + a] * q[a];
  return value;
}

const std::vector<float>& NetworkLearner::targets(const Batch& batch) {
  const auto actions = static_cast<std::size_t>(network_.shape().actions);
  const int rows = static_cast<int>(batch.rows.size());
  target_.forward(batch.nexts.data(), rows, next_values_.data(), target_tape_);
  const float* chooser = next_values_.data();
  if (settings_.target == Target::max && settings_.double_q) {
    network_.forward(batch.nexts.data(), rows, chooser_values_.data(), target_tape_);
    chooser = chooser_values_.data();
  }
  std::vector<float>& into = target_values_;
  for (std::size_t i = 0; i < batch.rows.size(); ++i) {
    const float next = next_value(batch, i, &next_values_[i * actions], chooser + i * actions);
    const auto length = static_cast<std::size_t>(batch.lengths[i]);
    const double paid = gain_ * window_weight(settings_, batch.lengths[i]);
    into[i] =
        static_cast<float>(static_cast<double>(batch.costs[i]) - paid + factors_[length] * static_cast<double>(next));
  }
  return into;
}

void NetworkLearner::step(const RingPolicy& policy, std::uint32_t phase) {
  sample();
  replay_.gather(batch_, phase);
  look_ahead();
  if (!batch_.stale.empty() && settings_.target != Target::max) clock_.time([&] { refresh(policy, phase); });
  targets(batch_);
  const auto actions = static_cast<std::size_t>(network_.shape().actions);
  network_.forward(batch_.states.data(), settings_.batch, values_.data(), tape_);
  const bool estimates_gain = settings_.mode != Mode::discounted;
  if (estimates_gain) network_.forward(batch_.nexts.data(), settings_.batch, chooser_values_.data(), target_tape_);
  std::ranges::fill(slope_, 0.0F);
  const float share = 1.0F / static_cast<float>(settings_.batch);
  double loss = 0.0, value = 0.0, drift = 0.0;
  for (std::size_t i = 0; i < batch_.rows.size(); ++i) {
    const std::size_t taken = i * actions + static_cast<std::size_t>(batch_.actions[i]);
    const float difference = values_[taken] - target_values_[i];
    slope_[taken] = share * batch_.weights[i] * difference;
    loss += static_cast<double>(difference) * static_cast<double>(difference);
    value += static_cast<double>(values_[taken]);
    if (estimates_gain) {
      // By the online network at both ends: with the older target network, a steady fall of all values would look
      // like a low cost, and the gain would diverge with them.
      const float* online = &chooser_values_[i * actions];
      const double after = static_cast<double>(next_value(batch_, i, online, online));
      // The differential gain counts every step in full, also where values are multiplied by a restart's probability.
      const double kept =
          settings_.mode == Mode::centered ? factors_[static_cast<std::size_t>(batch_.lengths[i])] : 1.0;
      const double gone = kept * after - static_cast<double>(values_[taken]);
      drift += (static_cast<double>(batch_.costs[i]) + gone) / window_weight(settings_, batch_.lengths[i]) - gain_;
    }
    if (priorities_) {
      const double priority = std::pow(static_cast<double>(std::abs(difference)) + 1e-6, settings_.priority_exponent);
      top_priority_ = std::max(top_priority_, priority);
      priorities_->set(batch_.rows[i], priority);
    }
  }
  network_.backward(batch_.states.data(), settings_.batch, slope_.data(), tape_, gradient_);
  const double slope = adam_.step(network_.parameters(), gradient_);
  if (!std::isfinite(loss) || !std::isfinite(slope))
    throw Error(
        fmt::format("the loss or its gradient is not finite at learner step {} of phase {}; a smaller "
                    "learner.rate, learner.cost_scale or learner.clip may help",
                    updates_ + 1, phase));
  if (estimates_gain) gain_ += settings_.gain_rate * drift / settings_.batch;
  ++updates_;
  if (updates_ % settings_.target_copy == 0) std::ranges::copy(network_.parameters(), target_.parameters().begin());
  loss_sum_ += loss / settings_.batch;
  value_sum_ += value / settings_.batch;
  ++counted_;
}

NetworkLearner::Means NetworkLearner::take_means() {
  const double count = static_cast<double>(std::max<std::int64_t>(counted_, 1));
  const Means means{loss_sum_ / count, value_sum_ / count};
  loss_sum_ = value_sum_ = 0.0;
  counted_ = 0;
  return means;
}

void NetworkLearner::save(ByteWriter& to) const {
  put_floats(to, network_.parameters());
  put_floats(to, target_.parameters());
  adam_.save(to);
  to.put(ahead_.empty() ? rng_.position() : position_before_ahead_);
  if (priorities_) priorities_->save(to);
  to.put(top_priority_);
  to.put(gain_);
  to.put(updates_);
  to.put(counted_);
  to.put(loss_sum_);
  to.put(value_sum_);
}

void NetworkLearner::restore(ByteReader& from) {
  get_floats(from, network_.parameters());
  get_floats(from, target_.parameters());
  adam_.restore(from);
  rng_.seek(from.get<std::uint64_t>());
  ahead_.clear();
  if (priorities_) {
    priorities_->restore(from);
    for (auto row = replay_.size(); row < replay_.capacity(); ++row)
      if (priorities_->priority(static_cast<std::size_t>(row)) != 0.0) throw DamagedState("priorities");
  }
  from.get_within(top_priority_, 0.0, std::numeric_limits<double>::max(), "priorities");
  from.get_finite(gain_, "the gain");
  from.get_count(updates_, "steps of the learner");
  from.get_count(counted_, "steps of the learner");
  from.get_finite(loss_sum_, "the loss");
  from.get_finite(value_sum_, "the mean value");
}

}  // namespace politex::neural
