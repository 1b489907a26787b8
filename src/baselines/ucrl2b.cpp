#include "politex/baselines/ucrl2b.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "politex/baselines/step_collector.hpp"

namespace politex::inline baselines {

Ucrl2b::Ucrl2b(int states, int actions, const Options& options, const CostScale& scale)
    : options_(options),
      scale_(scale),
      model_(states, actions),
      begin_counts_(model_.pairs()),
      q_(states, actions),
      bias_(static_cast<std::size_t>(states), 0.0),
      cost_(static_cast<std::size_t>(model_.pairs())),
      unseen_(cost_.size()),
      order_(bias_.size()),
      more_(bias_.size(), -1.0) {}

void Ucrl2b::set_bounds() {
  first_.assign(1, 0);
  bounds_.clear();
  for (std::int32_t pair = 0; pair < model_.pairs(); ++pair) {
    const auto at = static_cast<std::size_t>(pair);
    const double count = model_.counts().count(pair), n = std::max(1.0, count);
    const double L = std::log(6.0 * model_.pairs() * n / options_.delta);
    const auto width = [&](double variance) {
      return options_.bonus * (2.0 * std::sqrt(variance * L / n) + 6.0 * L / n);
    };
    unseen_[at] = count > 0.0 ? std::min(1.0, width(0.0)) : 1.0;
    cost_[at] = count > 0.0 ? std::max(0.0, model_.mean_cost(pair) - width(model_.cost_variance(pair))) : 0.0;
    for (const auto& one : model_.counts().successors(pair)) {
      const double p = one.count / count, half = width(p * (1.0 - p));
      const double least = std::max(0.0, p - half);
      bounds_.push_back({.state = one.state, .least = least, .more = std::min(1.0, p + half) - least});
    }
    first_.push_back(bounds_.size());
  }
}

double Ucrl2b::best_mean(std::int32_t pair, std::span<const double> h) {
  const auto at = static_cast<std::size_t>(pair);
  const auto bounds = std::span(bounds_).subspan(first_[at], first_[at + 1] - first_[at]);
  double rest = 1.0, mean = 0.0;
  for (const Bound& one : bounds) {
    rest -= one.least;
    mean += one.least * h[static_cast<std::size_t>(one.state)];
    more_[static_cast<std::size_t>(one.state)] = one.more;
  }
  for (std::size_t k = 0; k < order_.size() && rest > 0.0; ++k) {
    const auto y = static_cast<std::size_t>(order_[k]);
    const double share = std::min(rest, more_[y] < 0.0 ? unseen_[at] : more_[y]);
    mean += share * h[y];
    rest -= share;
  }
  for (const Bound& one : bounds) more_[static_cast<std::size_t>(one.state)] = -1.0;
  return mean;
}

void Ucrl2b::begin_episode() {
  begin_counts_.begin(model_.counts());
  ++episodes_;
  due_ = false;
  set_bounds();
  const double precision = 1.0 / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, model_.steps())));
  value_iteration(bias_, q_, precision, most_sweeps, [&](std::span<const double> h, QTable& q) {
    std::iota(order_.begin(), order_.end(), 0);
    // Equal biases are ordered by number, so that the order is unique.
    std::ranges::sort(order_, [&](std::int32_t one, std::int32_t other) {
      const double left = h[static_cast<std::size_t>(one)], right = h[static_cast<std::size_t>(other)];
      return left != right ? left < right : one < other;
    });
    for (std::int32_t pair = 0; pair < model_.pairs(); ++pair)
      q.at(pair / q.actions(), pair % q.actions()) = cost_[static_cast<std::size_t>(pair)] + best_mean(pair, h);
  });
}

Action Ucrl2b::act(const Place& here, Rng& rng) {
  if (due_) begin_episode();
  return q_.best(here.state, rng);
}

void Ucrl2b::observe(const Place& here, Action action, double cost, const Place& next) {
  model_.add(here.state, action, scale_(cost), next.state);
  const std::int32_t pair = here.state * model_.actions() + action;
  const double before = begin_counts_.at_begin(pair);
  due_ = due_ || model_.counts().count(pair) - before >= std::max(1.0, before);
}

void Ucrl2b::save(ByteWriter& to) const {
  model_.save(to);
  begin_counts_.save(to);
  q_.save(to);
  to.put(bias_);
  to.put(episodes_);
  to.put(due_);
}

void Ucrl2b::restore(ByteReader& from) {
  model_.restore(from);
  begin_counts_.restore(from);
  q_.restore(from);
  from.get_again(bias_, "the bias");
  from.get_count(episodes_, "episodes");
  from.get(due_);
}

namespace {

Keys ucrl2b_keys() {
  using O = Ucrl2bOptions;
  return Keys{key<&O::delta>("algorithm.delta", "probability with which the bounds may fail", number_above(0, 1)),
              key<&O::bonus>("algorithm.bonus", "factor of the widths of the bounds; 1: the paper's",
                             number_of_at_least(0))} +
         block_keys();
}

}  // namespace

const LearnerEntry& ucrl2b_entry() {
  static const LearnerEntry entry{
      .name = "ucrl2b",
      .help = "UCRL2 with empirical Bernstein bounds (Fruit et al. 2020): plans in the best plausible model, tabular",
      .keys = ucrl2b_keys(),
      .presets = block_presets(),
      .check = check_blocks,
      .play = [](const Values& values, StepParts&& parts) {
        Ucrl2b learner(model_states(parts, ucrl2b_entry()), parts.actions, read<Ucrl2bOptions>(ucrl2b_keys(), values),
                       cost_scale(parts, ucrl2b_entry()));
        return make_step_collector(std::move(parts), std::move(learner));
      }};
  return entry;
}

}  // namespace politex::inline baselines
