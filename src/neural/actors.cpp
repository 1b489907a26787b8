#include "politex/neural/actors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "politex/base/error.hpp"

namespace politex::neural {
namespace {

void require_finite(std::span<const float> values, int environment) {
  for (const float v : values)
    if (!std::isfinite(v))
      throw Error(fmt::format("environment {} gave an observation that is not finite", environment));
}

/// Whether the block writes something with this environment.
bool saves(const EnvironmentBlock& block, int which) { return (which == 0 || !block.together()) && block.can_save(); }

void require_finite(const StepResult& step, int environment) {
  if (!std::isfinite(step.cost) || !std::isfinite(step.score))
    throw Error(fmt::format("environment {} gave a cost that is not finite", environment));
}

}  // namespace

Actors::Actors(const ActorSettings& settings, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer,
               std::uint64_t seed)
    : Actors(settings, maker, std::move(explorer), seed, {0, settings.environments}) {}

Actors::Actors(const ActorSettings& settings, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer,
               std::uint64_t seed, EnvironmentRange here)
    : settings_(settings),
      explorer_(std::move(explorer)),
      space_(maker.space),
      input_(input_of(maker.space)),
      external_(maker.together > 0),
      chunk_(settings.environments, input_.inputs, maker.space.actions),
      refresh_(input_.inputs, maker.space.actions) {
  if (settings.environments < 1 || settings.environments > 4096)
    throw ConfigError("actors.environments", "out of range; accepted: 1 to 4096");
  if (settings.threads < 0 || settings.threads > 1024)
    throw ConfigError("actors.threads", "out of range; accepted: 0 to 1024");
  if (settings.explore < 1) throw ConfigError("schedule.explore", "out of range; accepted: an integer >= 1");
  // Every second environment begins with the policy, so that the replay is mixed from the start.
  for (int e = 0; e < settings.environments; ++e)
    slots_.push_back({.mini_phase = MiniPhase(seed, e, explorer_ != nullptr && e % 2 == 1)});
  make_groups(maker, here);
  threads_ = std::make_unique<ActorThreads>(settings.threads, [this]() -> ActorThreads::Work {
    return [this, workspace = std::make_shared<Workspace>()] { return work(*workspace); };
  });
}

void Actors::make_groups(const BlockMaker& maker, EnvironmentRange here) {
  // Eight states share one pass over the weights; fewer only if more threads need work.
  const int share = (here.end - here.begin + settings_.threads) / (settings_.threads + 1);
  const int size = maker.together > 0 ? maker.together : std::clamp(share, 1, 8);
  for (int e = here.begin; e < here.end; e += size) {
    auto group = std::make_unique<Group>();
    group->range = {e, std::min(e + size, here.end)};
    group->block = maker.make(group->range);
    for (int i = e; i < group->range.end; ++i) slot(i).group = group.get();
    groups_.push_back(std::move(group));
  }
}

void Actors::begin(const Orders& orders) {
  orders_ = orders;
  chunk_.begin(orders.first, orders.last);
  refresh_.begin(orders.policy, orders.replay, orders.phase);
  for (auto& group : groups_) group->rounds.store(chunk_.first_round(), std::memory_order_relaxed);
  needed_.store(chunk_.first_round(), std::memory_order_relaxed);
  threads_->begin();
}

// Rounds shortly ahead of the learner are worth more than fresh policies; those further ahead are not, since the
// learner has to compute itself what it finds stale.
bool Actors::work(Workspace& workspace) {
  constexpr std::int64_t lead = 16;
  const std::int64_t last = chunk_.end_round();
  const std::int64_t soon = std::min(needed_.load(std::memory_order_relaxed) + lead, last);
  return act_somewhere(workspace, soon) || refresh_.wanted(workspace) || refresh_.block(workspace) ||
         act_somewhere(workspace, last);
}

bool Actors::act_somewhere(Workspace& workspace, std::int64_t rounds) {
  if (idle_) return false;
  constexpr int at_once = 8;
  // The group that is farthest behind, so that the learner waits least.
  Group* chosen = nullptr;
  std::int64_t least = rounds;
  for (auto& group : groups_) {
    const std::int64_t done = group->rounds.load(std::memory_order_relaxed);
    if (done < least && !group->busy.load(std::memory_order_relaxed)) {
      least = done;
      chosen = group.get();
    }
  }
  if (chosen == nullptr || chosen->busy.exchange(true, std::memory_order_acquire)) return false;
  std::int64_t round = chosen->rounds.load(std::memory_order_relaxed);
  for (int i = 0; i < at_once && round < chunk_.end_round(); ++i) {
    play_round(*chosen, round, workspace);
    chosen->rounds.store(++round, std::memory_order_release);
  }
  chosen->busy.store(false, std::memory_order_release);
  return true;
}

void Actors::play_round(const Group& group, std::int64_t round, Workspace& workspace) {
  const auto [begin, end] = chunk_.inside(group.range, round);
  if (begin >= end) return;
  const std::size_t at = chunk_.place(round, begin);
  const auto count = static_cast<std::size_t>(end - begin);
  const MiniPhaseLengths lengths{settings_.explore, orders_.follow, settings_.whole_episodes};
  for (std::size_t i = 0; i < count; ++i) observe(group, begin + static_cast<int>(i), at + i);
  orders_.policy->evaluate(chunk_.state(at).data(), end - begin, chunk_.policy(at).data(), workspace.policy,
                           [&, first = begin](int r) -> Recall& { return slot(first + r).recall; });
  workspace.actions.resize(count);
  workspace.steps.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    workspace.actions[i] = choose(group, begin + static_cast<int>(i), at + i, lengths, workspace);
  step(group, {begin, end}, workspace);
  for (std::size_t i = 0; i < count; ++i) {
    const int e = begin + static_cast<int>(i);
    const StepResult& step = workspace.steps[i];
    require_finite(step, e);
    MiniPhase& mini_phase = slot(e).mini_phase;
    chunk_.record(at + i, workspace.actions[i], mini_phase.exploring(), step);
    mini_phase.moved(step);
    if (!step.truncated) continue;
    group.block->last(e - group.range.begin, chunk_.last(at + i).first(space_.numbers()));
    prepare_input(space_, chunk_.last(at + i));
    require_finite(chunk_.last(at + i), e);
    orders_.policy->evaluate(chunk_.last(at + i).data(), 1, chunk_.last_policy(at + i).data(), workspace.policy);
  }
}

void Actors::observe(const Group& group, int environment, std::size_t at) {
  const std::span<float> state = chunk_.state(at);
  group.block->observe(environment - group.range.begin, state.first(space_.numbers()));
  prepare_input(space_, state);
  require_finite(state, environment);
}

Action Actors::choose(const Group& group, int environment, std::size_t at, const MiniPhaseLengths& lengths,
                      Workspace& workspace) {
  MiniPhase& mini_phase = slot(environment).mini_phase;
  if (!mini_phase.next(explorer_ != nullptr, lengths)) return mini_phase.follow(chunk_.policy(at));
  if (!prepares_input(space_)) return mini_phase.explore(*explorer_, chunk_.state(at));
  workspace.observation.resize(space_.numbers());
  group.block->observe(environment - group.range.begin, std::span(workspace.observation));
  return mini_phase.explore(*explorer_, workspace.observation);
}

void Actors::step(const Group& group, EnvironmentRange range, Workspace& workspace) {
  const int first = range.begin - group.range.begin;
  if (!group.block->together() || range.count() == group.range.count())
    return group.block->step(first, workspace.actions, workspace.steps);
  // The last round of a run may need a part of the block; the steps of the others are not used.
  workspace.all_actions.assign(static_cast<std::size_t>(group.range.count()), 0);
  workspace.all_steps.resize(workspace.all_actions.size());
  std::ranges::copy(workspace.actions, workspace.all_actions.begin() + first);
  group.block->step(0, workspace.all_actions, workspace.all_steps);
  std::copy_n(workspace.all_steps.begin() + first, workspace.steps.size(), workspace.steps.begin());
}

void Actors::wait_for(std::int64_t count) {
  const std::int64_t rounds = (count + settings_.environments - 1) / settings_.environments;
  needed_.store(rounds, std::memory_order_relaxed);
  const auto complete = [&] {
    return idle_ || std::ranges::all_of(groups_, [&](const auto& group) {
             return group->rounds.load(std::memory_order_acquire) >= rounds;
           });
  };
  for (int idle = 0; !complete();) {
    throw_if_failed();
    bool acted = false;
    clock_.time([&] { acted = act_somewhere(workspace_, rounds); });
    if (acted) {
      idle = 0;
    } else if (!external_ || ++idle < 50) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(50));  // another process is at work and may need the core
    }
  }
  if (idle_) throw_if_failed();
}

void Actors::throw_if_failed() {
  if (!threads_->failed()) return;
  finish();
  threads_->rethrow();
}

bool Actors::can_save() const {
  return std::ranges::all_of(groups_, [](const auto& group) { return group->block->can_save(); });
}

void Actors::save_environment(int environment, ByteWriter& to) const {
  const Slot& from = slot(environment);
  const int which = environment - from.group->range.begin;
  if (saves(*from.group->block, which)) from.group->block->save(which, to);
  from.mini_phase.save(to);
}

void Actors::restore_environment(int environment, ByteReader& from) {
  Slot& to = slot(environment);
  const int which = environment - to.group->range.begin;
  if (saves(*to.group->block, which)) to.group->block->restore(which, from);
  to.mini_phase.restore(from, space_.actions);
}

void Actors::save(ByteWriter& to) const {
  for (int e = 0; e < settings_.environments; ++e) save_environment(e, to);
}

void Actors::restore(ByteReader& from) {
  for (int e = 0; e < settings_.environments; ++e) restore_environment(e, from);
  for (Slot& each : slots_)
    if (!each.group->block->can_save()) each.mini_phase.restarted();
}

}  // namespace politex::neural
