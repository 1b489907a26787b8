// The two collectors of step learners: on the compiled tables of a finite environment, without a virtual call in a
// step, and on any environment.
#pragma once

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/base/saved.hpp"
#include "politex/baselines/step_learner.hpp"
#include "politex/baselines/stepped_block.hpp"

namespace politex::inline baselines {

template <StepLearner L>
class TableStepCollector final : public StepCollector {
 public:
  TableStepCollector(const StepParts& parts, L learner)
      : environment_(*parts.finite),
        features_(parts.features),
        learner_(std::move(learner)),
        actions_(parts.seed, Use::action),
        transitions_(parts.seed, Use::environment),
        state_(environment_.start(transitions_)) {}

  Phase collect(const Part& part) override {
    const auto count = static_cast<std::size_t>(part.steps);
    pairs_.resize(count);
    costs_.resize(count);
    const FiniteModel& model = environment_.model();
    for (auto t = static_cast<std::size_t>(part.played); t < count; ++t) {
      const Place here = place(state_);
      const Action action = learner_.act(here, actions_);
      const std::int32_t pair = model.pair(state_, action);
      const double cost = model.cost[static_cast<std::size_t>(pair)];
      state_ = environment_.successor(pair, transitions_);
      learner_.observe(here, action, cost, place(state_));
      pairs_[t] = pair;
      costs_[t] = cost;
    }
    return {.lengths = part.lengths,
            .pairs = pairs_,
            .costs = costs_,
            .last_slot = state_,
            .features = &features_,
            .policy = {},
            .slots_are_states = true,
            .model_pairs = pairs_,
            .last_state = state_};
  }
  void describe(std::span<const double> observation, SparseRows& into) const override {
    const auto state = static_cast<int>(observation[0]);
    if (state < 0 || state >= environment_.states()) throw Error("the observation is not the index of a state");
    append_state(features_, state, into);
  }
  FeatureStructure structure() const override { return features_.structure(); }
  int actions() const override { return environment_.actions(); }
  std::span<const double> weights() const override { return learner_.weights(); }
  Rule rule() const override { return learner_.rule(); }
  const L& inside() const noexcept { return learner_; }

  void save(ByteWriter& to) const override {
    to.put(actions_.position());
    to.put(transitions_.position());
    to.put(state_);
    learner_.save(to);
  }
  void restore(ByteReader& from) override {
    actions_.seek(from.get<std::uint64_t>());
    transitions_.seek(from.get<std::uint64_t>());
    from.get(state_);
    check_saved(state_ >= 0 && state_ < environment_.states(), "the state");
    learner_.restore(from);
  }
  void save_phase(ByteWriter& to) const override { to.put(pairs_); }
  std::int64_t restore_phase(ByteReader& from) override {
    from.get(pairs_);
    check_saved(all_within(pairs_, 0, environment_.model().pairs()), "pairs of the phase");
    costs_.clear();
    for (const std::int32_t pair : pairs_) costs_.push_back(environment_.model().cost[static_cast<std::size_t>(pair)]);
    return static_cast<std::int64_t>(costs_.size());
  }

 private:
  Place place(int state) const noexcept { return {.state = state, .features = &features_, .slot = state}; }

  TableEnvironment environment_;
  Features features_;
  L learner_;
  Rng actions_, transitions_;
  int state_;
  std::vector<std::int32_t> pairs_;
  std::vector<double> costs_;
};

template <StepLearner L>
class BlockStepCollector final : public StepCollector {
 public:
  BlockStepCollector(StepParts parts, L learner)
      : structure_(parts.structure),
        stop_(parts.stop),
        learner_(std::move(learner)),
        rng_(parts.seed, Use::action),
        block_(std::move(parts)) {}

  Phase collect(const Part& part) override {
    failure_ = nullptr;
    if (part.played == 0) block_.begin();
    try {
      while (static_cast<std::int64_t>(block_.costs().size()) < part.steps &&
             !(stop_ != nullptr && stop_->load(std::memory_order_relaxed)))
        step();
    } catch (...) {
      failure_ = std::current_exception();
    }
    return block_.phase(part.lengths);
  }
  std::exception_ptr failure() const override { return failure_; }
  void describe(std::span<const double> observation, SparseRows& into) const override {
    block_.describe(observation, into);
  }
  FeatureStructure structure() const override { return structure_; }
  int actions() const override { return block_.actions(); }
  std::span<const double> weights() const override { return learner_.weights(); }
  Rule rule() const override { return learner_.rule(); }

  void save(ByteWriter& to) const override {
    to.put(rng_.position());
    learner_.save(to);
    block_.save(to);
  }
  void restore(ByteReader& from) override {
    rng_.seek(from.get<std::uint64_t>());
    learner_.restore(from);
    if (!block_.restore(from)) learner_.interrupt();
  }
  void save_phase(ByteWriter& to) const override { block_.save_phase(to); }
  std::int64_t restore_phase(ByteReader& from) override { return block_.restore_phase(from); }

 private:
  void step() {
    const Action action = learner_.act(block_.here(), rng_);
    const SteppedBlock::Result result = block_.step(action);
    if (result.connected)
      learner_.observe(block_.before(), action, result.cost, block_.here());
    else
      learner_.interrupt();
  }

  FeatureStructure structure_;
  const std::atomic<bool>* stop_;
  L learner_;
  Rng rng_;
  SteppedBlock block_;
  std::exception_ptr failure_;
};

template <StepLearner L>
std::unique_ptr<StepCollector> make_step_collector(StepParts parts, L learner) {
  if (parts.finite != nullptr) return std::make_unique<TableStepCollector<L>>(parts, std::move(learner));
  return std::make_unique<BlockStepCollector<L>>(std::move(parts), std::move(learner));
}

}  // namespace politex::inline baselines
