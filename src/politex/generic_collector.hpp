// The general path: any environment, with features computed state by state. A phase's slots are its time steps.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/env/environment.hpp"
#include "politex/politex/finite_collector.hpp"

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
        q_(static_cast<std::size_t>(world_.actions())),
        cumulative_(q_.size() - 1) {
    features_.actions = world_.actions();
    features_.replicated = map_.replicated();
    features_.exclusive = map_.exclusive();
    features_.rows.columns = map_.columns();
    weights_.assign(static_cast<std::size_t>(features_.dimension()), 0.0);
  }

  FeatureStructure structure() const override { return features_.structure(); }
  int actions() const override { return world_.actions(); }
  const State& state() const noexcept { return state_; }
  const E& world() const noexcept { return world_; }
  const M& map() const noexcept { return map_; }

  void follow(const Rule& rule, std::span<const double> weights) override {
    rule_ = rule;
    weights_.assign(weights.begin(), weights.end());
  }

  Phase collect(const Lengths& lengths, std::int64_t steps) override {
    begin_phase();
    for_each_part(lengths, steps, [&](std::int64_t count, By by) {
      for (std::int64_t t = 0; t < count; ++t) {
        see();
        const Action action = choose(by);
        pairs_.push_back(static_cast<std::int32_t>(pairs_.size()) * world_.actions() + action);
        if constexpr (FiniteEnvironment<E>) model_pairs_.push_back(world_.index(state_) * world_.actions() + action);
        costs_.push_back(world_.step(state_, action, streams_.environment).cost);
      }
    });
    see();
    return {.lengths = lengths,
            .pairs = pairs_,
            .costs = costs_,
            .last_slot = static_cast<std::int32_t>(pairs_.size()),
            .features = &features_,
            .policy = policy_,
            .slots_are_states = false,
            .model_pairs = model_pairs_,
            .last_state = index()};
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

 private:
  void begin_phase() {
    features_.rows.first.resize(1);
    features_.rows.index.clear();
    features_.rows.value.clear();
    policy_.clear();
    pairs_.clear();
    model_pairs_.clear();
    costs_.clear();
  }

  std::int32_t index() const {
    if constexpr (FiniteEnvironment<E>)
      return world_.index(state_);
    else
      return 0;
  }

  /// Takes a slot for the current state: its features and the target policy's law there.
  void see() {
    map_.append(state_, features_.rows);
    const auto slot = static_cast<int>(pairs_.size());
    for (std::size_t a = 0; a < q_.size(); ++a)
      q_[a] = features_.dot(slot * world_.actions() + static_cast<int>(a), weights_);
    policy_.resize(policy_.size() + q_.size());
    rule_.probabilities(q_, std::span(policy_).last(q_.size()));
  }

  Action choose(By by) {
    Rng& rng = streams_.actions(by);
    if (by == By::explorer) return explorer_(state_, rng);
    if (by == By::probe) return uniform_action(rng);
    accumulate(std::span<const double>(policy_).last(q_.size()), cumulative_);
    return pick_action(cumulative_, uniform_bits(rng));
  }

  Action uniform_action(Rng& rng) {
    // The same arithmetic as PolicyTable's uniform policy, so that both paths take the same action.
    double total = 0.0;
    for (double& each : cumulative_) each = total += 1.0 / world_.actions();
    return pick_action(cumulative_, uniform_bits(rng));
  }

  E world_;
  M map_;
  Explorer explorer_;
  Streams streams_;
  State state_;
  Rule rule_;
  std::vector<double> weights_;
  std::vector<double> q_;
  std::vector<double> cumulative_;
  Features features_;
  std::vector<double> policy_;
  std::vector<std::int32_t> pairs_, model_pairs_;
  std::vector<double> costs_;
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
