#include "politex/evaluate/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "politex/exact/evaluate.hpp"

namespace politex::inline evaluate {
namespace {

/// With more possible moves the exact answer takes longer than a simulation.
constexpr std::size_t most_exact_moves = 5'000'000;
constexpr std::int64_t table_steps = 20'000'000, table_batch = 512;
constexpr int table_runs = 8;

SimulationSizes sizes_of(const EvaluationOptions& options, std::int64_t default_steps, int runs,
                         std::int64_t batch_steps) {
  const std::int64_t steps = options.steps > 0 ? options.steps : default_steps;
  const std::int64_t round = runs * batch_steps;
  return {.seed = options.seed,
          .runs = runs,
          .batch_steps = batch_steps,
          .batches = std::max<std::int64_t>(1, (steps + round - 1) / round),
          .jobs = options.jobs};
}

AverageCost average_of(const Recorded& recorded, double level) {
  AverageCost out;
  for (const Batches& run : recorded.batches)
    for (const Batch& each : run) out.steps += each.steps;
  LongRun found;
  if (!recorded.cycles.empty()) found = regenerative(recorded.cycles, recorded.batches, level);
  out.method = "regenerative";
  if (recorded.cycles.empty() || found.refused()) {
    found = batch_means(recorded.batches, level);
    out.method = "batch_means";
  }
  out.interval = found.interval;
  out.refusal = found.refusal;
  return out;
}

/// When the growing record is looked at: the times do not depend on its final length, so a longer simulation repeats
/// the looks of a shorter one.
std::vector<std::size_t> looks(std::size_t batches) {
  std::vector<std::size_t> out;
  for (std::size_t at = 16; at < batches; at += std::max<std::size_t>(1, at / 32)) out.push_back(at);
  out.push_back(batches);
  return out;
}

Difference difference_of(const Recorded& policy, const Recorded& reference, double alpha) {
  std::vector<Batches> paired(policy.batches.size()), seen(policy.batches.size());
  for (std::size_t r = 0; r < paired.size(); ++r)
    for (std::size_t i = 0; i < policy.batches[r].size(); ++i)
      paired[r].push_back({policy.batches[r][i].cost - reference.batches[r][i].cost, policy.batches[r][i].steps});
  ConfidenceSequence sequence(alpha);
  const auto look = [&](std::size_t count) {
    for (std::size_t r = 0; r < paired.size(); ++r)
      seen[r].assign(paired[r].begin(), paired[r].begin() + static_cast<std::ptrdiff_t>(count));
    sequence.look(seen);
    return !sequence.newest().refused();
  };
  // The first look that is not refused fixes the sequence, and the last one is the answer: those between change
  // nothing.
  const std::vector<std::size_t> counts = looks(paired[0].size());
  const auto first = std::ranges::find_if(counts, look);
  for (auto last = counts.end(); first != counts.end() && --last != first && !look(*last);) {
  }
  Difference out{.interval = sequence.interval(), .verdict = sequence.verdict(), .refusal = {}};
  if (std::isfinite(out.interval.low)) return out;
  out.refusal = sequence.newest().refusal;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  out.interval = {sequence.newest().interval.mean, nan, nan};
  return out;
}

AverageCost exact_average(const FiniteModel& model, const PolicyTable& policy) {
  const exact::Evaluation found = exact::evaluate(model, policy.probabilities());
  const auto start = static_cast<std::size_t>(model.start);
  const double gain = found.gain[start], error = found.gain_error[start];
  return {.interval = {gain, gain - error, gain + error}, .steps = 0, .method = "exact", .refusal = {}};
}

Difference exact_difference(const AverageCost& policy, const AverageCost& reference) {
  const double error = policy.interval.half_width() + reference.interval.half_width();
  const double mean = policy.interval.mean - reference.interval.mean;
  Difference out{.interval = {mean, mean - error, mean + error}, .refusal = {}};
  out.verdict = out.interval.high < 0.0 ? Verdict::better : out.interval.low > 0.0 ? Verdict::worse : Verdict::not_yet;
  return out;
}

}  // namespace

bool exact_is_possible(const FiniteModel& model) { return model.next.size() <= most_exact_moves; }

Comparison compare(const Recorded& policy, const Recorded* reference, double alpha) {
  Comparison out{.policy = average_of(policy, 1.0 - alpha)};
  if (reference == nullptr) return out;
  out.reference = average_of(*reference, 1.0 - alpha);
  out.difference = difference_of(policy, *reference, alpha);
  return out;
}

Comparison compare(const FiniteModel& model, const PolicyTable& policy, const PolicyTable* reference,
                   const EvaluationOptions& options) {
  if (!options.simulate && exact_is_possible(model)) {
    Comparison out{.policy = exact_average(model, policy)};
    if (reference == nullptr) return out;
    out.reference = exact_average(model, *reference);
    out.difference = exact_difference(out.policy, *out.reference);
    return out;
  }
  const SimulationSizes sizes = sizes_of(options, table_steps, table_runs, table_batch);
  const auto record = [&](const PolicyTable& one) {
    return simulate(model, one, frequent_state(model, one, options.seed), sizes);
  };
  const Recorded first = record(policy);
  if (reference == nullptr) return compare(first, nullptr, options.alpha);
  const Recorded second = record(*reference);
  return compare(first, &second, options.alpha);
}

Comparison compare(const BlockPlan& plan, const Explorer& policy, const Explorer* reference,
                   const EvaluationOptions& options) {
  const SimulationSizes sizes = sizes_of(options, plan.default_steps, plan.runs, plan.batch_steps);
  const Recorded first = simulate(plan.make, policy, sizes);
  if (reference == nullptr) return compare(first, nullptr, options.alpha);
  const Recorded second = simulate(plan.make, *reference, sizes);
  return compare(first, &second, options.alpha);
}

}  // namespace politex::inline evaluate
