#include "politex/neural/phase_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace politex::neural {

std::int64_t phase_length(double scale, std::int64_t before) {
  const double square = scale * scale;
  auto k =
      static_cast<std::int64_t>((square + std::sqrt(square * square + 4 * square * static_cast<double>(before))) / 2);
  const auto enough = [&](std::int64_t n) {
    return static_cast<double>(n) >= scale * std::sqrt(static_cast<double>(before + n));
  };
  k = std::max<std::int64_t>(k - 2, 1);
  while (!enough(k)) ++k;
  return k;
}

PhasePlan::PhasePlan(const Settings& settings, std::int64_t episode)
    : phase_scale_(settings.phase_scale),
      follow_scale_(settings.follow_scale),
      phase_steps_(settings.phase_steps),
      transitions_per_step_(settings.transitions_per_step),
      episode_(std::max<std::int64_t>(episode, 1)) {
  begin();
}

void PhasePlan::begin() {
  done_ = 0;
  length_ = phase_steps_ > 0 ? phase_steps_ : phase_length(phase_scale_, learner_steps_);
  const double transitions = static_cast<double>(length_ * transitions_per_step_);
  const auto steps = static_cast<std::int64_t>(std::ceil(follow_scale_ * std::sqrt(transitions)));
  follow_ = (steps + episode_ - 1) / episode_ * episode_;  // whole episodes
}

std::int64_t first_phase_transitions(const Settings& settings) {
  return PhasePlan(settings, 0).length() * settings.transitions_per_step;
}

void PhasePlan::next() {
  ++number_;
  begin();
}

void PhasePlan::save(ByteWriter& to) const {
  to.put(learner_steps_);
  to.put(number_);
  to.put(length_);
  to.put(done_);
  to.put(follow_);
}

void PhasePlan::restore(ByteReader& from) {
  from.get_count(learner_steps_, "learner steps");
  from.get_within(number_, 1, std::numeric_limits<std::int32_t>::max(), "the phase");
  from.get_within(length_, 1, ByteReader::most, "the phase");
  from.get_within(done_, 0, std::min(length_ - 1, learner_steps_), "the phase");
  from.get_within(follow_, 1, ByteReader::most, "the phase");
  PhasePlan begun = *this;
  begun.learner_steps_ -= done_;
  begun.begin();
  if (length_ != begun.length_ || follow_ != begun.follow_) throw DamagedState("the phase");
}

}  // namespace politex::neural
