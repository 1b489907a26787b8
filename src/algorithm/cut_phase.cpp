#include "politex/algorithm/cut_phase.hpp"

#include "politex/base/saved.hpp"

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

void CutPhase::restore(ByteReader& from, const Progress& now, Collector& collector) {
  begin_.reset();
  if (!from.get<bool>()) return;
  begin_ = from.get<Progress::Mark>();
  check_saved(begin_->fits(now), "the cut phase");
  check_saved(collector.restore_phase(from) == now.steps() - begin_->steps, "the cut phase");
}

}  // namespace politex::inline algorithm
