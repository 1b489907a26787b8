#include "politex/algorithm/politex_learner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "politex/algorithm/replay_learner.hpp"
#include "politex/algorithm/schedule.hpp"
#include "politex/base/error.hpp"
#include "politex/solvers/solver_options.hpp"

namespace politex::inline algorithm {

double PolitexLearner::StepSize::of(double phases, int actions) const {
  return q_max > 0.0 && eta == 0.0 ? std::sqrt(8.0 * std::log(static_cast<double>(actions)) / phases) / q_max : eta;
}

PolitexLearner::PolitexLearner(Estimator estimator, const FeatureStructure& structure, StepSize step_size, int actions,
                               double phases, Combine combine)
    : estimator_(std::move(estimator)),
      step_size_(step_size),
      combine_(combine),
      actions_(actions),
      columns_(structure.width),
      eta_(0.0),
      sum_(static_cast<std::size_t>(structure.dimension()), 0.0),
      newest_(sum_.size(), 0.0) {
  if (adaptive()) {
    for (auto* each : {&before_, &optimistic_}) each->assign(sum_.size(), 0.0);
    for (auto* each : {&changes_, &norms_}) each->assign(static_cast<std::size_t>(columns_), 0.0);
  }
  restart(phases);
}

void PolitexLearner::learn(const Phase& phase) {
  if (adaptive()) before_ = newest_;
  std::visit([&](auto& estimator) { estimator.estimate(phase, newest_); }, estimator_);
  for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += newest_[k];
  ++learned_;
  if (scale_free()) squares_ += mean_squared_range(phase, newest_, ranges_);
  if (adaptive()) add_changes();
  if (scale_free() || adaptive()) set_step();
}

/// Adds |Q_i - Q_{i-1}|_inf^2 per column: sum_k |psi_k| sqrt(changes_k) is a bound on the norm of the sequence at x,
/// and equal to it where one feature is active. The first Q is compared with its mean over the actions.
void PolitexLearner::add_changes() {
  const auto columns = static_cast<std::size_t>(columns_);
  const std::size_t blocks = sum_.size() / columns;
  for (std::size_t k = 0; k < columns; ++k) {
    double mean = 0.0;
    if (learned_ == 1 && blocks > 1)
      for (std::size_t b = 0; b < blocks; ++b) mean += newest_[b * columns + k] / static_cast<double>(blocks);
    double largest = 0.0;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::size_t at = b * columns + k;
      largest = std::max(largest, std::abs(newest_[at] - (learned_ == 1 ? mean : before_[at])));
    }
    changes_[k] += largest * largest;
  }
}

void PolitexLearner::set_step() {
  if (scale_free()) {
    eta_ = squares_ > 0.0 ? std::sqrt(11.0 * std::log(static_cast<double>(actions_)) / squares_) : 0.0;
    return;
  }
  for (std::size_t k = 0; k < sum_.size(); ++k) optimistic_[k] = sum_[k] + newest_[k];
  for (std::size_t k = 0; k < norms_.size(); ++k) norms_[k] = std::sqrt(2.0 * changes_[k]);
}

void PolitexLearner::restart(double phases) {
  for (auto* each : {&sum_, &newest_, &before_, &optimistic_, &changes_, &norms_})
    std::fill(each->begin(), each->end(), 0.0);
  squares_ = 0.0;
  learned_ = 0;
  eta_ = scale_free() ? 0.0 : step_size_.scale_free ? 1.0 : step_size_.of(phases, actions_);
}

void PolitexLearner::save(ByteWriter& to) const {
  to.put(eta_);
  to.put(sum_);
  to.put(newest_);
  if (scale_free()) to.put(squares_);
  if (!adaptive()) return;
  to.put(learned_);
  to.put(changes_);
}

void PolitexLearner::restore(ByteReader& from) {
  from.get_within(eta_, 0.0, std::numeric_limits<double>::max(), "the step size");
  from.get_again(sum_, "weights");
  from.get_again(newest_, "weights");
  if (scale_free()) from.get_within(squares_, 0.0, std::numeric_limits<double>::max(), "the step size");
  if (adaptive()) {
    from.get_count(learned_, "phases");
    from.get_again(changes_, "changes of weights");
  }
  if (adaptive()) set_step();
}

