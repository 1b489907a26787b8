#include "politex/guard/guarded_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "politex/base/error.hpp"

namespace politex::inline guard {
namespace {

constexpr std::int64_t first_steps = 10'000;

}  // namespace

GuardedBlock::GuardedBlock(std::unique_ptr<EnvironmentBlock> inside, std::shared_ptr<const Explorer> incumbent,
                           const GuardOptions& options, std::uint64_t seed)
    : inside_(std::move(inside)),
      incumbent_(std::move(incumbent)),
      options_(options),
      rng_(seed, Use::explorer, 2),
      observation_(inside_->space().numbers()) {
  if (inside_->count() != 1)
    throw ConfigError{"guard.incumbent",
                      fmt::format("a guard is on one environment, and there are {}; accepted: one", inside_->count())};
  check_guard(options_, static_cast<int>(observation_.size()), inside_->space().name);
  look(true);
}

void GuardedBlock::look(bool fresh) {
  inside_->observe(0, observation_);
  const double level = options_.coordinate >= 0 ? observation_[static_cast<std::size_t>(options_.coordinate)]
                                                : std::accumulate(observation_.begin(), observation_.end(), 0.0);
  on_ = guard_is_on(options_, on_ && !fresh, level);
  if (!on_) return;
  action_ = incumbent_->act(observation_, memory_, rng_);
  if (!inside_->masks()) return;
  std::vector<std::uint8_t> flags(static_cast<std::size_t>(space().actions));
  inside_->possible(0, flags);
  if (flags[static_cast<std::size_t>(action_)] == 0)
    throw Error(
        fmt::format("guard.incumbent: \"{}\" takes action {} in {}, which is masked there; accepted: a policy "
                    "that takes possible actions",
                    options_.incumbent, action_, space().name));
}

void GuardedBlock::step(int, std::span<const Action> actions, std::span<StepResult> into) {
  const Action action = on_ ? action_ : actions[0];
  inside_->step(0, {&action, 1}, into);
  if (!into[0].skipped) {
    ++steps_;
    if (on_) ++guarded_;
  }
  if (steps_ == first_steps && guarded_ == steps_)
    throw Error(
        fmt::format("guard.limit: {:g}: the guard is always on, in all of the first {} steps in {}; accepted: a "
                    "larger limit",
                    options_.limit, first_steps, space().name));
  look(into[0].terminated || into[0].truncated || into[0].skipped);
}

void GuardedBlock::reset(int which, std::optional<std::uint64_t> seed) {
  inside_->reset(which, seed);
  look(true);
}

void GuardedBlock::possible(int which, std::span<std::uint8_t> into) const {
  if (!on_) return inside_->possible(which, into);
  std::ranges::fill(into, std::uint8_t{0});
  into[static_cast<std::size_t>(action_)] = 1;
}

void GuardedBlock::save(int which, ByteWriter& to) const {
  inside_->save(which, to);
  to.put(rng_.position());
  to.put(memory_);
  to.put(on_);
  to.put(std::int64_t{action_});
  to.put(steps_);
  to.put(guarded_);
}

void GuardedBlock::restore(int which, ByteReader& from) {
  inside_->restore(which, from);
  rng_.seek(from.get<std::uint64_t>());
  get_memory(from, memory_, space().actions);
  from.get(on_);
  std::int64_t action = 0;
  from.get_within(action, 0, space().actions - 1, "the incumbent's action");
  action_ = static_cast<Action>(action);
  from.get_count(steps_, "steps");
  from.get_count(guarded_, "guarded steps");
}

}  // namespace politex::inline guard
