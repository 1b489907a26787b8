// The sums of costs that a run reports.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "politex/algorithm/collect_data.hpp"
#include "politex/base/bytes.hpp"

namespace politex::inline algorithm {

/// Sums of costs over the run, by who acted, and over the last tenth of the steps.
class CostLedger {
 public:
  explicit CostLedger(std::int64_t total_steps)
      : last_tenth_begin_(total_steps - (total_steps + 9) / 10), last_tenth_steps_((total_steps + 9) / 10) {}

  /// Throws Error if a cost, or the sum of the phase's costs, is not finite.
  void add(const Phase& phase);

  /// From now on last_tenth() is over the steps so far: for runs that may be extended.
  void keep_last_tenth() noexcept { keeps_ = true; }

  struct Sum {
    std::int64_t steps = 0;
    double cost = 0.0;
  };
  const Sum& sum(By by) const noexcept { return sums_[static_cast<std::size_t>(by)]; }
  Sum all() const noexcept;
  Sum last_tenth() const;
  /// The mean cost of the phase added last.
  double phase_average() const noexcept { return phase_average_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

  /// A copy of the sums, to return to.
  struct Mark {
    std::array<Sum, 3> sums{};
    double last_tenth_cost = 0.0;
    double phase_average = 0.0;
  };
  Mark mark() const noexcept { return {sums_, last_tenth_cost_, phase_average_}; }
  /// Removes what was added since the mark.
  void rewind(const Mark& mark);

 private:
  void require_finite(double phase_cost, const Phase& phase, std::int64_t before) const;
  void keep(const Phase& phase, std::int64_t before);

  std::array<Sum, 3> sums_{};
  std::int64_t last_tenth_begin_, last_tenth_steps_;
  double last_tenth_cost_ = 0.0;
  double phase_average_ = 0.0;
  bool keeps_ = false;
  std::int64_t kept_begin_ = 0;  // the step of the first cost in kept_
  std::vector<double> kept_;
};

}  // namespace politex::inline algorithm
