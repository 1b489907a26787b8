#include "politex/algorithm/cut_phase.hpp"

namespace politex::inline algorithm {

std::int64_t CutPhase::resume(Progress& progress) {
  if (!begin_) return 0;
  const std::int64_t played = progress.steps() - begin_->steps;
  progress.rewind(*begin_);
  begin_.reset();
  return played;
}

void CutPhase::save(ByteWriter& to, const Collector& collector) const {
  to.put(begin_.has_value());
  if (!begin_) return;
  to.put(*begin_);
  collector.save_phase(to);
}

void CutPhase::restore(ByteReader& from, Collector& collector) {
  begin_.reset();
  if (!from.get<bool>()) return;
  begin_ = from.get<Progress::Mark>();
  collector.restore_phase(from);
}

}  // namespace politex::inline algorithm
