#include "politex/neural/agent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/unknown.hpp"
#include "politex/neural/float_bytes.hpp"
#include "politex/neural/require.hpp"

namespace politex::neural {
namespace {

// Learner steps between two quiet moments: few enough for the observations of a chunk to stay small.
std::int64_t chunk_of(const Settings& settings, const WorldSpace& space) {
  constexpr std::int64_t most = 512, numbers = 16'000'000;
  return std::clamp<std::int64_t>(numbers / settings.transitions_per_step / space.inputs, 1, most);
}

// Environments outside the program are stepped all together, so that no phase may end among them.
void check_together(const Settings& s, int together) {
  if (together == 0) return;
  const int size = std::min(together, s.actors.environments);
  if (s.actors.environments % size == 0 && s.transitions_per_step % size == 0) return;
  throw ConfigError("actors.transitions_per_step",
                    fmt::format("{} with actors.environments = {}; accepted here: both multiples of {}, as many "
                                "environments are stepped together",
                                s.transitions_per_step, s.actors.environments, size));
}

Settings checked(const Settings& given, const BlockMaker& maker, const Fleet* fleet) {
  Settings s = given;
  refuse_ranks(maker, fleet);
  require(s.steps >= 1, "steps", "an integer >= 1");
  require(s.n_step >= 1 && s.n_step <= 255, "learner.n_step", "1 to 255");
  require(s.n_step_explorer >= 0 && s.n_step_explorer <= 255, "learner.n_step_explorer", "0 (as n_step) to 255");
  require(s.cost_scale >= 0 && std::isfinite(s.cost_scale), "learner.cost_scale", "0 (10 (1 - discount)) or above");
  require(s.transitions_per_step >= 1, "actors.transitions_per_step", "an integer >= 1");
  require(s.phase_scale > 0 && std::isfinite(s.phase_scale), "schedule.phase_scale", "a number above 0");
  require(s.phase_steps >= 0, "schedule.phase_steps", "an integer >= 0");
  require(s.follow_scale > 0 && std::isfinite(s.follow_scale), "schedule.follow_scale", "a number above 0");
  if (s.n_step_explorer == 0) s.n_step_explorer = s.n_step;
  check_together(s, maker.together);
  return s;
}

// The learner's process only remembers where environments of other processes stand; the acting ranks have them.
BlockMaker made_here(const BlockMaker& maker, const Fleet* fleet) {
  BlockMaker here = maker;
  if (fleet != nullptr && fleet->size() > 1 && maker.keep) here.make = maker.keep;
  return here;
}

double scale_of(const Settings& s) {
  if (s.cost_scale > 0) return s.cost_scale;
  return s.transform == Settings::Transform::none ? 10 * (1 - s.learner.discount) : 1.0;
}

}  // namespace

double transformed(Settings::Transform transform, double cost) {
  switch (transform) {
    case Settings::Transform::root:
      return std::copysign(0.2 * std::sqrt(std::abs(cost) / 10), cost);
    case Settings::Transform::sign:
      return static_cast<double>(cost > 0) - static_cast<double>(cost < 0);
    case Settings::Transform::none:
      break;
  }
  return cost;
}

Shape shape_of(const Settings& settings, const WorldSpace& space) {
  if (settings.nature) nature_convolutions(space.picture);
  return {space.inputs, settings.hidden, space.actions, space.bytes, settings.nature ? space.picture : Picture{}};
}

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

Agent::Agent(const Settings& settings, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer)
    : Agent(settings, maker, std::move(explorer), nullptr) {}

Agent::Agent(const Settings& settings, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer, Fleet* fleet)
    : settings_(checked(settings, maker, fleet)),
      cost_scale_(scale_of(settings)),
      actors_(settings.actors, made_here(maker, fleet), std::move(explorer), settings.seed),
      replay_(settings.replay, actors_.space().observation(), actors_.space().actions),
      learner_(shape_of(settings, actors_.space()), settings.learner, replay_, settings.seed),
      policy_(actors_.space().actions, settings.policy) {
  const bool discounted = settings.learner.mode == LearnerSettings::Mode::discounted;
  windows_.assign(static_cast<std::size_t>(settings.actors.environments),
                  WindowMaker(actors_.space().inputs, discounted ? settings.learner.discount : 1.0, settings_.n_step,
                              settings_.n_step_explorer));
  running_.resize(windows_.size());
  chunk_ = chunk_of(settings_, actors_.space());
  if (fleet != nullptr && fleet->size() > 1) {
    remote_ = std::make_unique<RemoteActors>(*fleet, settings.actors.environments, maker.together);
    actors_.leave_to(*remote_);
  }
  begin_phase();
}

void Agent::begin_phase() {
  phase_done_ = 0;
  told_ = false;
  phase_length_ =
      settings_.phase_steps > 0 ? settings_.phase_steps : phase_length(settings_.phase_scale, learner_steps_);
  const double transitions = static_cast<double>(phase_length_ * settings_.transitions_per_step);
  const std::int64_t episode = std::max<std::int64_t>(actors_.space().episode, 1);
  const auto steps = static_cast<std::int64_t>(std::ceil(settings_.follow_scale * std::sqrt(transitions)));
  follow_ = (steps + episode - 1) / episode * episode;
  replay_.begin_phase();
}

void Agent::end_phase() {
  ring_.push_back(learner_.network());
  ring_lengths_.push_back(static_cast<double>(phase_length_));
  if (ring_.size() > static_cast<std::size_t>(settings_.policy.ring)) {
    ring_.erase(ring_.begin());
    ring_lengths_.erase(ring_lengths_.begin());
  }
  policy_.push(std::make_shared<FrozenNetwork>(ring_.back()), ring_lengths_.back());
  signature_.add(std::span<const float>(ring_.back().parameters()));
  ++phase_;
  begin_phase();
}

// Once per phase: where it goes to, and the network that joined the ring.
void Agent::tell_remote() {
  if (!remote_ || told_) return;
  const std::int64_t per_step = settings_.transitions_per_step;
  const std::int64_t last = std::min(settings_.steps, steps_done_ + per_step * (phase_length_ - phase_done_));
  const std::size_t news = remote_->fresh() ? ring_.size() : 1;
  remote_->begin_phase(
      {.first = steps_done_, .last = last, .chunk = per_step * chunk_, .number = phase_, .follow = follow_},
      std::span<const DuelingNetwork>(ring_).last(news), std::span<const double>(ring_lengths_).last(news), actors_);
  told_ = true;
}

void Agent::advance() {
  tell_remote();
  const std::int64_t per_step = settings_.transitions_per_step;
  const std::int64_t left = std::min(phase_length_ - phase_done_, chunk_ - phase_done_ % chunk_);
  const std::int64_t first = steps_done_;
  // A run that was extended may begin within a learner step, or within a chunk.
  const std::int64_t last = std::min(settings_.steps, first - first % per_step + per_step * left);
  actors_.begin({.first = first,
                 .last = last,
                 .policy = &policy_,
                 .replay = settings_.learner.target == LearnerSettings::Target::max ? nullptr : &replay_,
                 .phase = static_cast<std::uint32_t>(phase_),
                 .follow = follow_});
  try {
    learn(first, last);
  } catch (...) {
    actors_.finish();
    throw;
  }
  actors_.finish();
  if (phase_done_ == phase_length_ || (phase_done_ % chunk_ == 0 && last % per_step == 0)) {
    signature_.add(std::span<const float>(to_sign_));
    to_sign_.clear();
  }
  if (phase_done_ == phase_length_) end_phase();
}

void Agent::extend(std::int64_t steps) {
  if (steps < steps_done_) throw Error(fmt::format("a run of {} steps cannot be cut back to {}", steps_done_, steps));
  settings_.steps = steps;
  const bool known = steps - (steps + 9) / 10 >= steps_done_;
  costs_.last_tenth = known ? 0.0 : unknown;
  costs_.last_tenth_steps = 0;
}

std::string Agent::signature() const {
  Signature now = signature_;
  if (!to_sign_.empty()) now.add(std::span<const float>(to_sign_));
  return now.text();
}

void Agent::learn(std::int64_t first, std::int64_t last) {
  const std::int64_t per_step = settings_.transitions_per_step;
  for (std::int64_t number = first; number < last;) {
    const std::int64_t seen = std::min(number - number % per_step + per_step, last);
    actors_.wait_for(seen);
    const bool whole = seen % per_step == 0;
    for (; number < seen; ++number) ingest(number);
    steps_done_ = seen;
    if (!whole) break;  // the run ends within a learner step
    if (learner_.ready()) learner_.step(policy_, static_cast<std::uint32_t>(phase_));
    ++learner_steps_;
    ++phase_done_;
  }
}

void Agent::ingest(std::int64_t number) {
  const Transition t = actors_.transition(number);
  if (t.skipped) return;  // it only restarted: the windows go on at the new start
  const auto environment = static_cast<std::size_t>(number % settings_.actors.environments);
  const auto phase = static_cast<std::uint32_t>(phase_);
  const auto keep = [&](const Window& window, std::span<const float> policy) {
    learner_.added(replay_.add(window, policy, phase));
  };
  WindowMaker& windows = windows_[environment];
  windows.step(t.state, t.policy, t.action, t.exploring ? 0 : static_cast<int>(phase_), t.exploring,
               cost_scale_ * transformed(settings_.transform, static_cast<double>(t.cost)), keep);
  if (t.lost_life)
    windows.terminate(t.state, t.policy, keep);
  else if (t.truncated)
    windows.truncate(t.last, t.last_policy, keep);
  count(number, t);
}

void Agent::count(std::int64_t number, const Transition& t) {
  const double cost = static_cast<double>(t.cost);
  costs_.all += cost;
  if (number >= settings_.steps - (settings_.steps + 9) / 10) {
    costs_.last_tenth += cost;
    ++costs_.last_tenth_steps;
  }
  (t.exploring ? costs_.explorer : costs_.policy) += cost;
  ++(t.exploring ? costs_.explorer_steps : costs_.policy_steps);
  Running& running = running_[static_cast<std::size_t>(number % settings_.actors.environments)];
  running.reward += static_cast<double>(t.score);
  (t.exploring ? running.by_explorer : running.by_policy) = true;
  to_sign_.push_back(static_cast<float>(t.action));
  to_sign_.push_back(t.cost);
  if (!t.truncated && !t.terminated) return;
  using By = Episode::By;
  episodes_.push_back({number + 1, running.reward,
                       !running.by_explorer ? By::policy
                       : running.by_policy  ? By::both
                                            : By::explorer});
  running = {};
}

void Agent::save(ByteWriter& to) const {
  actors_.save(to);
  replay_.save(to);
  learner_.save(to);
  to.put(ring_lengths_);
  for (const DuelingNetwork& network : ring_) put_floats(to, network.parameters());
  for (const WindowMaker& windows : windows_) windows.save(to);
  to.put(running_);
  to.put(steps_done_);
  to.put(learner_steps_);
  to.put(phase_);
  to.put(phase_length_);
  to.put(phase_done_);
  to.put(follow_);
  to.put(costs_);
  to.put(episodes_);
  to.put(signature_.value());
  to.put(to_sign_);
}

void Agent::restore(ByteReader& from) {
  if (remote_) remote_->forget();
  told_ = false;
  actors_.restore(from);
  replay_.restore(from);
  learner_.restore(from);
  from.get(ring_lengths_);
  ring_.clear();
  policy_ = RingPolicy(actors_.space().actions, settings_.policy);
  for (const double length : ring_lengths_) {
    ring_.emplace_back(learner_.network().shape());
    get_floats(from, ring_.back().parameters());
    policy_.push(std::make_shared<FrozenNetwork>(ring_.back()), length);
  }
  for (WindowMaker& windows : windows_) windows.restore(from);
  from.get(running_);
  if (!actors_.can_save()) {  // the environments stand elsewhere now
    for (WindowMaker& windows : windows_) windows.forget();
    std::ranges::fill(running_, Running{});
  }
  if (running_.size() != windows_.size()) throw Error("the saved state has another number of environments");
  from.get(steps_done_);
  from.get(learner_steps_);
  from.get(phase_);
  from.get(phase_length_);
  from.get(phase_done_);
  from.get(follow_);
  from.get(costs_);
  from.get(episodes_);
  signature_.restore(from.get<std::uint64_t>());
  from.get(to_sign_);
}

}  // namespace politex::neural
