// The general path: any environment, with features computed state by state. A phase's slots are its time steps.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/env/environment.hpp"
#include "politex/politex/finite_collector.hpp"
#include "politex/politex/seen_phase.hpp"

namespace politex {

/// Appends the feature rows of a state: one where replicated per action, else one per action.
template <class M, class State>
concept StateMap = requires(const M& map, const State& state, SparseRows& into) {
  { map.columns() } -> std::convertible_to<int>;
  { map.exclusive() } -> std::convertible_to<int>;
  { map.replicated() } -> std::convertible_to<bool>;
  map.append(state, into);
};

template <Environment E, class M>
  requires StateMap<M, typename E::State>
class GenericCollector final : public Collector {
 public:
  using State = typename E::State;
  /// Chooses the exploration policy's action.
  using Explorer = std::function<Action(const State&, Rng&)>;

  GenericCollector(E world, M map, Explorer explorer, std::uint64_t seed)
      : world_(std::move(world)),
        map_(std::move(map)),
        explorer_(std::move(explorer)),
        streams_(seed),
        state_(world_.start(streams_.environment)),
        seen_(world_.actions(), map_.columns(), map_.exclusive(), map_.replicated()) {}

  FeatureStructure structure() const override { return seen_.structure(); }
  int actions() const override { return world_.actions(); }
  void describe(std::span<const double> observation, SparseRows& into) const override {
    if constexpr (requires { map_.basis(); })
      map_.basis().append(observation, into);
    else
      Collector::describe(observation, into);
  }
  const State& state() const noexcept { return state_; }
  const E& world() const noexcept { return world_; }
  const M& map() const noexcept { return map_; }

  void follow(const Rule& rule, std::span<const double> weights) override { seen_.follow(rule, weights); }

  Phase play(const Lengths& lengths, std::int64_t played, std::int64_t steps) override {
    if (played == 0) seen_.begin();
    for_each_part(lengths, played, steps, [&](std::int64_t count, By by) {
      for (std::int64_t t = 0; t < count; ++t) {
        see();
        const Action action = choose(by);
        if constexpr (FiniteEnvironment<E>) {
          const std::int32_t pair = world_.index(state_) * world_.actions() + action;
          seen_.took(action, world_.step(state_, action, streams_.environment).cost, pair);
        } else {
          seen_.took(action, world_.step(state_, action, streams_.environment).cost);
        }
      }
    });
    see();
    return seen_.phase(lengths, index());
  }

  void save(ByteWriter& to) const override {
    streams_.save(to);
    if constexpr (std::is_trivially_copyable_v<State>)
      to.put(state_);
    else
      throw Error("this environment's state cannot be saved: make it trivially copyable");
  }
  void restore(ByteReader& from) override {
    streams_.restore(from);
    if constexpr (std::is_trivially_copyable_v<State>) from.get(state_);
  }
  void save_phase(ByteWriter& to) const override { seen_.save(to); }
  void restore_phase(ByteReader& from) override { seen_.restore(from); }

 private:
  std::int32_t index() const {
    if constexpr (FiniteEnvironment<E>)
      return world_.index(state_);
    else
      return 0;
  }

  void see() {
    if (seen_.seen()) return;
    map_.append(state_, seen_.rows());
    seen_.see();
  }

  Action choose(By by) {
    Rng& rng = streams_.actions(by);
    if (by == By::explorer) return explorer_(state_, rng);
    return by == By::probe ? seen_.uniform(rng) : seen_.target(rng);
  }

  E world_;
  M map_;
  Explorer explorer_;
  Streams streams_;
  State state_;
  SeenPhase seen_;
};

/// The features of a finite model, state by state.
class FiniteMap {
 public:
  explicit FiniteMap(Features features) : features_(std::move(features)) {}
  int columns() const noexcept { return features_.rows.columns; }
  int exclusive() const noexcept { return features_.exclusive; }
  bool replicated() const noexcept { return features_.replicated; }
  void append(int state, SparseRows& into) const {
    const int count = features_.replicated ? 1 : features_.actions;
    for (int r = state * count; r < (state + 1) * count; ++r) {
      const auto indices = features_.rows.indices(r);
      const auto values = features_.rows.values(r);
      for (std::size_t k = 0; k < indices.size(); ++k) into.append(indices[k], values[k]);
      into.end_row();
    }
  }

 private:
  Features features_;
};

}  // namespace politex
