#include "politex/algorithm/politex_learner.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "politex/algorithm/schedule.hpp"
#include "politex/base/error.hpp"

namespace politex::inline algorithm {

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

namespace {

Keys politex_keys() {
  const When lsmc{"algorithm.estimator", {"lsmc"}};
  const When lspe{"algorithm.estimator", {"lspe"}};
  const When iterated{"algorithm.lspe", {"iterated"}};
  using Options = PolitexOptions;
  return {
      key<&Options::estimator>("algorithm.estimator", "how the Q of a phase is estimated",
                               word({{"lsmc", "least squares on Monte-Carlo returns"},
                                     {"lspe", "least-squares policy evaluation on one-step differences"}})),
      key<&Options::visits>(
          "algorithm.visits", "which pairs of a rollout give a return",
          word({{"one", "the probe pair only"}, {"first", "the first visit of each pair"}, {"every", "every visit"}}))
          .only_where(lsmc),
      key<&Options::average>("algorithm.average",
                             "lambda, the average cost that is subtracted from every cost of a return",
                             word({{"phase", "mean of the phase's target costs"},
                                   {"rollout", "mean of the own rollout"},
                                   {"last_cost", "the rollout's last cost"}}))
          .only_where(lsmc),
      key<&Options::horizon>("algorithm.horizon", "costs in a return; 0: to the end of the rollout", length())
          .only_where(lsmc),
      key<&Options::lspe>(
          "algorithm.lspe", "how LSPE is solved",
          word({{"fixed_point", "directly, its fixed point"}, {"iterated", "lspe_iterations steps of size lspe_step"}}))
          .only_where(lspe),
      key<&Options::lspe_iterations>("algorithm.lspe_iterations", "iterations per phase", whole(1, 1'000'000))
          .only_where(lspe)
          .only_where(iterated),
      key<&Options::lspe_step>("algorithm.lspe_step", "step size of an iteration", number_above(0, 1))
          .only_where(lspe)
          .only_where(iterated),
      key<&Options::eta>("algorithm.eta", "step size of the policy, or \"theory\": sqrt(8 log A / n) / q_max",
                         number_above_or(0, {{"theory", "the theorem's step size; needs q_max"}})),
      key<&Options::q_max>("algorithm.q_max",
                           "bound on the range of Q; needed by eta = \"theory\"; a range above it is reported",
                           number_of_at_least(0)),
      key<&Options::centre>("algorithm.centre",
                            "subtract the mean from the returns, so that the ridge pulls pairs never seen to the "
                            "average instead of 0",
                            flag())
          .only_where(lsmc),
      key<&Options::ridge>("algorithm.ridge", "ridge of the least squares", number_above(0)),
      key<&Options::solve>("algorithm.solve", "how a singular system is solved (lspe, lspi)",
                           word({{"ridge", "with the ridge"}, {"min_norm", "least squares of smallest norm"}})),
  };
}

void check_politex(const Values& values) {
  const auto options = read<PolitexOptions>(politex_keys(), values);
  if (std::holds_alternative<std::string>(options.eta) && options.q_max <= 0.0)
    throw ConfigError{"algorithm.q_max",
                      "0 is not accepted with eta = \"theory\"; accepted: a number above 0, the range of Q"};
}

PolitexLearner::StepSize step_size_of(const PolitexOptions& options) {
  if (const auto* eta = std::get_if<double>(&options.eta)) return {.eta = *eta, .q_max = 0.0};
  return {.eta = 0.0, .q_max = options.q_max};
}

PolitexLearner::Estimator estimator_of(const PolitexOptions& options, const LearnerParts& parts) {
  if (options.estimator == PolitexOptions::Kind::lspe)
    return Lspe({.iterated = options.lspe == PolitexOptions::LspeForm::iterated,
                 .iterations = options.lspe_iterations,
                 .step = options.lspe_step,
                 .solve = options.solve,
                 .ridge = options.ridge},
                parts.structure);
  return Lsmc({.visits = options.visits,
               .average = options.average,
               .horizon = options.horizon.resolve(parts.size),
               .ridge = options.ridge,
               .centre = options.centre},
              parts.structure);
}

std::unique_ptr<Learner> make_politex(const Values& values, const LearnerParts& parts) {
  const auto options = read<PolitexOptions>(politex_keys(), values);
  return std::make_unique<PolitexLearner>(estimator_of(options, parts), parts.structure, step_size_of(options),
                                          parts.actions, parts.phases);
}

void review_politex(const Values& values, const LearnerParts& parts, std::vector<std::string>& warnings) {
  const auto options = read<PolitexOptions>(politex_keys(), values);
  if (!parts.explores) return;
  if (options.estimator == PolitexOptions::Kind::lspe)
    warnings.emplace_back(
        "LSPE with exploration is off-policy in its start distribution: it uses the target's transitions only and may "
        "diverge");
  const std::int64_t longest = parts.lengths.probe + parts.lengths.follow;
  if (options.estimator == PolitexOptions::Kind::lsmc && options.visits != Visits::one &&
      options.horizon.resolve(parts.size) > longest)
    throw ConfigError{
        "algorithm.horizon",
        fmt::format("{} costs do not fit into a rollout of {} steps; accepted: at most that, or 0 for the "
                    "whole rollout",
                    options.horizon.text(), longest)};
}

}  // namespace

const LearnerEntry& ee_politex_entry() {
  static const LearnerEntry entry{.name = "ee_politex",
                                  .help = "Exploration-Enhanced Politex, Algorithm 1 of the paper",
                                  .keys = politex_keys() + schedule_keys() + exploration_keys(),
                                  .explores = true,
                                  .sums_q = true,
                                  .check = check_politex,
                                  .make = make_politex,
                                  .review = review_politex};
  return entry;
}

const LearnerEntry& politex_entry() {
  static const LearnerEntry entry{.name = "politex",
                                  .help = "Politex without exploration",
                                  .keys = politex_keys() + schedule_keys(),
                                  .sums_q = true,
                                  .check = check_politex,
                                  .make = make_politex,
                                  .review = review_politex};
  return entry;
}

}  // namespace politex::inline algorithm
