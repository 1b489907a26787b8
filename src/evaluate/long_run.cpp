#include "politex/evaluate/long_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace politex::inline evaluate {
namespace {

// The tests of coverage (tests/evaluate/coverage_test.cpp) were used to choose these numbers.
// The time that the run remembers is measured on at least `scale_batches` means: their correlation has a standard error
// below .045, so that the decision is about the process and hardly about chance.
constexpr std::size_t scale_batches = 512;
constexpr double most_scale_correlation = 0.35;
// Above this correlation intervals are wider, by up to most_widening.
constexpr double widened_correlation = 0.15, most_widening = 1.0;
// What is left is tested on at least `fine_batches` means, and the interval uses a quarter of them.
constexpr std::size_t fine_batches = 128, merged = 4;
// Beyond this skewness Johnson's correction of Student's t no longer holds.
constexpr double most_skewness = 5.0;
// A correlation of neighbours that 1% of independent series exceed; drift and disagreement that 1 in 1000 exceeds.
constexpr double correlation_quantile = 2.33, drift_quantile = 3.29;
// For what these tests overlook.
constexpr double safety = 1.05;

/// Sums of `length` neighbours; what is left over at the front is dropped.
Batches merge(std::span<const Batch> series, std::size_t length) {
  Batches out;
  out.reserve(series.size() / length);
  for (std::size_t i = series.size() % length; i < series.size(); i += length) {
    Batch sum;
    for (const Batch& each : series.subspan(i, length)) {
      sum.cost += each.cost;
      sum.steps += each.steps;
    }
    out.push_back(sum);
  }
  return out;
}

std::size_t count(std::span<const Batches> runs) {
  std::size_t total = 0;
  for (const Batches& run : runs) total += run.size();
  return total;
}

double ratio(std::span<const Batches> runs) {
  double cost = 0.0, steps = 0.0;
  for (const Batches& run : runs)
    for (const Batch& each : run) {
      cost += each.cost;
      steps += static_cast<double>(each.steps);
    }
  return cost / steps;
}

/// Moments of the centred sums cost - mean * steps, and the correlation of neighbours within a run.
struct Moments {
  double mean = 0.0, steps = 0.0;  // of a step; of a batch
  double variance = 0.0, skewness = 0.0, correlation = 0.0;
  std::size_t count = 0;
};

Moments moments(std::span<const Batches> runs) {
  Moments out;
  out.count = count(runs);
  out.mean = ratio(runs);
  const auto n = static_cast<double>(out.count);
  double squares = 0.0, cubes = 0.0, products = 0.0;
  for (const Batches& run : runs) {
    double before = 0.0;
    for (std::size_t i = 0; i < run.size(); ++i) {
      const double centred = run[i].cost - out.mean * static_cast<double>(run[i].steps);
      out.steps += static_cast<double>(run[i].steps) / n;
      squares += centred * centred;
      cubes += centred * centred * centred;
      if (i > 0) products += before * centred;
      before = centred;
    }
  }
  out.variance = squares / (n - 1.0);
  if (squares > 0.0) {
    out.skewness = cubes / n / std::pow(squares / n, 1.5);
    out.correlation = products / squares;
  }
  return out;
}

/// Johnson's correction of a quantile of Student's t for a skewed mean (Willink 2005).
double adjusted(double quantile, double skewness, double count) {
  const double beta = skewness / (6.0 * std::sqrt(count));
  if (std::abs(beta) < 1e-9) return quantile;
  return (std::cbrt(1.0 + 6.0 * beta * (quantile - beta)) - 1.0) / (2.0 * beta);
}

LongRun refuse(LongRun out, std::string reason) {
  out.interval.low = out.interval.high = std::numeric_limits<double>::quiet_NaN();
  out.refusal = std::move(reason);
  return out;
}

/// Student's t interval, wider by `widening`; the variance of a sum is larger by `inflation` than the batches show.
LongRun interval(LongRun out, std::span<const Batches> coarse, double inflation, double widening, double level) {
  const Moments found = moments(coarse);
  const auto n = static_cast<double>(found.count);
  const double error = safety * widening * std::sqrt(inflation * found.variance / n) / found.steps;
  const double t = student_quantile(0.5 + 0.5 * level, n - 1.0);
  out.interval = {found.mean, found.mean - adjusted(t, found.skewness, n) * error,
                  found.mean - adjusted(-t, found.skewness, n) * error};
  out.deviation = widening * std::sqrt(inflation * found.variance / found.steps);
  out.batches = static_cast<int>(found.count);
  return out;
}

/// How many neighbours are merged so that `least` to 2 * least batches are left; 0: there are fewer.
std::size_t merging(std::size_t batches, std::size_t least) {
  std::size_t length = 0;
  for (std::size_t each = 1; batches / each >= least; each *= 2) length = each;
  return length;
}

std::vector<Batches> merge_all(std::span<const Batches> runs, std::size_t length) {
  std::vector<Batches> out;
  for (const Batches& run : runs) out.push_back(merge(run, length));
  return out;
}

/// The first and the last third of the batches of all runs differ by more than chance.
bool drifts(std::span<const Batches> fine, double variance, double steps) {
  double early = 0.0, late = 0.0, n = 0.0;
  for (const Batches& run : fine) {
    const std::size_t third = run.size() / 3;
    n += static_cast<double>(third);
    for (std::size_t i = 0; i < third; ++i) {
      early += run[i].cost;
      late += run[run.size() - 1 - i].cost;
    }
  }
  return std::abs(early - late) / (n * steps) > drift_quantile * std::sqrt(2.0 * variance / n) / steps;
}

/// A run differs from the mean of all by more than chance.
bool disagree(std::span<const Batches> fine, double mean, double variance) {
  const auto runs = static_cast<double>(fine.size());
  if (fine.size() < 2) return false;
  const double most = student_quantile(1.0 - 0.0005 / runs, static_cast<double>(count(fine)) - runs);
  return std::ranges::any_of(fine, [&](const Batches& run) {
    double centred = 0.0;
    for (const Batch& each : run) centred += each.cost - mean * static_cast<double>(each.steps);
    const auto n = static_cast<double>(run.size());
    return std::abs(centred) > most * std::sqrt(variance * n * (1.0 - 1.0 / runs));
  });
}

constexpr const char* remedy = "; accepted: more steps";

/// Whether the runs are long compared with the time that the process remembers.
struct Scale {
  std::string refusal;       // why they are too short; empty: they are not
  double correlation = 0.0;  // of neighbours among the batches that it is measured on

