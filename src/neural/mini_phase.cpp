#include "politex/neural/mini_phase.hpp"

#include "politex/neural/ring_policy.hpp"

namespace politex::neural {

MiniPhase::MiniPhase(std::uint64_t seed, int environment, bool exploring)
    : choose_(seed, Use::action, static_cast<std::uint64_t>(environment)),
      explore_(seed, Use::explorer, static_cast<std::uint64_t>(environment)),
      exploring_(exploring) {}

bool MiniPhase::next(bool explores, const MiniPhaseLengths& lengths) {
  if (explores && left_ == 0 && (ended_ || !lengths.whole_episodes)) {
    exploring_ = !exploring_;
    left_ = exploring_ ? lengths.explore : lengths.follow;
  }
  return exploring_;
}

Action MiniPhase::explore(const Explorer& explorer, std::span<const float> observation) {
  return explorer.act(observation, memory_, explore_);
}

Action MiniPhase::follow(std::span<const float> policy) {
  return pick(policy.data(), static_cast<int>(policy.size()), choose_.uniform());
}

void MiniPhase::moved(const StepResult& step) noexcept {
  if (step.skipped) return;
  if (left_ > 0) --left_;
  ended_ = step.truncated || step.terminated;
}

void MiniPhase::save(ByteWriter& to) const {
  to.put(choose_.position());
  to.put(explore_.position());
  to.put(exploring_);
  to.put(ended_);
  to.put(left_);
  to.put(memory_);
}

void MiniPhase::restore(ByteReader& from, int actions) {
  choose_.seek(from.get<std::uint64_t>());
  explore_.seek(from.get<std::uint64_t>());
  from.get(exploring_);
  from.get(ended_);
  from.get_count(left_, "the mini-phase");
  get_memory(from, memory_, actions);
}

}  // namespace politex::neural
