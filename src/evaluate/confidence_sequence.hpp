// A confidence sequence: intervals for a mean, one after every batch, that all cover at once with the stated
// probability. So a comparison may be looked at after every batch and stopped at any time.
#pragma once

#include <limits>
#include <span>

#include "politex/evaluate/long_run.hpp"

namespace politex::inline evaluate {

enum class Verdict { better, worse, not_yet };
const char* verdict_name(Verdict verdict) noexcept;

/// Half the width of the interval after `steps` steps for a mean whose long sums have the deviation `deviation` per
/// step, estimated from `batches` means. The boundary of the normal mixture, sqrt((t + t0) log((t + t0) / (t0
/// alpha^2))) (Robbins; Waudby-Smith et al. 2021 for estimated variances), is narrowest near t = 8 t0; the few means
/// that the deviation is estimated from widen it as Student's t widens a normal interval.
double sequence_half_width(double steps, double deviation, int batches, double alpha, double first_steps);

/// The sequence of looks at a difference of costs (policy minus reference), one run or several.
class ConfidenceSequence {
 public:
  explicit ConfidenceSequence(double alpha = 0.05) : alpha_(alpha) {}

  /// Looks at the batches so far (of equal length; each call passes the earlier batches too). A refused look changes
  /// nothing.
  void look(std::span<const Batches> runs);
  /// Of the newest look that was not refused; infinite before it.
  const Interval& interval() const noexcept { return interval_; }
  /// Better: the interval is below 0.
  Verdict verdict() const noexcept { return verdict_; }
  const LongRun& newest() const noexcept { return newest_; }

 private:
  double alpha_;
  double first_steps_ = 0.0;
  Interval interval_{0.0, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  Verdict verdict_ = Verdict::not_yet;
  LongRun newest_;
};

}  // namespace politex::inline evaluate