  /// Of runs that are only just long enough, those are accepted that happened to miss the rare large costs: their
  /// variance and their average are too small. So their intervals are wider.
  double widening() const {
    const double excess =
        std::max(0.0, correlation - widened_correlation) / (most_scale_correlation - widened_correlation);
    return 1.0 + most_widening * excess;
  }
};

Scale scale_of(std::span<const Batches> runs) {
  const std::size_t length = merging(count(runs), scale_batches);
  if (length == 0)
    return {fmt::format("too short: {} batches; at least {} are needed{}", count(runs), scale_batches, remedy)};
  const Moments found = moments(merge_all(runs, length));
  if (found.correlation <= most_scale_correlation) return {{}, found.correlation};
  return {fmt::format("too short: averages of {} steps are correlated ({:.2f} between neighbours){}",
                      std::llround(found.steps), found.correlation, remedy),
          found.correlation};
}

}  // namespace

LongRun batch_means(std::span<const Batches> runs, double level) {
  LongRun out;
  out.interval.mean = ratio(runs);
  const Scale scale = scale_of(runs);
  if (!scale.refusal.empty()) return refuse(out, scale.refusal);
  std::vector<Batches> fine = merge_all(runs, merging(count(runs), fine_batches));
  for (Batches& run : fine)  // warm-up: one of the batches that the interval is computed from
    run.erase(run.begin(), run.begin() + static_cast<std::ptrdiff_t>(std::min(run.size(), merged)));
  if (std::ranges::any_of(fine, [](const Batches& run) { return run.size() < 2 * merged; }))
    return refuse(out, fmt::format("too short: a run has fewer than {} batches{}", 2 * merged, remedy));
  const Moments found = moments(fine);
  out.interval.mean = found.mean;
  out.steps = static_cast<std::int64_t>(std::llround(found.steps * static_cast<double>(found.count)));
  if (found.variance == 0.0) return interval(out, merge_all(fine, merged), 1.0, 1.0, level);
  if (drifts(fine, found.variance, found.steps))
    return refuse(out, fmt::format("too short: the cost still drifts from the beginning to the end{}", remedy));
  if (disagree(fine, found.mean, found.variance))
    return refuse(out, fmt::format("too short: {} independent runs have different averages; either they need more "
                                   "steps, or the policy has several classes of states that it never leaves",
                                   runs.size()));
  if (found.correlation > correlation_quantile / std::sqrt(static_cast<double>(found.count)))
    return refuse(out, fmt::format("too short: averages of {} steps are still correlated ({:.2f} between neighbours){}",
                                   std::llround(found.steps), found.correlation, remedy));
  if (std::abs(found.skewness) > most_skewness)
    return refuse(
        out, fmt::format("too short: a few batches decide the average (skewness {:.1f}){}", found.skewness, remedy));
  const double left = std::max(0.0, found.correlation) / static_cast<double>(merged);
  return interval(out, merge_all(fine, merged), (1.0 + left) / (1.0 - left), scale.widening(), level);
}

LongRun regenerative(std::span<const Batches> cycles, std::span<const Batches> batches, double level) {
  LongRun out;
  out.interval.mean = ratio(cycles);
  const Scale scale = scale_of(batches);
  if (!scale.refusal.empty()) return refuse(out, scale.refusal);
  // Cycles are independent, so those of all runs are one series.
  std::vector<Batches> one(1);
  for (const Batches& run : cycles) one[0].insert(one[0].end(), run.begin(), run.end());
  const std::size_t length = merging(one[0].size(), fine_batches);
  if (length == 0)
    return refuse(out, fmt::format("too short: {} groups of cycles; at least {} are needed{}", one[0].size(),
                                   fine_batches, remedy));
  const std::vector<Batches> fine = merge_all(one, length);
  const Moments found = moments(fine);
  out.interval.mean = found.mean;
  out.steps = static_cast<std::int64_t>(std::llround(found.steps * static_cast<double>(found.count)));
  if (std::abs(found.skewness) > most_skewness)
    return refuse(
        out, fmt::format("too short: a few cycles decide the average (skewness {:.1f}){}", found.skewness, remedy));
  return interval(out, merge_all(fine, merged), 1.0, scale.widening(), level);
}

}  // namespace politex::inline evaluate
