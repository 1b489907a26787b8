#include "politex/baselines/psrl.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "politex/baselines/step_collector.hpp"

namespace politex::inline baselines {

double gamma_draw(double shape, Rng& rng) {
  if (shape < 1.0) {
    const double boost = std::pow(1.0 - rng.uniform(), 1.0 / shape);
    return gamma_draw(shape + 1.0, rng) * boost;
  }
  const double d = shape - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
  while (true) {
    const double x = rng.normal();
    const double v = (1.0 + c * x) * (1.0 + c * x) * (1.0 + c * x);
    const double u = 1.0 - rng.uniform();  // in (0, 1]
    if (v > 0.0 && std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

Psrl::Psrl(int states, int actions, const Options& options, double lowest_cost, double highest_cost, std::uint64_t seed)
    : options_(options),
      lowest_(lowest_cost),
      highest_(highest_cost),
      model_(states, actions),
      begin_counts_(model_.pairs()),
      q_(states, actions),
      bias_(static_cast<std::size_t>(states), 0.0),
      sampler_(seed, Use::sample) {}

void Psrl::sample() {
  sampled_.first.assign(1, 0);
  sampled_.next.clear();
  sampled_.probability.clear();
  sampled_.cost.clear();
  const bool known = !std::isnan(lowest_) && !std::isnan(highest_);
  const double lowest = known ? lowest_ : model_.lowest(), range = (known ? highest_ : model_.highest()) - lowest;
  for (std::int32_t pair = 0; pair < model_.pairs(); ++pair) {
    const std::size_t begin = sampled_.next.size();
    double total = 0.0;
    const auto append = [&](std::int32_t state, double weight) {
      const double draw = gamma_draw(weight, sampler_);
      sampled_.next.push_back(state);
      sampled_.probability.push_back(draw);
      total += draw;
    };
    for (const auto& one : model_.counts().successors(pair)) append(one.state, one.count);
    append(static_cast<std::int32_t>(sampler_.below(static_cast<std::uint64_t>(model_.states()))), options_.prior);
    for (std::size_t k = begin; k < sampled_.next.size(); ++k)
      sampled_.probability[k] =
          total > 0.0 ? sampled_.probability[k] / total : 1.0 / static_cast<double>(sampled_.next.size() - begin);
    sampled_.first.push_back(static_cast<std::int32_t>(sampled_.next.size()));
    if (model_.counts().count(pair) > 0.0)
      sampled_.cost.push_back(model_.mean_cost(pair));
    else
      sampled_.cost.push_back(range >= 0.0 ? lowest + range * sampler_.uniform() : 0.0);  // below 0: none was seen
  }
}

void Psrl::begin_episode() {
  length_before_ = model_.steps() - begin_;
  begin_ = model_.steps();
  begin_counts_.begin(model_.counts());
  ++episodes_;
  due_ = false;
  sample();
  const auto [least, most] = std::ranges::minmax(sampled_.cost);
  const double precision = (most - least) / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, begin_)));
  value_iteration(bias_, q_, precision, most_sweeps, [&](std::span<const double> h, QTable& q) {
    for (std::int32_t pair = 0; pair < model_.pairs(); ++pair) {
      const auto at = static_cast<std::size_t>(pair);
      double value = sampled_.cost[at];
      for (auto k = static_cast<std::size_t>(sampled_.first[at]); k < static_cast<std::size_t>(sampled_.first[at + 1]);
           ++k)
        value += sampled_.probability[k] * h[static_cast<std::size_t>(sampled_.next[k])];
      q.at(pair / q.actions(), pair % q.actions()) = value;
    }
  });
}

Action Psrl::act(const Place& here, Rng& rng) {
  if (due_) begin_episode();
  return q_.best(here.state, rng);
}

void Psrl::observe(const Place& here, Action action, double cost, const Place& next) {
  model_.add(here.state, action, cost, next.state);
  const std::int32_t pair = here.state * model_.actions() + action;
  due_ = due_ || model_.steps() - begin_ > length_before_ ||
         model_.counts().count(pair) > 2.0 * begin_counts_.at_begin(pair);
}

void Psrl::save(ByteWriter& to) const {
  model_.save(to);
  begin_counts_.save(to);
  q_.save(to);
  to.put(bias_);
  to.put(sampler_.position());
  to.put(begin_);
  to.put(length_before_);
  to.put(episodes_);
  to.put(due_);
}

void Psrl::restore(ByteReader& from) {
  model_.restore(from);
  begin_counts_.restore(from);
  q_.restore(from);
  from.get_again(bias_, "the bias");
  sampler_.seek(from.get<std::uint64_t>());
  from.get_within(begin_, 0, model_.steps(), "the episode");
  from.get_count(length_before_, "the episode");
  from.get_count(episodes_, "episodes");
  from.get(due_);
  sampled_ = {};
}

namespace {

Keys psrl_keys() {
  return Keys{key<&PsrlOptions::prior>("algorithm.prior",
                                       "weight of the prior, a random successor, next to the count of a pair",
                                       number_above(0))} +
         block_keys();
}

}  // namespace

const LearnerEntry& psrl_entry() {
  static const LearnerEntry entry{
      .name = "psrl",
      .help = "posterior sampling with dynamic episodes (TSDE, Ouyang et al. 2017): plans in a sampled model, tabular",
      .keys = psrl_keys(),
      .presets = block_presets(),
      .check = check_blocks,
      .play = [](const Values& values, StepParts&& parts) {
        Psrl learner(model_states(parts, psrl_entry()), parts.actions, read<PsrlOptions>(psrl_keys(), values),
                     parts.lowest_cost, parts.highest_cost, parts.seed);
        return make_step_collector(std::move(parts), std::move(learner));
      }};
  return entry;
}

}  // namespace politex::inline baselines
