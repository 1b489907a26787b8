// How often intervals cover the truth, and from which seeds: .ci/run nightly counts with many more.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <ostream>

#include "politex/base/statistics.hpp"

namespace politex {

/// Seeds of a coverage test: with POLITEX_COVERAGE=N (.ci/run nightly) N times as many, which were never looked at.
struct Seeds {
  explicit Seeds(std::uint64_t fast) {
    const char* const times = std::getenv("POLITEX_COVERAGE");
    if (times != nullptr) first = 1'000'001;
    last = first - 1 + fast * (times != nullptr ? std::strtoull(times, nullptr, 10) : 1);
  }
  double count() const { return static_cast<double>(last - first + 1); }
  static bool many() { return std::getenv("POLITEX_COVERAGE") != nullptr; }

  std::uint64_t first = 1, last = 0;
};

struct Coverage {
  int accepted = 0, covered = 0;

  void add(const Interval& interval, double truth) {
    ++accepted;
    covered += interval.low <= truth && truth <= interval.high ? 1 : 0;
  }
  /// At least 94%; of fewer than `few` intervals: this number of missed ones has a probability above 5% at 94%.
  bool is_enough(int few = 200) const {
    const int missed = accepted - covered;
    return covered >= 0.94 * accepted || (accepted < few && binomial_tail(missed, accepted, 0.06) > 0.05);
  }
};

inline std::ostream& operator<<(std::ostream& out, const Coverage& coverage) {
  return out << coverage.covered << " of " << coverage.accepted;
}

}  // namespace politex
