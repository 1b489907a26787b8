#include "politex/evaluate/confidence_sequence.hpp"

#include <algorithm>
#include <cmath>

namespace politex::inline evaluate {

const char* verdict_name(Verdict verdict) noexcept {
  return verdict == Verdict::better ? "better" : verdict == Verdict::worse ? "worse" : "not_yet";
}

double sequence_half_width(double steps, double deviation, int batches, double alpha, double first_steps) {
  const double total = steps + first_steps;
  const double normal = std::sqrt(total * std::log(total / (first_steps * alpha * alpha)) / steps);
  // The tail of the normal distribution at this boundary, as a quantile of Student's t.
  const double tail = std::max(0.5 * std::erfc(normal / std::sqrt(2.0)), 1e-15);
  const double quantile = student_quantile(1.0 - tail, std::max(1, batches - 1));
  return std::max(normal, quantile) * deviation / std::sqrt(steps);
}

void ConfidenceSequence::look(std::span<const Batches> runs) {
  newest_ = batch_means(runs);
  if (newest_.refused()) return;
  const auto steps = static_cast<double>(newest_.steps);
  // Fixed by the first look: the sequence is narrowest when eight times as many steps have been made.
  if (first_steps_ == 0.0) first_steps_ = steps;
  const double half = sequence_half_width(steps, newest_.deviation, newest_.batches, alpha_, first_steps_);
  const double mean = newest_.interval.mean;
  interval_ = {mean, mean - half, mean + half};
  verdict_ = interval_.high < 0.0 ? Verdict::better : interval_.low > 0.0 ? Verdict::worse : Verdict::not_yet;
}

}  // namespace politex::inline evaluate
