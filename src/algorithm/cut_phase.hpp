// A phase that the end of a run cut. If the run is extended, the phase is continued where it stopped, so that the run
// has the same bits as one that had its new length from the start.
#pragma once

#include <cstdint>
#include <optional>

#include "politex/algorithm/collector.hpp"
#include "politex/algorithm/progress.hpp"

namespace politex::inline algorithm {

class CutPhase {
 public:
  /// Whether there is a phase to continue.
  bool exists() const noexcept { return begin_.has_value(); }
  /// The progress when the phase began.
  const Progress::Mark& begin() const noexcept { return *begin_; }

  /// The newest phase was cut; it began at this progress.
  void set(const Progress::Mark& begin) noexcept { begin_ = begin; }
  /// Rewinds the progress to the beginning of the phase. The number of its steps that were played; 0 if there is none.
  std::int64_t resume(Progress& progress);

  /// With the data of the phase, which the collector has.
  void save(ByteWriter& to, const Collector& collector) const;
  void restore(ByteReader& from, const Progress& now, Collector& collector);

 private:
  std::optional<Progress::Mark> begin_;
};

}  // namespace politex::inline algorithm
