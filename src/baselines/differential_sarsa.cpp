#include "politex/baselines/differential_sarsa.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "politex/base/error.hpp"
#include "politex/base/saved.hpp"
#include "politex/baselines/q_table.hpp"
#include "politex/baselines/step_collector.hpp"

namespace politex::inline baselines {
namespace {

constexpr double smallest_trace = 1e-8;

}  // namespace

DifferentialSarsa::DifferentialSarsa(int dimension, int actions, const Options& options)
    : options_(options),
      actions_(actions),
      weights_(static_cast<std::size_t>(dimension), 0.0),
      trace_(weights_.size(), 0.0),
      q_(static_cast<std::size_t>(actions)) {}

Action DifferentialSarsa::choose(const Place& here, Rng& rng) {
  const int first = here.slot * actions_;
  for (Action a = 0; a < actions_; ++a) q_[static_cast<std::size_t>(a)] = here.features->dot(first + a, weights_);
  if (options_.epsilon > 0.0 && rng.uniform() < options_.epsilon)
    return static_cast<Action>(rng.below(static_cast<std::uint64_t>(actions_)));
  return least_of(q_, rng);
}

void DifferentialSarsa::learn(double next_value) {
  double value = 0.0;
  for (std::size_t k = 0; k < columns_.size(); ++k)
    value += entries_[k] * weights_[static_cast<std::size_t>(columns_[k])];
  const double delta = cost_ - average_ + next_value - value;
  average_ += options_.average_rate * options_.alpha * delta;
  const double step = options_.alpha / static_cast<double>(columns_.size()) * delta;
  for (const std::int32_t column : nonzero_)
    weights_[static_cast<std::size_t>(column)] += step * trace_[static_cast<std::size_t>(column)];
}

void DifferentialSarsa::mark(const FeatureRow& psi) {
  std::size_t kept = 0;
  for (const std::int32_t column : nonzero_) {
    double& z = trace_[static_cast<std::size_t>(column)];
    z *= options_.lambda;
    if (std::abs(z) >= smallest_trace)
      nonzero_[kept++] = column;
    else
      z = 0.0;
  }
  nonzero_.resize(kept);
  columns_.clear();
  for (const std::int32_t index : psi.indices) columns_.push_back(psi.offset + index);
  entries_.assign(psi.values.begin(), psi.values.end());
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    double& z = trace_[static_cast<std::size_t>(columns_[k])];
    if (z == 0.0 && entries_[k] != 0.0) nonzero_.push_back(columns_[k]);
    z += entries_[k];
  }
}

Action DifferentialSarsa::act(const Place& here, Rng& rng) {
  const Action action = choose(here, rng);
  if (waiting_) learn(q_[static_cast<std::size_t>(action)]);
  mark(here.features->row(here.slot * actions_ + action));
  waiting_ = false;
  return action;
}

void DifferentialSarsa::observe(const Place& /*here*/, Action /*action*/, double cost, const Place& /*next*/) {
  cost_ = cost;
  waiting_ = true;
}

void DifferentialSarsa::interrupt() {
  for (const std::int32_t column : nonzero_) trace_[static_cast<std::size_t>(column)] = 0.0;
  nonzero_.clear();
  waiting_ = false;
}

void DifferentialSarsa::save(ByteWriter& to) const {
  to.put(weights_);
  to.put(trace_);
  to.put(nonzero_);
  to.put(columns_);
  to.put(entries_);
  to.put(average_);
  to.put(cost_);
  to.put(waiting_);
}

void DifferentialSarsa::restore(ByteReader& from) {
  const auto dimension = static_cast<std::int32_t>(weights_.size());
  from.get_again(weights_, "weights");
  from.get_again(trace_, "the trace");
  from.get(nonzero_);
  from.get(columns_);
  from.get_sized(entries_, columns_.size(), "features of the last step");
  from.get_finite(average_, "the average cost");
  from.get_finite(cost_, "the last cost");
  from.get(waiting_);
  check_saved(all_within(nonzero_, 0, dimension) && all_within(columns_, 0, dimension), "features of the last step");
}

namespace {

Keys differential_sarsa_keys() {
  using O = DifferentialSarsaOptions;
  return Keys{key<&O::alpha>("algorithm.step_size",
                             "step size of the weights, divided by the nonzero features of a pair", number_above(0, 1)),
              key<&O::average_rate>("algorithm.average_rate", "step size of the average cost, as a multiple of alpha",
                                    number_above(0, 1000)),
              key<&O::lambda>("algorithm.lambda", "decay of the eligibility trace per step", number(0, 0.999)),
              key<&O::epsilon>("algorithm.epsilon", "probability of a uniformly random action", number(0, 1))} +
         block_keys();
}

}  // namespace

const LearnerEntry& differential_sarsa_entry() {
  static const LearnerEntry entry{
      .name = "differential_sarsa",
      .help = "differential semi-gradient Sarsa(lambda) (Sutton and Barto, chapter 10), epsilon-greedy, any features",
      .keys = differential_sarsa_keys(),
      .presets = {{"schedule.kind", "anytime"}},
      .check = check_blocks,
      .play = [](const Values& values, StepParts&& parts) {
        DifferentialSarsa learner(parts.structure.dimension(), parts.actions,
                                  read<DifferentialSarsaOptions>(differential_sarsa_keys(), values));
        return make_step_collector(std::move(parts), std::move(learner));
      }};
  return entry;
}

}  // namespace politex::inline baselines
