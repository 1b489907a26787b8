#include "politex/theory/estimates.hpp"

#include <algorithm>
#include <cmath>

#include "politex/algorithm/finite_collector.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/exact/approximation.hpp"
#include "politex/exact/bounds.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/excitation.hpp"
#include "politex/exact/mixing.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/parts.hpp"

namespace politex::inline theory {
namespace {

/// A policy of the class that Politex plays: Boltzmann in psi . w, the weights uniform in [-1, 1].
struct Setting {
  TableEnvironment environment;
  Features features;
  PolicyTable explorer, policy;
  std::vector<double> weights;

  explicit Setting(const Config& config)
      : environment(make_model(config)),
        features(make_features(config, environment.model())),
        explorer(make_explorer_table(config, environment.model())),
        policy(environment.states(), environment.actions()),
        weights(static_cast<std::size_t>(features.dimension())) {
    Rng rng(config.seed, Use::sample, 1);
    for (double& weight : weights) weight = 2.0 * rng.uniform() - 1.0;
    std::vector<double> q(static_cast<std::size_t>(environment.model().pairs()));
    features.values(weights, q);
    policy.set(Rule::boltzmann(1.0), q);
  }
};

struct Spread {
  double largest = 0.0, half_range = 0.0;
};

Spread spread(const std::vector<double>& f) {
  const auto [low, high] = std::ranges::minmax(f);
  return {std::max(std::abs(low), std::abs(high)), 0.5 * (high - low)};
}

}  // namespace

double estimation_error(const Config& config, const Lengths& lengths, const LsmcOptions& options) {
  const Setting setting(config);
  const FiniteModel& model = setting.environment.model();
  // A stream for every size of the data, so that points of a curve are independent.
  const std::uint64_t stream = config.seed + 1'000'003ULL * static_cast<std::uint64_t>(lengths.total());
  FiniteCollector collector(setting.environment, setting.features, setting.explorer, stream);
  collector.follow(Rule::boltzmann(1.0), setting.weights);
  Lsmc estimator(options, collector.structure());
  std::vector<double> weights(setting.weights.size());
  estimator.estimate(collector.collect({.lengths = lengths, .steps = lengths.total()}), weights);

  const exact::Evaluation explorer = exact::evaluate(model, setting.explorer.probabilities());
  const std::vector<double> distribution = exact::uniform_pair_distribution(model, explorer.stationary);
  const exact::Evaluation evaluation = exact::evaluate(model, setting.policy.probabilities());
  const std::vector<double> q = exact::action_values(model, evaluation).value;
  const exact::Fit best = exact::WeightedFit(setting.features.by_pair(), distribution).fit(q);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] -= best.weights[i];
  std::vector<double> difference(q.size());
  setting.features.values(weights, difference);
  return exact::centred_norm(difference, distribution);
}

PolicyBias policy_bias(const Config& config, std::int64_t longest) {
  const Setting setting(config);
  const FiniteModel& model = setting.environment.model();
  const auto policy = setting.policy.probabilities();
  const exact::Evaluation evaluation = exact::evaluate(model, policy);
  const exact::Evaluation explorer = exact::evaluate(model, setting.explorer.probabilities());
  const std::vector<double> pairs = exact::uniform_pair_distribution(model, explorer.stationary);
  const auto mean_at_start = [&](const std::vector<double>& f) {  // the first state of a rollout follows a probe
    const std::vector<double> next = exact::expected_next(model, f);
    double sum = 0.0;
    for (std::size_t pair = 0; pair < pairs.size(); ++pair) sum += pairs[pair] * next[pair];
    return sum;
  };
  const auto step = [&](const std::vector<double>& f) {
    const std::vector<double> next = exact::expected_next(model, f);
    std::vector<double> result(f.size(), 0.0);
    for (std::size_t pair = 0; pair < next.size(); ++pair)
      result[pair / static_cast<std::size_t>(model.actions)] += policy[pair] * next[pair];
    return result;
  };
  const double gain = evaluation.gain.front(), kappa = exact::mixing(model).kappa;
  double largest_cost = 0.0;
  for (const double cost : model.cost) largest_cost = std::max(largest_cost, std::abs(cost));

  PolicyBias bias;
  bias.kappa_rate = 1.0 / kappa;
  bias.second_rate = -std::log(exact::second_eigenvalue(model, policy));
  std::vector<double> expected = exact::chain_of(model, policy).cost;  // of the s-th cost, less the gain
  for (double& cost : expected) cost -= gain;
  std::vector<double> sum(expected.size(), 0.0), last, phase, rollout(expected.size());
  for (std::int64_t s = 1; s <= longest; ++s) {
    const auto length = static_cast<double>(s);
    for (std::size_t x = 0; x < sum.size(); ++x) sum[x] += expected[x];
    const double phase_mean = mean_at_start(sum) / length;
    last = phase = sum;
    for (std::size_t x = 0; x < sum.size(); ++x) {
      last[x] -= length * expected[x] + evaluation.bias[x];
      phase[x] -= length * phase_mean + evaluation.bias[x];
      rollout[x] = -evaluation.bias[x];  // V* sums to 0 whatever the rollout is
    }
    const exact::RolloutBias printed = exact::printed_rollout_bias(kappa, largest_cost, length);
    bias.by_length.push_back({.lambda_last = spread(expected).largest,
                              .lambda_phase = std::abs(phase_mean),
                              .lambda_rollout = spread(sum).largest / length,
                              .value_last = spread(last).largest,
                              .value_phase = spread(phase).largest,
                              .value_rollout = spread(rollout).largest,
                              .value_phase_centred = spread(phase).half_range,
                              .value_rollout_centred = spread(rollout).half_range,
                              .printed_lambda = printed.gain,
                              .printed_value = printed.value});
    expected = step(expected);
  }
  return bias;
}

}  // namespace politex::inline theory
