// Environments as learners see them: in blocks that are stepped together, behind one interface for environments of this
// program, objects of Python and other processes. One call per batch amortises entering Python or a process.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/base/error.hpp"
#include "politex/env/environment.hpp"
#include "politex/env/space.hpp"

namespace politex::inline env {

/// The environments failed, not the learner: a run resumes from its last checkpoint when they are repaired.
class ExternalError : public Error {
 public:
  using Error::Error;
};

/// Neighbouring logical environments [begin, end) of a run.
struct EnvironmentRange {
  int begin = 0, end = 0;
  int count() const noexcept { return end - begin; }
};

/// The result of one step of one environment. It has costs: an adaptor negates rewards.
struct StepResult {
  double cost = 0.0;        // what is learned from
  double score = 0.0;       // the reward as the environment counts it, for reports: -cost where nothing rescales it
  bool terminated = false;  // the episode ended by the environment's own rules
  bool truncated = false;   // the time limit ended it: not an end of the problem
  bool skipped = false;     // it only restarted in this step: no transition, the action was not taken
  bool lost_life = false;   // the episode continues, but nothing later counts for the value of what came before
};

/// `count()` independent environments, numbered from 0. Where an episode ended (terminated or truncated) the
/// environment is at a new start already when step() returns. Never called by two threads at once.
class EnvironmentBlock {
 public:
  EnvironmentBlock() = default;
  EnvironmentBlock(const EnvironmentBlock&) = delete;
  EnvironmentBlock& operator=(const EnvironmentBlock&) = delete;
  virtual ~EnvironmentBlock() = default;
  virtual const Space& space() const = 0;
  virtual int count() const = 0;
  /// True: only all environments can be stepped at once (a message to a process, a call of Python), and save() writes
  /// all of them with environment 0.
  virtual bool together() const { return true; }

  /// One step of environments first, first + 1, ..., one for each action. Throws ExternalError that names the
  /// environment where it raised, died, hung, or gave a cost or an observation that is not finite or of another shape.
  virtual void step(int first, std::span<const Action> actions, std::span<StepResult> into) = 0;
  /// The observation of environment `which` now: after an end, of the new start.
  virtual void observe(int which, std::span<double> into) const = 0;
  /// By default the numbers of the other form, converted.
  virtual void observe(int which, std::span<float> into) const;
  /// The last observation of the episode that was truncated in the newest step of environment `which`; together(): also
  /// of one that terminated.
  virtual void last(int which, std::span<double> into) const = 0;
  virtual void last(int which, std::span<float> into) const;

  /// Whether the environments say which actions are possible. A masked action is never executed: step() takes the first
  /// possible one in its place.
  virtual bool masks() const { return false; }
  /// One flag per action: 1 where it is possible in the present state of environment `which`.
  virtual void possible(int /*which*/, std::span<std::uint8_t> into) const { std::ranges::fill(into, std::uint8_t{1}); }
  /// Steps so far in which a guard took the incumbent's action; -1: there is no guard.
  virtual std::int64_t guarded_steps() const { return -1; }

  /// A new start of environment `which` in the middle of an episode; with a seed its random stream restarts, named by
  /// that seed alone. Throws Error where the caller cannot reset environments, which is the default.
  virtual void reset(int which, std::optional<std::uint64_t> seed);

