// The average cost of long correlated runs with an interval that is right for them, or a refusal: "too short".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "politex/base/statistics.hpp"

namespace politex::inline evaluate {

/// Consecutive steps of one run. Batches of a series either all have the same number of steps, or begin and end where
/// the process regenerates.
struct Batch {
  double cost = 0.0;  // sum
  std::int64_t steps = 0;
};
using Batches = std::vector<Batch>;

/// An average, or the reason why there is no interval.
struct LongRun {
  Interval interval;       // the mean exists always; the bounds are NaN where `refusal` is not empty
  double deviation = 0.0;  // square root of the variance of a long sum, per step
  int batches = 0;         // means that the interval is computed from
  std::int64_t steps = 0;  // that count
  std::string refusal;

  bool refused() const noexcept { return !refusal.empty(); }
};

/// Independent runs of the same process, each as batches of equal length in the order of time. The first part of every
/// run is dropped as warm-up. The interval is Student's t on means of long batches, corrected for the correlation and
/// the skewness that is left. Refused: too few batches, or neighbours of 512 batches that are still correlated, a
/// drift, runs that disagree, a few batches that decide the average.
LongRun batch_means(std::span<const Batches> runs, double level = 0.95);

/// The same from `cycles`: batches that begin and end where the process regenerates. They are independent, nothing is
/// dropped, and the average is a ratio of sums. `batches` are the same runs in batches of equal length, which show
/// whether the runs are long compared with the time that the process remembers.
LongRun regenerative(std::span<const Batches> cycles, std::span<const Batches> batches, double level = 0.95);

}  // namespace politex::inline evaluate