double mean_squared_range(const Phase& phase, std::span<const double> weights, std::vector<double>& ranges) {
  const Features& features = *phase.features;
  // Computed once per visited slot, and added step by step, so that the sum does not depend on the kind of slots.
  ranges.assign(static_cast<std::size_t>(features.slots()), -1.0);
  double total = 0.0;
  for (const std::int32_t pair : phase.pairs) {
    const std::int32_t slot = pair / features.actions;
    double& squared = ranges[static_cast<std::size_t>(slot)];
    if (squared < 0.0) {
      double low = features.dot(slot * features.actions, weights), high = low;
      for (int a = 1; a < features.actions; ++a) {
        const double q = features.dot(slot * features.actions + a, weights);
        low = std::min(low, q);
        high = std::max(high, q);
      }
      squared = (high - low) * (high - low);
    }
    total += squared;
  }
  return phase.pairs.empty() ? 0.0 : total / static_cast<double>(phase.pairs.size());
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
      key<&Options::eta>("algorithm.eta",
                         "step size of the policy, or a word; with combine = \"adaptive\": 1/c, without units",
                         number_above_or(0, {{"theory", "the theorem's sqrt(8 log A / n) / q_max; needs q_max"},
                                             {"scale_free",
                                              "sqrt(11 log A / S), S the sum over phases of the mean squared range of "
                                              "Q over actions: no units of cost; adaptive: 1"}})),
      key<&Options::q_max>("algorithm.q_max",
                           "bound on the range of Q; needed by eta = \"theory\"; a range above it is reported",
                           number_of_at_least(0)),
      key<&Options::combine>(
          "algorithm.combine", "how the Qs of all phases become a policy",
          word({{"sum", "Boltzmann in their sum: Politex"},
                {"adaptive", "AAPI: the newest Q counts twice; a step per state from the changes between Qs"},
                {"replay", "one Q for the current policy on the data of all phases, as algorithm.name = \"auto\""}})),
      key<&Options::baseline>(
          "algorithm.baseline", "what is subtracted from the returns before the regression",
          word({{"none", "nothing, as in the paper"},
                {"mean", "their mean: the ridge pulls pairs never seen to the average instead of 0"},
                {"state", "a fit V(x) of all actions together: an action never seen gets no value of its own"}}))
          .only_where(lsmc),
      key<&Options::ridge>("algorithm.ridge", "ridge of the least squares",
                           number_above_or(0, {{"count", "the mean count of a feature in the phase (lsmc)"}})),
      key<&Options::buffer>("algorithm.buffer", "transitions kept where states are not finite", whole(1, 1'000'000'000))
          .only_where({"algorithm.combine", {"replay"}}),
      key<&Options::solve>("algorithm.solve", "how a singular system is solved (lspe, lspi)",
                           word({{"ridge", "with the ridge"}, {"min_norm", "least squares of smallest norm"}})),
  };
}

bool is_word(const Value& value, std::string_view word) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && *text == word;
}

/// 0 where the value is a word.
double number_of(const Value& value) {
  const auto* number = std::get_if<double>(&value);
  return number != nullptr ? *number : 0.0;
}

/// Throws ConfigError where the solver does not fit the estimator.
void check_solver(const PolitexOptions& options, const SolverOptions& solver, const FeatureStructure& structure) {
  if (options.estimator != PolitexOptions::Kind::lspe) return check_memory(solver, structure);
  check_td_memory(solver, structure);
  if (solves_td_densely(solver, structure)) return;
  if (options.lspe == PolitexOptions::LspeForm::iterated || options.solve == TdSolve::min_norm)
    throw ConfigError{"algorithm.solver",
                      fmt::format("\"{}\" is not accepted for {} weights with lspe = \"iterated\" or solve = "
                                  "\"min_norm\"; accepted: direct",
                                  name_of(solver.solver), structure.dimension())};
}

void check_politex(const Values& values) {
  const auto options = read<PolitexOptions>(politex_keys(), values);
  if (is_word(options.eta, "theory") && options.combine == Combine::adaptive)
    throw ConfigError{"algorithm.eta",
                      "\"theory\" is not accepted with combine = \"adaptive\"; accepted: a number above 0 (1/c), or "
                      "\"scale_free\" (1)"};
  if (is_word(options.eta, "theory") && options.q_max <= 0.0)
    throw ConfigError{"algorithm.q_max",
                      "0 is not accepted with eta = \"theory\"; accepted: a number above 0, the range of Q"};
  if (is_word(options.ridge, "count") && options.estimator == PolitexOptions::Kind::lspe)
    throw ConfigError{"algorithm.ridge",
                      "\"count\" is not accepted with estimator = \"lspe\"; accepted: a number above 0"};
}

PolitexLearner::StepSize step_size_of(const PolitexOptions& options) {
  return {.eta = number_of(options.eta),
          .q_max = is_word(options.eta, "theory") ? options.q_max : 0.0,
          .scale_free = is_word(options.eta, "scale_free")};
}

PolitexLearner::Estimator estimator_of(const PolitexOptions& options, const SolverOptions& solver,
                                       const LearnerParts& parts) {
  check_solver(options, solver, parts.structure);
  if (options.estimator == PolitexOptions::Kind::lspe)
    return Lspe({.iterated = options.lspe == PolitexOptions::LspeForm::iterated,
                 .iterations = options.lspe_iterations,
                 .step = options.lspe_step,
                 .solve = options.solve,
                 .ridge = number_of(options.ridge),
                 .solver = solver},
                parts.structure);
  return Lsmc({.visits = options.visits,
               .average = options.average,
               .horizon = options.horizon.resolve(parts.size),
               .ridge = number_of(options.ridge),
               .baseline = options.baseline,
               .ridge_by_count = is_word(options.ridge, "count"),
               .solver = solver},
              parts.structure);
}

std::unique_ptr<Learner> make_politex(const Values& values, const LearnerParts& parts) {
  const auto options = read<PolitexOptions>(politex_keys(), values);
  switch (options.combine) {
    case Combine::sum:
    case Combine::adaptive:
      return std::make_unique<PolitexLearner>(estimator_of(options, read<SolverOptions>(solver_keys(), values), parts),
                                              parts.structure, step_size_of(options), parts.actions, parts.phases,
                                              options.combine);
    case Combine::replay:
      break;
  }
  const double ridge = number_of(options.ridge);
  return make_replay_learner(parts, options.buffer, ridge > 0.0 ? ridge : 0.01);
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
                                  .keys = politex_keys() + solver_keys() + schedule_keys() + exploration_keys(),
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
                                  .keys = politex_keys() + solver_keys() + schedule_keys(),
                                  .sums_q = true,
                                  .check = check_politex,
                                  .make = make_politex,
                                  .review = review_politex};
  return entry;
}

}  // namespace politex::inline algorithm