  /// Whether save() and restore() carry every bit of the environments' states. False: save() writes nothing.
  virtual bool can_save() const { return true; }
  virtual void save(int which, ByteWriter& to) const = 0;
  virtual void restore(int which, ByteReader& from) = 0;
};

/// All environments of a block, one after the other.
void save_all(const EnvironmentBlock& block, ByteWriter& to);
void restore_all(EnvironmentBlock& block, ByteReader& from);

/// An environment that describes itself.
template <class E>
concept DescribedEnvironment = requires(const E& environment) {
  { environment.space() } -> std::same_as<Space>;
};

/// The space of any environment; without one of its own the ranges are unknown (0 to 1).
template <Environment E>
Space space_of(const E& environment) {
  if constexpr (DescribedEnvironment<E>) {
    return environment.space();
  } else {
    Space space;
    space.actions = environment.actions();
    if constexpr (FiniteEnvironment<E>) {
      space.states = environment.states();
      space.ranges = {{0.0, environment.states() - 1.0}};
    } else if constexpr (ObservableEnvironment<E>) {
      space.ranges.resize(static_cast<std::size_t>(environment.observation_size()));
    }
    return space;
  }
}

/// A block of environments of this program. A finite environment shows the index of its state. The transitions of
/// logical environment e come from the stream Rng(seed, Use::environment, e).
template <Environment E>
  requires std::is_trivially_copyable_v<typename E::State> && (FiniteEnvironment<E> || ObservableEnvironment<E>)
class BlockOf final : public EnvironmentBlock {
 public:
  BlockOf(E environment, std::uint64_t seed, EnvironmentRange range = {0, 1})
      : environment_(std::move(environment)), space_(space_of(environment_)), seen_(space_.numbers()) {
    for (int e = range.begin; e < range.end; ++e) {
      Rng rng(seed, Use::environment, static_cast<std::uint64_t>(e));
      const auto start = environment_.start(rng);
      each_.push_back({rng, start, start});
    }
  }
  const Space& space() const override { return space_; }
  int count() const override { return static_cast<int>(each_.size()); }
  bool together() const override { return false; }

  void step(int first, std::span<const Action> actions, std::span<StepResult> into) override {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      One& one = each_[static_cast<std::size_t>(first) + i];
      if constexpr (TimeLimitedEnvironment<E>) {
        const Step moved = environment_.move(one.state, actions[i], one.rng);
        into[i] = {.cost = moved.cost,
                   .score = -moved.cost,
                   .terminated = moved.restarted,
                   .truncated = environment_.timed_out(one.state)};
        if (!into[i].truncated) continue;
        one.last = one.state;
        one.state = environment_.start(one.rng);
      } else {
        const Step moved = environment_.step(one.state, actions[i], one.rng);
        into[i] = {.cost = moved.cost, .score = -moved.cost, .terminated = moved.restarted};
      }
    }
  }
  void observe(int which, std::span<double> into) const override { show(at(which).state, into); }
  void observe(int which, std::span<float> into) const override { show_narrow(at(which).state, into); }
  void last(int which, std::span<double> into) const override { show(at(which).last, into); }
  void last(int which, std::span<float> into) const override { show_narrow(at(which).last, into); }

  bool masks() const override {
    if constexpr (MaskedEnvironment<E>) return environment_.masked();
    return false;
  }
  void possible(int which, std::span<std::uint8_t> into) const override {
    if constexpr (MaskedEnvironment<E>)
      environment_.possible(at(which).state, into);
    else
      EnvironmentBlock::possible(which, into);
  }

  void reset(int which, std::optional<std::uint64_t> seed) override {
    One& one = each_[static_cast<std::size_t>(which)];
    if (seed) one.rng = Rng(*seed, Use::environment);
    one.state = environment_.start(one.rng);
  }

  void save(int which, ByteWriter& to) const override {
    to.put(at(which).state);
    to.put(at(which).rng.position());
  }
  void restore(int which, ByteReader& from) override {
    One& one = each_[static_cast<std::size_t>(which)];
    from.get(one.state);
    one.rng.seek(from.get<std::uint64_t>());
    bool fits = true;
    if constexpr (CheckedEnvironment<E>) {
      fits = environment_.valid(one.state);
    } else if constexpr (FiniteEnvironment<E>) {
      const int state = environment_.index(one.state);
      fits = state >= 0 && state < environment_.states();
    }
    if (!fits) throw DamagedState("the state of the environment");
  }

 private:
  struct One {
    Rng rng;
    typename E::State state, last;
  };
  const One& at(int which) const { return each_[static_cast<std::size_t>(which)]; }
  void show(const typename E::State& state, std::span<double> into) const {
    if constexpr (FiniteEnvironment<E>)
      into[0] = environment_.index(state);
    else
      environment_.observe(state, into);
  }
  void show_narrow(const typename E::State& state, std::span<float> into) const {
    show(state, seen_);
    for (std::size_t i = 0; i < seen_.size(); ++i) into[i] = static_cast<float>(seen_[i]);
  }

  E environment_;
  Space space_;
  std::vector<One> each_;
  mutable std::vector<double> seen_;
};

}  // namespace politex::inline env
