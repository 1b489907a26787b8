#include "politex/baselines/mdp_oomd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "politex/base/saved.hpp"
#include "politex/baselines/step_collector.hpp"

namespace politex::inline baselines {

void barrier_step(std::span<const double> base, std::span<const double> gain, std::span<double> into) {
  double low = 0.0, high = 0.0;
  for (std::size_t a = 0; a < base.size(); ++a) {
    low = std::max(low, gain[a] - 1.0 / base[a]);  // a probability becomes infinite
    high = std::max(high, gain[a]);                // none is larger than before
  }
  const auto sum = [&](double lambda) {
    double total = 0.0;
    for (std::size_t a = 0; a < base.size(); ++a) total += 1.0 / (1.0 / base[a] - gain[a] + lambda);
    return total;
  };
  constexpr int halvings = 100;
  for (int i = 0; i < halvings && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (sum(middle) > 1.0 ? low : high) = middle;
  }
  const double total = sum(high);
  for (std::size_t a = 0; a < base.size(); ++a) into[a] = 1.0 / (1.0 / base[a] - gain[a] + high) / total;
}

MdpOomd::MdpOomd(int states, int actions, const Options& options, const CostScale& scale)
    : options_(options),
      scale_(scale),
      policy_(states, actions, 1.0 / actions),
      base_(policy_),
      gain_(states, actions),
      visits_(static_cast<std::size_t>(states), 0.0),
      free_(visits_.size(), 0) {}

Action MdpOomd::act(const Place& here, Rng& rng) {
  const std::span<const double> p = policy_.row(here.state);
  double left = rng.uniform();
  std::size_t a = 0;
  while (a + 1 < p.size() && left >= p[a]) left -= p[a++];
  return static_cast<Action>(a);
}

void MdpOomd::observe(const Place& here, Action action, double cost, const Place& /*next*/) {
  trajectory_.push_back({.state = here.state, .action = action, .reward = 1.0 - scale_(cost)});
  if (static_cast<std::int64_t>(trajectory_.size()) == options_.episode) learn();
}

void MdpOomd::learn() {
  const auto window = static_cast<std::size_t>(options_.window);
  seen_.clear();
  for (std::size_t t = 0; t + window < trajectory_.size(); ++t) {
    const Visit& visit = trajectory_[t];
    const auto x = static_cast<std::size_t>(visit.state);
    if (visits_[x] > 0.0 && t < free_[x]) continue;
    if (visits_[x] == 0.0) seen_.push_back(visit.state);
    double sum = 0.0;
    for (std::size_t k = t; k <= t + window; ++k) sum += trajectory_[k].reward;
    gain_.at(visit.state, visit.action) += sum / policy_.at(visit.state, visit.action);
    visits_[x] += 1.0;
    free_[x] = t + 2 * window;
  }
  for (const std::int32_t state : seen_) {
    const std::span<double> gain = gain_.row(state);
    for (double& each : gain) each *= options_.rate / visits_[static_cast<std::size_t>(state)];
    barrier_step(base_.row(state), gain, base_.row(state));
    barrier_step(base_.row(state), gain, policy_.row(state));
    std::ranges::fill(gain, 0.0);
    visits_[static_cast<std::size_t>(state)] = 0.0;
  }
  trajectory_.clear();
}

std::span<const double> MdpOomd::weights() const {
  const std::span<const double> p = policy_.weights();
  weights_.resize(p.size());
  for (std::size_t k = 0; k < p.size(); ++k) weights_[k] = -std::log(p[k]);
  return weights_;
}

void MdpOomd::save(ByteWriter& to) const {
  policy_.save(to);
  base_.save(to);
  to.put(trajectory_);
}

void MdpOomd::restore(ByteReader& from) {
  for (QTable* each : {&policy_, &base_}) {
    each->restore(from);
    check_saved(are_distributions(each->all(), static_cast<std::size_t>(each->actions())) &&
                    std::ranges::all_of(each->all(), [](double p) { return p > 0.0; }),
                "the policy");
  }
  from.get(trajectory_);
  for (const Visit& visit : trajectory_)
    check_saved(visit.state >= 0 && visit.state < policy_.states() && visit.action >= 0 &&
                    visit.action < policy_.actions() && std::isfinite(visit.reward),
                "the trajectory");
  check_saved(static_cast<std::int64_t>(trajectory_.size()) < options_.episode, "the trajectory");
}

namespace {

Keys mdp_oomd_keys() {
  using O = MdpOomdOptions;
  return Keys{key<&O::window>("algorithm.window", "N, costs in a return", whole(1, 1'000'000)),
              key<&O::episode>("algorithm.update_every", "B, steps between two updates", whole(2, 100'000'000)),
              key<&O::rate>("algorithm.policy_rate", "step size of the policy, for costs scaled to [0, 1]",
                            number_above(0))} +
         block_keys();
}

void check_mdp_oomd(const Values& values) {
  check_blocks(values);
  const auto options = read<MdpOomdOptions>(mdp_oomd_keys(), values);
  if (options.episode <= options.window)
    throw ConfigError{"algorithm.update_every", fmt::format("{} steps have no return of {} costs; accepted: above {}",
                                                            options.episode, options.window + 1, options.window)};
}

}  // namespace

const LearnerEntry& mdp_oomd_entry() {
  static const LearnerEntry entry{
      .name = "mdp_oomd",
      .help = "MDP-OOMD (Wei et al. 2020): optimistic mirror descent on importance-weighted returns, tabular",
      .keys = mdp_oomd_keys(),
      .presets = block_presets(),
      .check = check_mdp_oomd,
      .play = [](const Values& values, StepParts&& parts) {
        MdpOomd learner(table_states(parts, mdp_oomd_entry()), parts.actions,
                        read<MdpOomdOptions>(mdp_oomd_keys(), values), cost_scale(parts, mdp_oomd_entry()));
        return make_step_collector(std::move(parts), std::move(learner));
      }};
  return entry;
}

}  // namespace politex::inline baselines
