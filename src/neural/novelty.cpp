#include "politex/neural/novelty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/network/float_bytes.hpp"

namespace politex::neural {
namespace {

constexpr std::int64_t target_copy_steps = 200;
constexpr int longest_window = 255;

Adam::Settings adam_of(const NoveltyOptions& options) {
  Adam::Settings adam;
  adam.rate = options.rate;
  adam.epsilon = 1e-5;
  return adam;
}

}  // namespace

Novelty::Novelty(const NoveltyOptions& options, const Space& space, const Shape& learner, int batch, std::uint64_t seed)
    : options_(options),
      shapes_(novelty_shapes(learner, options)),
      explorer_(std::make_shared<NoveltyExplorer>(options, space)),
      network_(shapes_.values),
      target_(shapes_.values),
      adam_(network_.parameters().size(), adam_of(options)),
      distillation_(shapes_.bonus, adam_of(options), seed),
      rng_(seed, Use::replay, 1) {
  Rng initial(seed, Use::network, 1);
  network_.randomise(initial);
  std::ranges::copy(network_.parameters(), target_.parameters().begin());
  moves_.resize(batch, learner.inputs);
  const auto values = static_cast<std::size_t>(batch) * static_cast<std::size_t>(learner.actions);
  for (Floats* each : {&values_, &next_values_, &chooser_values_, &slope_}) each->assign(values, 0.0F);
  gradient_.assign(network_.parameters().size(), 0.0F);
  double factor = 1.0;
  for (int k = 0; k <= longest_window; ++k, factor *= options.discount) factors_.push_back(static_cast<float>(factor));
}

MoveBatch& Novelty::draw(std::int64_t size) {
  for (std::uint32_t& row : moves_.rows) row = static_cast<std::uint32_t>(rng_.below(static_cast<std::uint64_t>(size)));
  return moves_;
}

// Double Q-learning: the value of a window is the bonus of where it leads, and the discounted best value from there.
void Novelty::learn() {
  const int rows = static_cast<int>(moves_.rows.size());
  const auto actions = static_cast<std::size_t>(network_.shape().actions);
  const std::vector<float>& bonuses = distillation_.bonuses(moves_.nexts, rows);
  target_.forward(moves_.nexts.data(), rows, next_values_.data(), next_tape_);
  network_.forward(moves_.nexts.data(), rows, chooser_values_.data(), next_tape_);
  network_.forward(moves_.states.data(), rows, values_.data(), tape_);
  std::ranges::fill(slope_, 0.0F);
  const float share = 1.0F / static_cast<float>(rows);
  double loss = 0.0;
  for (std::size_t i = 0; i < moves_.rows.size(); ++i) {
    const float* chooser = &chooser_values_[i * actions];
    const auto best = static_cast<std::size_t>(std::max_element(chooser, chooser + actions) - chooser);
    const float next = moves_.terminal[i] != 0 ? 0.0F : next_values_[i * actions + best];
    // The bonus over Distillation::most lies in 0 .. 1.
    const float bonus = bonuses[i] / static_cast<float>(Distillation::most);
    const auto length = static_cast<std::size_t>(moves_.lengths[i]);
    const float goal = factors_[length - 1] * bonus + factors_[length] * next;
    const std::size_t taken = i * actions + static_cast<std::size_t>(moves_.actions[i]);
    const float difference = values_[taken] - goal;
    slope_[taken] = share * difference;
    loss += static_cast<double>(difference) * static_cast<double>(difference);
  }
  network_.backward(moves_.states.data(), rows, slope_.data(), tape_, gradient_);
  adam_.step(network_.parameters(), gradient_);
  if (!std::isfinite(loss))
    throw Error(
        fmt::format("the loss of the novelty explorer is not finite at its step {}; a smaller explorer.novelty_rate "
                    "may help",
                    updates_ + 1));
  if (++updates_ % target_copy_steps == 0) std::ranges::copy(network_.parameters(), target_.parameters().begin());
}

void Novelty::renew() {
  if (updates_ > 0) explorer_->show(network_);
}

void Novelty::save(ByteWriter& to) const {
  explorer_->save(to);
  put_floats(to, network_.parameters());
  put_floats(to, target_.parameters());
  adam_.save(to);
  distillation_.save(to);
  to.put(rng_.position());
  to.put(updates_);
}

void Novelty::restore(ByteReader& from) {
  explorer_->restore(from, shapes_.values);
  get_floats(from, network_.parameters());
  get_floats(from, target_.parameters());
  adam_.restore(from);
  distillation_.restore(from);
  rng_.seek(from.get<std::uint64_t>());
  from.get_count(updates_, "steps of the explorer");
}

}  // namespace politex::neural
