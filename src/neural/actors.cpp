#include "politex/neural/actors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <system_error>

#include "politex/base/error.hpp"
#include "politex/neural/remote.hpp"

namespace politex::neural {
namespace {

enum Flag : std::uint8_t {
  exploring_flag = 1,
  truncated_flag = 2,
  terminated_flag = 4,
  skipped_flag = 8,
  lost_life_flag = 16
};

void require_finite(std::span<const float> values, int environment) {
  for (const float v : values)
    if (!std::isfinite(v))
      throw Error(fmt::format("environment {} gave an observation that is not finite", environment));
}

}  // namespace

/// What a thread needs to evaluate policies and to step a block.
struct Actors::Room {
  RingPolicy::Workspace policy;
  Floats states, policies;
  std::vector<std::uint32_t> rows;
  Replay::Wanted wanted;
  std::vector<Action> actions;
  std::vector<OutsideStep> steps;
};

Actors::Actors(const ActorSettings& settings, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer,
               std::uint64_t seed)
    : Actors(settings, maker, std::move(explorer), seed, {0, settings.environments}) {}

Actors::Actors(const ActorSettings& settings, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer,
               std::uint64_t seed, EnvironmentRange here)
    : settings_(settings),
      explorer_(std::move(explorer)),
      space_(maker.space),
      inputs_(static_cast<std::size_t>(maker.space.inputs)),
      actions_(static_cast<std::size_t>(maker.space.actions)),
      outside_(maker.together > 0),
      room_(std::make_unique<Room>()) {
  if (settings.environments < 1 || settings.environments > 4096)
    throw ConfigError("actors.environments", "out of range; accepted: 1 to 4096");
  if (settings.threads < 0 || settings.threads > 1024)
    throw ConfigError("actors.threads", "out of range; accepted: 0 to 1024");
  if (settings.explore < 1) throw ConfigError("schedule.explore", "out of range; accepted: an integer >= 1");
  for (int e = 0; e < settings.environments; ++e) {
    const auto index = static_cast<std::uint64_t>(e);
    // The first turn begins a segment of the other kind. Every second environment begins with the policy, so that
    // replay is mixed from the start.
    slots_.push_back({.choose = Rng(seed, Use::action, index),
                      .explore = Rng(seed, Use::explorer, index),
                      .exploring = explorer_ != nullptr && e % 2 == 1});
  }
  make_groups(maker, here);
  start_threads();
}

void Actors::start_threads() {
  try {
    while (static_cast<int>(threads_.size()) < settings_.threads) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error& error) {
    end_threads();  // a constructor that fails is followed by no destructor
    throw ConfigError("actors.threads", fmt::format("{} cannot be started here: after {}, {}; accepted: fewer",
                                                    settings_.threads, threads_.size(), error.code().message()));
  }
}

void Actors::make_groups(const BlockMaker& maker, EnvironmentRange here) {
  // Eight states share one pass over the weights; fewer only where more threads want work.
  const int share = (here.end - here.begin + settings_.threads) / (settings_.threads + 1);
  const int size = maker.together > 0 ? maker.together : std::clamp(share, 1, 8);
  for (int e = here.begin; e < here.end; e += size) {
    auto group = std::make_unique<Group>();
    group->range = {e, std::min(e + size, here.end)};
    group->block = maker.make(group->range);
    for (int i = e; i < group->range.end; ++i) slots_[static_cast<std::size_t>(i)].group = group.get();
    groups_.push_back(std::move(group));
  }
}

Actors::~Actors() { end_threads(); }

void Actors::end_threads() {
  stopping_ = true;
  closing_ = true;
  chunk_.fetch_add(1, std::memory_order_release);
  chunk_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Actors::begin(const Orders& orders) {
  orders_ = orders;
  const auto count = static_cast<std::size_t>(orders.last - orders.first);
  for (Floats* room : {&states_, &lasts_}) room->resize(std::max(room->size(), count * inputs_));
  for (Floats* room : {&policies_, &last_policies_}) room->resize(std::max(room->size(), count * actions_));
  costs_.resize(std::max(costs_.size(), count));
  scores_.resize(costs_.size());
  taken_.resize(costs_.size());
  flags_.resize(costs_.size());
  const std::int64_t environments = settings_.environments;
  last_round_ = (orders.last + environments - 1) / environments;
  for (auto& group : groups_) group->rounds.store(orders.first / environments, std::memory_order_relaxed);
  needed_.store(orders.first / environments, std::memory_order_relaxed);
  if (remote_ != nullptr) remote_->begin_chunk(orders.first, *this);
  closing_ = false;
  working_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
  chunk_.fetch_add(1, std::memory_order_release);
  chunk_.notify_all();
}

void Actors::work() {
  // Rounds ahead of the learner that are worth more than fresh policies; what is further ahead can wait for them, since
  // the learner computes itself what it finds stale.
  constexpr std::int64_t lead = 16;
  Room room;
  std::uint64_t seen = 0;
  while (true) {
    chunk_.wait(seen, std::memory_order_acquire);
    seen = chunk_.load(std::memory_order_acquire);
    if (stopping_) return;
    try {
      for (int idle = 0; !closing_.load(std::memory_order_acquire) && !failed_;) {
        const std::int64_t soon = std::min(needed_.load(std::memory_order_relaxed) + lead, last_round_);
        if (act_somewhere(room, soon) || refresh_wanted(room) || refresh_somewhere(room) ||
            act_somewhere(room, last_round_)) {
          idle = 0;
        } else if (++idle < 100) {
          std::this_thread::yield();
        } else {
          std::this_thread::sleep_for(std::chrono::microseconds(50));  // ahead of the learner: leave it the core
        }
      }
    } catch (...) {
      const std::lock_guard lock(problem_lock_);
      if (!problem_) problem_ = std::current_exception();
      failed_ = true;
    }
    working_.fetch_sub(1, std::memory_order_release);
  }
}

bool Actors::act_somewhere(Room& room, std::int64_t rounds) {
  if (remote_ != nullptr) return false;
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
  for (int i = 0; i < at_once && round < last_round_; ++i) {
    play_round(*chosen, round, room);
    chosen->rounds.store(++round, std::memory_order_release);
  }
  chosen->busy.store(false, std::memory_order_release);
  return true;
}

// At the edges of a chunk a round may belong to it in part.
EnvironmentRange Actors::in_chunk(EnvironmentRange range, std::int64_t round) const {
  const std::int64_t start = round * settings_.environments;
  return {static_cast<int>(std::max<std::int64_t>(range.begin, orders_.first - start)),
          static_cast<int>(std::min<std::int64_t>(range.end, orders_.last - start))};
}

void Actors::play_round(const Group& group, std::int64_t round, Room& room) {
  const std::int64_t start = round * settings_.environments;
  const auto [begin, end] = in_chunk(group.range, round);
  if (begin >= end) return;
  const auto at = static_cast<std::size_t>(start + begin - orders_.first);
  const auto count = static_cast<std::size_t>(end - begin);
  const auto seen = [&](Floats& all, std::size_t number) { return std::span(all).subspan(number * inputs_, inputs_); };
  for (int e = begin; e < end; ++e) {
    const auto into = seen(states_, at + static_cast<std::size_t>(e - begin));
    group.block->observe(e - group.range.begin, into);
    require_finite(into, e);
  }
  orders_.policy->evaluate(
      &states_[at * inputs_], end - begin, &policies_[at * actions_], room.policy,
      [&](int r) -> Recall& { return slots_[static_cast<std::size_t>(begin) + static_cast<std::size_t>(r)].recall; });
  room.actions.resize(count);
  room.steps.resize(count);
  for (std::size_t i = 0; i < count; ++i) room.actions[i] = choose(begin + static_cast<int>(i), at + i);
  group.block->step(begin - group.range.begin, room.actions, room.steps);
  for (int e = begin; e < end; ++e) {
    const auto i = static_cast<std::size_t>(e - begin);
    record(e, at + i, room.actions[i], room.steps[i]);
    if (!room.steps[i].truncated) continue;
    group.block->last(e - group.range.begin, seen(lasts_, at + i));
    require_finite(seen(lasts_, at + i), e);
    orders_.policy->evaluate(&lasts_[(at + i) * inputs_], 1, &last_policies_[(at + i) * actions_], room.policy);
  }
}

Action Actors::choose(int environment, std::size_t at) {
  Slot& slot = slots_[static_cast<std::size_t>(environment)];
  if (explorer_ != nullptr && slot.left == 0 && (slot.ended || !settings_.whole_episodes)) {
    slot.exploring = !slot.exploring;
    slot.left = slot.exploring ? settings_.explore : orders_.follow;
  }
  return slot.exploring
             ? explorer_->act(std::span<const float>(states_).subspan(at * inputs_, inputs_), slot.memory, slot.explore)
             : pick(&policies_[at * actions_], static_cast<int>(actions_), slot.choose.uniform());
}

void Actors::record(int environment, std::size_t at, Action action, const OutsideStep& moved) {
  if (!std::isfinite(moved.cost) || !std::isfinite(moved.score))
    throw Error(fmt::format("environment {} gave a cost that is not finite", environment));
  Slot& slot = slots_[static_cast<std::size_t>(environment)];
  costs_[at] = static_cast<float>(moved.cost);
  scores_[at] = static_cast<float>(moved.score);
  taken_[at] = static_cast<std::uint16_t>(action);
  flags_[at] =
      static_cast<std::uint8_t>((slot.exploring ? exploring_flag : 0) | (moved.truncated ? truncated_flag : 0) |
                                (moved.terminated ? terminated_flag : 0) | (moved.skipped ? skipped_flag : 0) |
                                (moved.lost_life ? lost_life_flag : 0));
  if (moved.skipped) return;
  if (slot.left > 0) --slot.left;
  slot.ended = moved.truncated || moved.terminated;
}

bool Actors::refresh_somewhere(Room& room) {
  if (orders_.replay == nullptr) return false;
  Replay& replay = *orders_.replay;
  const std::int64_t block = replay.take_block();
  if (block < 0) return false;
  const auto [first, last] = replay.rows_of(block);
  room.rows.clear();
  for (std::uint32_t row = first; row < last; ++row)
    if (!replay.has_policy(row, orders_.phase)) room.rows.push_back(row);
  // A part at a time: the rows that the learner wants next come in between.
  constexpr std::size_t at_once = 64;
  for (std::size_t at = 0; at < room.rows.size(); at += at_once) {
    refresh(std::span(room.rows).subspan(at, std::min(at_once, room.rows.size() - at)), room);
    refresh_wanted(room);
  }
  replay.finish_block(block);
  return true;
}

bool Actors::refresh_wanted(Room& room) {
  if (orders_.replay == nullptr || !orders_.replay->take_wanted(room.wanted, orders_.phase)) return false;
  refresh(room.wanted.rows, room);
  orders_.replay->give_back(room.wanted);
  return true;
}

// The blocks of these rows are taken.
void Actors::refresh(std::span<const std::uint32_t> rows, Room& room) {
  Replay& replay = *orders_.replay;
  room.states.resize(std::max(room.states.size(), rows.size() * inputs_));
  room.policies.resize(std::max(room.policies.size(), rows.size() * actions_));
  for (std::size_t i = 0; i < rows.size(); ++i) replay.next_state(rows[i], &room.states[i * inputs_]);
  orders_.policy->evaluate(room.states.data(), static_cast<int>(rows.size()), room.policies.data(), room.policy);
  for (std::size_t i = 0; i < rows.size(); ++i)
    replay.set_policy(rows[i], std::span<const float>(room.policies).subspan(i * actions_, actions_), orders_.phase);
}

void Actors::rethrow() {
  const std::lock_guard lock(problem_lock_);
  if (problem_) std::rethrow_exception(problem_);
}

void Actors::wait_for(std::int64_t count) {
  const std::int64_t rounds = (count + settings_.environments - 1) / settings_.environments;
  needed_.store(rounds, std::memory_order_relaxed);
  const auto there = [&] {
    return remote_ != nullptr || std::ranges::all_of(groups_, [&](const auto& g) {
             return g->rounds.load(std::memory_order_acquire) >= rounds;
           });
  };
  for (int idle = 0; !there();) {
    if (failed_) {
      finish();
      rethrow();
    }
    bool acted = false;
    clock_.time([&] { acted = act_somewhere(*room_, rounds); });
    if (acted) {
      idle = 0;
    } else if (!outside_ || ++idle < 50) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(
          std::chrono::microseconds(50));  // another process has the word, and may want the core
    }
  }
  if (remote_ == nullptr) return;
  remote_->wait(rounds, *this);
  if (failed_) {
    finish();
    rethrow();
  }
}

void Actors::finish() {
  closing_.store(true, std::memory_order_release);
  while (working_.load(std::memory_order_acquire) > 0) std::this_thread::yield();
}

Transition Actors::transition(std::int64_t number) const {
  const auto at = static_cast<std::size_t>(number - orders_.first);
  const auto part = [at](const Floats& all, std::size_t width) {
    return std::span<const float>(all).subspan(at * width, width);
  };
  return {.state = part(states_, inputs_),
          .policy = part(policies_, actions_),
          .last = part(lasts_, inputs_),
          .last_policy = part(last_policies_, actions_),
          .action = taken_[at],
          .cost = costs_[at],
          .score = scores_[at],
          .exploring = (flags_[at] & exploring_flag) != 0,
          .truncated = (flags_[at] & truncated_flag) != 0,
          .terminated = (flags_[at] & terminated_flag) != 0,
          .skipped = (flags_[at] & skipped_flag) != 0,
          .lost_life = (flags_[at] & lost_life_flag) != 0};
}

bool Actors::can_save() const {
  return std::ranges::all_of(groups_, [](const auto& group) { return group->block->can_save(); });
}

void Actors::save_environment(int environment, ByteWriter& to) const {
  const Slot& slot = slots_[static_cast<std::size_t>(environment)];
  slot.group->block->save(environment - slot.group->range.begin, to);
  to.put(slot.choose.position());
  to.put(slot.explore.position());
  to.put(slot.exploring);
  to.put(slot.ended);
  to.put(slot.left);
  to.put(slot.memory);
}

void Actors::restore_environment(int environment, ByteReader& from) {
  Slot& slot = slots_[static_cast<std::size_t>(environment)];
  slot.group->block->restore(environment - slot.group->range.begin, from);
  slot.choose.seek(from.get<std::uint64_t>());
  slot.explore.seek(from.get<std::uint64_t>());
  from.get(slot.exploring);
  from.get(slot.ended);
  from.get(slot.left);
  from.get(slot.memory);
}

void Actors::save(ByteWriter& to) const {
  for (int e = 0; e < settings_.environments; ++e) save_environment(e, to);
}

void Actors::restore(ByteReader& from) {
  for (int e = 0; e < settings_.environments; ++e) restore_environment(e, from);
  for (Slot& slot : slots_) slot.ended = slot.ended || !slot.group->block->can_save();
}

void Actors::leave_to(RemoteActors& remote) { remote_ = &remote; }

void Actors::pack(EnvironmentRange range, std::int64_t from, std::int64_t to, ByteWriter& into) const {
  const auto put = [&](const Floats& all, std::size_t at, std::size_t width) {
    for (std::size_t i = at * width; i < (at + 1) * width; ++i) into.put(all[i]);
  };
  for (std::int64_t round = from; round < to; ++round) {
    const auto [begin, end] = in_chunk(range, round);
    for (int e = begin; e < end; ++e) {
      const auto at = static_cast<std::size_t>(round * settings_.environments + e - orders_.first);
      put(states_, at, inputs_);
      put(policies_, at, actions_);
      into.put(costs_[at]);
      into.put(scores_[at]);
      into.put(taken_[at]);
      into.put(flags_[at]);
      if ((flags_[at] & truncated_flag) == 0) continue;
      put(lasts_, at, inputs_);
      put(last_policies_, at, actions_);
    }
  }
}

void Actors::unpack(EnvironmentRange range, std::int64_t from, std::int64_t to, ByteReader& packed) {
  const auto get = [&](Floats& all, std::size_t at, std::size_t width) {
    for (std::size_t i = at * width; i < (at + 1) * width; ++i) packed.get(all[i]);
  };
  for (std::int64_t round = from; round < to; ++round) {
    const auto [begin, end] = in_chunk(range, round);
    for (int e = begin; e < end; ++e) {
      const auto at = static_cast<std::size_t>(round * settings_.environments + e - orders_.first);
      get(states_, at, inputs_);
      get(policies_, at, actions_);
      packed.get(costs_[at]);
      packed.get(scores_[at]);
      packed.get(taken_[at]);
      packed.get(flags_[at]);
      if ((flags_[at] & truncated_flag) == 0) continue;
      get(lasts_, at, inputs_);
      get(last_policies_, at, actions_);
    }
  }
}

}  // namespace politex::neural
