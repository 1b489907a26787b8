#include "politex/watch/exact_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "politex/base/error.hpp"
#include "politex/base/saved.hpp"
#include "politex/base/unknown.hpp"
#include "politex/env/masks.hpp"
#include "politex/exact/bounds.hpp"
#include "politex/exact/excitation.hpp"
#include "politex/exact/mixing.hpp"
#include "politex/exact/recurrence.hpp"

namespace politex::inline watch {
namespace {

struct NamedSplit {
  const char* name;
  NoiseSplit RegretSplit::*part;
};
constexpr NamedSplit splits[] = {{"V", &RegretSplit::V},
                                 {"W", &RegretSplit::W},
                                 {"V_explore", &RegretSplit::V_explore},
                                 {"W_explore", &RegretSplit::W_explore}};

/// The result, or nothing where the model is too large to compute it.
template <class Compute>
auto if_small(Compute compute) -> std::optional<decltype(compute())> {
  try {
    return compute();
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

ExactWatch::ExactWatch(std::unique_ptr<TableEnvironment> environment, Features features, const PolicyTable& explorer,
                       const Options& options)
    : environment_(std::move(environment)),
      features_(std::move(features)),
      options_(options),
      q_(static_cast<std::size_t>(environment_->model().pairs())),
      policy_(environment_->states(), environment_->actions()) {
  if (!options_.regret) return;
  ledger_ = std::make_unique<RegretLedger>(
      *environment_, explorer,
      RegretLedger::Options{
          .stride = options_.stride, .split = options_.rows, .learns = options_.learns, .seed = options_.seed});
  if (!options_.rows) return;
  const std::vector<RegretLedger::Optimal>& optimal = ledger_->optimal();
  std::vector<std::vector<double>> others;
  for (const RegretLedger::Optimal& each : optimal)
    others.push_back(exact::pair_distribution(environment_->model(), each.stationary, each.policy));
  errors_.emplace(
      environment_->model(), features_,
      QErrors::Distributions{.optimal_stationary = optimal.front().stationary,
                             .optimal_policy = optimal.front().policy,
                             .explorer = options_.explores ? ledger_->explorer().stationary : std::vector<double>{},
                             .others = std::move(others)});
}

std::span<const double> ExactWatch::values(std::span<const double> weights) const {
  features_.values(weights, q_);
  return q_;
}

std::span<const double> ExactWatch::policy(const Learner& learner) const {
  const Rule rule = learner.rule();
  values(learner.weights());
  if (!rule.norms.empty()) features_.divide_by_norms(rule.norms, q_);
  policy_.set(rule, q_);
  if (!environment_->masked() || (policy_.bounds() != nullptr && !policy_.bounds()->possible.empty()))
    return policy_.probabilities();
  // A learner that does not know masks: what it calls a masked action is a possible one.
  q_.assign(policy_.probabilities().begin(), policy_.probabilities().end());
  move_to_possible(environment_->model(), q_);
  policy_.set(q_);
  return policy_.probabilities();
}

double ExactWatch::range_of(std::span<const double> weights) const {
  const std::span<const double> q = values(weights);
  const auto [low, high] = std::ranges::minmax(q);
  return high - low;
}

double ExactWatch::watched_eta(const Rule& rule) const {
  const bool constant = rule.norms.empty() && (!options_.sums_q || covered_.phases == 0 || rule.eta == covered_.eta);
  return constant ? rule.eta : unknown;
}

void ExactWatch::before(const Learner& learner) {
  ledger_->evaluate(policy(learner));
  if (!ledger_->evaluation().unichain()) covered_.unichain = 0;
  covered_.eta = watched_eta(learner.rule());
  fresh_ = true;
}

void ExactWatch::after(const Phase& phase, const Learner& learner, bool learned) {
  if (!ledger_) return;
  ledger_->add(phase);
  if (errors_) {
    if (fresh_ && learned)
      errors_->add(ledger_->policy(), ledger_->evaluation(), values(learner.newest()),
                   options_.horizon > 0 ? ledger_->horizon_q(options_.horizon) : std::vector<double>{});
    else
      errors_->skip();
  }
  fresh_ = false;
  if (learned || covered_.phases == 0) covered_.lengths = phase.lengths;
  if (!learned) return;
  ++covered_.phases;
  covered_.pseudo_regret = ledger_->terms().PR - ledger_->probe_regret();
}

std::vector<std::string> ExactWatch::columns() const {
  if (!errors_) return {};
  std::vector<std::string> names = {"gain_from_start", "regret", "E", "PR", "V", "W", "V_explore", "W_explore"};
  for (const NamedSplit& split : splits) {
    names.push_back(std::string(split.name) + "_transient");
    names.push_back(std::string(split.name) + "_martingale");
  }
  names.insert(names.end(), {"q_error_star", "q_error_star_least", "q_error_star_most", "q_error_horizon",
                             "q_error_policy", "q_error_theorem", "q_error_explore", "density_ratio", "eps_0"});
  return names;
}

void ExactWatch::append_row(std::vector<double>& cells) const {
  if (!errors_) return;
  const RegretTerms& terms = ledger_->terms();
  cells.insert(cells.end(), {ledger_->evaluation().gain[static_cast<std::size_t>(environment_->model().start)],
                             ledger_->regret(), terms.E, terms.PR, terms.V, terms.W, terms.V_explore, terms.W_explore});
  for (const NamedSplit& split : splits) {
    cells.push_back((ledger_->split().*split.part).transient);
    cells.push_back((ledger_->split().*split.part).martingale);
  }
  const QError& error = errors_->newest();
  cells.insert(cells.end(), {error.star, error.star_least, error.star_most, error.horizon, error.policy, error.theorem,
                             error.explore, error.density_ratio, errors_->eps_0()});
}

TheoryBounds ExactWatch::bounds(const TheorySummary& theory) const {
  const FiniteModel& model = environment_->model();
  const Lengths& lengths = covered_.lengths;
  TheoryBounds bounds;
  bounds.delta = exact::reported_delta;
  bounds.every_phase = options_.stride == 1 && theory.measured == covered_.phases;
  const auto mixed = if_small([&] { return exact::mixing(model); });
  bounds.tau = mixed ? mixed->tau : unknown;
  bounds.kappa = mixed ? mixed->kappa : unknown;
  const auto [least, most] = std::ranges::minmax(model.cost);
  const double range = bounds.cost_range = most - least;
  const double largest = bounds.largest_cost = std::max(std::abs(least), std::abs(most));
  const exact::RunShape shape{.steps = static_cast<double>(ledger_->steps()),
                              .phases = static_cast<double>(covered_.phases),
                              .rollouts = static_cast<double>(lengths.rollouts),
                              .follow = static_cast<double>(lengths.follow),
                              .explore = static_cast<double>(lengths.explore)};
  bounds.bias_premise = exact::bias_premise(bounds.kappa);
  bounds.printed = exact::printed_noise(bounds.kappa, largest, shape, exact::reported_delta);
  const RegretLedger::Runs& runs = ledger_->runs();
  bounds.V = exact::noise_bound(bounds.tau, range, runs.other_steps, runs.other, exact::reported_delta);
  bounds.V_explore = exact::noise_bound(bounds.tau, range, runs.explorer_steps, runs.explorer, exact::reported_delta);
  // Every step moves the comparator, also those whose costs belong to the other of the two terms.
  bounds.W = bounds.W_explore = exact::noise_bound(bounds.tau, range, shape.steps, 1.0, exact::reported_delta);
  bounds.s_delta = exact::s_delta(model.actions, ledger_->optimal().front().stationary, exact::reported_delta);
  bounds.pseudo_regret = covered_.pseudo_regret;
  bounds.PR_printed = exact::pseudo_regret_bound(shape, theory.largest.theorem, theory.q_range, bounds.s_delta);
  bounds.PR_printed_q_max = exact::pseudo_regret_bound(shape, theory.largest.theorem, theory.q_max, bounds.s_delta);
  bounds.PR_sure = unknown;
  // From here on errors of Q count, not only gains: none may be hidden by rounding.
  if (options_.sums_q && bounds.every_phase && theory.known == theory.measured && covered_.unichain != 0 &&
      covered_.phases > 0 && std::isfinite(covered_.eta))
    bounds.PR_sure = exact::weights_bound(shape, covered_.eta, model.actions, errors_->squared_action_ranges(),
                                          theory.mean.theorem * shape.phases);
  bounds.eta = covered_.eta;
  bounds.theory_eta = std::sqrt(8.0 * std::log(model.actions) / shape.phases) / theory.q_range;
  bounds.sigma = bounds.sigma_on_span = unknown;
  if (!options_.explores) return bounds;
  const auto distribution = exact::uniform_pair_distribution(model, ledger_->explorer().stationary);
  if (const auto excited =
          if_small([&] { return exact::excitation(features_.by_pair(), distribution, whole_ ? &*whole_ : nullptr); })) {
    bounds.sigma = excited->sigma;
    bounds.sigma_on_span = excited->sigma_on_span;
  }
  return bounds;
}

FiniteSummary ExactWatch::summary(const Learner& learner, int last_state) const {
  const exact::Evaluation last = exact::evaluate(environment_->model(), policy(learner));
  FiniteSummary finite;
  finite.final_gain_from_start = last.gain[static_cast<std::size_t>(environment_->model().start)];
  finite.final_gain_from_last_state = last.gain[static_cast<std::size_t>(last_state)];
  if (!ledger_) {
    finite.optimal_gain = finite.regret = finite.regret_to_gain = unknown;
    finite.terms = {unknown, unknown, unknown, unknown, unknown, unknown};
    return finite;
  }
  finite.optimal_gain = ledger_->optimal_gain();
  finite.regret = ledger_->regret();
  finite.regret_to_gain = ledger_->regret_to_gain();
  finite.terms = ledger_->terms();
  finite.evaluated_phases = ledger_->evaluated();
  if (errors_) {
    finite.theory = errors_->summary();
    finite.theory->split = ledger_->split();
    finite.theory->bounds = bounds(*finite.theory);
  }
  return finite;
}

void ExactWatch::save(ByteWriter& to) const {
  if (ledger_) ledger_->save(to);
  if (errors_) errors_->save(to);
  to.put(covered_);
}

void ExactWatch::restore(ByteReader& from, std::int64_t steps) {
  if (ledger_) ledger_->restore(from, steps);
  if (errors_) errors_->restore(from);
  from.get(covered_);
  const Lengths& lengths = covered_.lengths;
  for (const std::int64_t count : {covered_.phases, lengths.rollouts, lengths.explore, lengths.probe, lengths.follow})
    check_saved(count >= 0 && count <= ByteReader::most, "phases of the bounds");
  check_saved(covered_.unichain == 0 || covered_.unichain == 1, "phases of the bounds");
}

}  // namespace politex::inline watch
