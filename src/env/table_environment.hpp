// A FiniteModel as an environment: the state is its index. The compiled tables of the fast path live here.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "politex/base/thresholds.hpp"
#include "politex/env/finite_model.hpp"
#include "politex/env/space.hpp"

namespace politex::inline env {

class TableEnvironment {
 public:
  using State = int;

  explicit TableEnvironment(FiniteModel model) : model_(std::move(model)), teleport_(threshold53(model_.teleport)) {
    check(model_);
    for (std::size_t pair = 0; pair + 1 < model_.first.size(); ++pair) {
      double cumulative = 0.0;
      for (auto k = model_.first[pair]; k < model_.first[pair + 1]; ++k) {
        cumulative += model_.probability[static_cast<std::size_t>(k)];
        thresholds_.push_back(k + 1 == model_.first[pair + 1] ? certain53 : threshold53(cumulative));
      }
    }
  }

  const FiniteModel& model() const noexcept { return model_; }
  int states() const noexcept { return model_.states; }
  int actions() const noexcept { return model_.actions; }
  Space space() const {
    Space space;
    space.name = model_.name;
    space.actions = model_.actions;
    space.states = model_.states;
    space.ranges = {{0.0, model_.states - 1.0}};
    space.own_size = model_.size;
    return space;
  }
  int index(State state) const noexcept { return state; }
  State state(int index) const noexcept { return index; }
  State start(Rng&) const noexcept { return model_.start; }
  double cost(int state, Action action) const noexcept {
    return model_.cost[static_cast<std::size_t>(model_.pair(state, action))];
  }
  bool masked() const noexcept { return model_.masked(); }
  void possible(int state, std::span<std::uint8_t> into) const noexcept {
    for (std::size_t a = 0; a < into.size(); ++a)
      into[a] = model_.masked() ? model_.possible[static_cast<std::size_t>(model_.pair(state, 0)) + a] : 1;
  }
  void outcomes(int state, Action action, std::vector<Outcome>& into) const {
    const auto pair = static_cast<std::size_t>(model_.pair(state, action));
    for (auto k = static_cast<std::size_t>(model_.first[pair]); k < static_cast<std::size_t>(model_.first[pair + 1]);
         ++k)
      into.push_back({model_.next[k], (1.0 - model_.teleport) * model_.probability[k]});
    if (model_.teleport > 0.0)
      for (int next = 0; next < model_.states; ++next) into.push_back({next, model_.teleport / model_.states});
  }

  Step step(State& state, Action action, Rng& rng) const noexcept {
    const int pair = model_.pair(state, action);
    state = successor(pair, rng);
    return {.cost = model_.cost[static_cast<std::size_t>(pair)], .restarted = false};
  }

  /// The state after a pair; one outcome and no teleporting take no draw.
  int successor(int pair, Rng& rng) const noexcept {
    if (teleport_ > 0 && rng.bits53() < teleport_)
      return static_cast<int>(rng.below(static_cast<std::uint64_t>(model_.states)));
    auto k = static_cast<std::size_t>(model_.first[static_cast<std::size_t>(pair)]);
    if (k + 1 < static_cast<std::size_t>(model_.first[static_cast<std::size_t>(pair) + 1])) {
      const std::uint64_t draw = rng.bits53();
      while (draw >= thresholds_[k]) ++k;
    }
    return model_.next[k];
  }

 private:
  FiniteModel model_;
  std::uint64_t teleport_;
  std::vector<std::uint64_t> thresholds_;  // outcome -> cumulative threshold within its pair
};

static_assert(FiniteEnvironment<TableEnvironment>);

}  // namespace politex::inline env
