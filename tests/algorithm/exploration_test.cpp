#include "politex/algorithm/exploration.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithm/exploring.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/garnet.hpp"
#include "politex/features/additive.hpp"
#include "politex/features/tabular.hpp"

namespace politex {
namespace {

/// Takes `length` steps, then stops; its coverage is what the test says.
class StubExplorer final : public LearningExplorer {
 public:
  StubExplorer(int length, const Coverage& coverage) : length_(length), coverage_(coverage) {}
  void observe(const Trace& trace) override { observed += static_cast<std::int64_t>(trace.pairs.size()); }
  void sample(const Trace& trace) override { sampled += static_cast<std::int64_t>(trace.pairs.size()); }
  void begin(const Here&, Rng&) override { left_ = length_; }
  std::optional<Action> act(const Here&, Rng&) override {
    if (left_ == 0) return std::nullopt;
    --left_;
    return 0;
  }
  Coverage coverage() const override { return coverage_; }
  void save(ByteWriter& to) const override { to.put(left_); }
  void restore(ByteReader& from) override { from.get(left_); }
  std::int64_t observed = 0, sampled = 0;

 private:
  int length_, left_ = 0;
  Coverage coverage_;
};

/// Has steps, and nothing else.
struct StubPlayer {
  Features features;
  std::vector<std::int32_t> pairs;
  StubPlayer() { features.actions = 1; }
  Here here() const { return {.features = &features, .slot = 0, .state = -1, .observation = {}}; }
  Action uniform(Rng&) const { return 0; }
  void step(Action, By) { pairs.push_back(0); }
  void walk(std::int64_t count) { pairs.resize(pairs.size() + static_cast<std::size_t>(count), 0); }
  Trace trace(std::int64_t count) const {
    return {.pairs = std::span(pairs).last(std::min(pairs.size(), static_cast<std::size_t>(count))),
            .last_slot = 0,
            .features = &features,
            .listed = {},
            .last_state = 0};
  }
};

struct Played {
  std::vector<Segment> segments;
  std::int64_t explored = 0, rollouts = 0, observed = 0, sampled = 0;
};

/// Phases of the stub, one after the other, and their segments in a row.
Played played(const Exploration::Options& options, const Coverage& coverage, int length, int phases,
              const Lengths& lengths) {
  auto made = std::make_unique<StubExplorer>(length, coverage);
  const StubExplorer& stub = *made;
  Exploration exploration(std::move(made), options);
  ActionStreams streams(1);
  Played all;
  for (int phase = 0; phase < phases; ++phase) {
    StubPlayer player;
    const bool complete = exploration.play(player, {.lengths = lengths, .steps = lengths.total()}, streams);
    EXPECT_TRUE(complete);
    std::int64_t steps = 0;
    for (const Segment& segment : exploration.segments()) steps += segment.steps;
    EXPECT_EQ(steps, static_cast<std::int64_t>(player.pairs.size()));
    if (options.by_steps) {
      EXPECT_EQ(steps, lengths.total());
    }
    all.segments.insert(all.segments.end(), exploration.segments().begin(), exploration.segments().end());
  }
  all.explored = exploration.explored_rollouts();
  all.rollouts = exploration.rollouts();
  all.observed = stub.observed;
  all.sampled = stub.sampled;
  return all;
}

using Kind = ExplorationKind;

bool by_formula(Kind kind, double features, double rollouts, double explored) {
  if (kind == Kind::lean) return explored < std::pow(features, 0.9) * std::pow(rollouts + 1.0, 0.1);
  if (kind == Kind::sustained) return explored < std::max(features, 3.0 * std::sqrt(rollouts + 1.0));
  return true;
}

TEST(Exploration, RolloutsExploreAsTheFormulaSays) {
  for (const Kind kind : {Kind::every, Kind::lean, Kind::sustained})
    for (const int length : {0, 3, 100})
      for (const std::int64_t features : {1, 7}) {
        const Exploration::Options options{.kind = kind, .longest = 5, .by_steps = false, .rollouts = 4, .follow = 6};
        const Played all = played(options, {.known = 0, .untried = 0, .features = features}, length, 50, {4, 5, 1, 6});
        std::int64_t rollouts = 0, explored = 0, steps = 0, own = 0;
        for (std::size_t k = 0; k < all.segments.size(); ++rollouts) {
          const bool explores = all.segments[k].by != By::target;
          EXPECT_EQ(explores, by_formula(kind, static_cast<double>(features), static_cast<double>(rollouts),
                                         static_cast<double>(explored)));
          if (explores) {
            ++explored;
            if (length > 0) {
              EXPECT_EQ(all.segments[k].by, By::explorer);
              EXPECT_EQ(all.segments[k++].steps, std::min(length, 5));
              own += std::min(length, 5);
            }
            EXPECT_EQ(all.segments[k].by, By::probe);
            EXPECT_EQ(all.segments[k++].steps, 1);
          }
          EXPECT_EQ(all.segments[k].by, By::target);
          EXPECT_EQ(all.segments[k++].steps, explores ? 6 : 7);
          steps += 7;
        }
        EXPECT_EQ(rollouts, 200);
        EXPECT_EQ(all.rollouts, 200);
        EXPECT_EQ(all.explored, explored);
        EXPECT_EQ(all.sampled, steps);
        EXPECT_EQ(all.observed, steps + own);
      }
}

/// At every decision: the explorer's steps so far, its probes with them, are below the formula or it does not explore.
TEST(Exploration, VanishingCountsSteps) {
  for (const auto& [untried, states] : {std::pair{0, false}, {5, false}, {0, true}, {5, true}})
    for (const int length : {2, 40}) {
      const Exploration::Options options{.kind = Kind::vanishing, .longest = 1000, .by_steps = true, .follow = 50};
      const Coverage coverage{.known = 30, .untried = untried, .features = 30, .states = states};
      const Played all = played(options, coverage, length, 1, {1, 0, 0, 20'000});
      double t = 0.0, own = 0.0;
      int decisions = 0, explored = 0;
      for (std::size_t k = 0; k < all.segments.size(); ++decisions) {
        const double now = std::max(1.0, t);
        double most = 20.0 * std::pow(now, 0.4);
        if (states) most = std::min(now / 2.0, std::max(most, std::min(100.0 * std::pow(now, 0.3), 1200.0)));
        if (untried > 0) most = std::max(most, std::min({now / 2.0, states ? 30.0 : 90.0, 8.0 * std::pow(now, 0.75)}));
        const bool explores = all.segments[k].by != By::target;
        EXPECT_EQ(explores, own < most) << t;
        explored += explores;
        double chained = 0.0;
        for (; k < all.segments.size() && all.segments[k].by != By::target; ++k)
          chained += static_cast<double>(all.segments[k].steps);
        t += chained;
        own += chained;
        if (k == all.segments.size()) break;
        // The end of the phase may cut the last segment.
        if (k + 1 < all.segments.size()) {
          EXPECT_EQ(static_cast<double>(all.segments[k].steps), explores ? std::min(chained, 50.0) : 50.0);
        }
        t += static_cast<double>(all.segments[k++].steps);
      }
      EXPECT_GT(explored, 10);
      EXPECT_GT(decisions, explored);
    }
}

/// Weights 0: the target policy is uniformly random, whatever the costs are.
std::unique_ptr<FiniteCollector> small_collector(const std::string& explorer, const FiniteModel& model, bool by_steps) {
  const Features features = model.axes.empty() ? tabular_features(model) : additive_features(model);
  auto exploration =
      std::make_unique<Exploration>(test::make_learning_explorer(explorer, model, features),
                                    Exploration::Options{.kind = by_steps ? Kind::vanishing : Kind::sustained,
                                                         .longest = 12,
                                                         .by_steps = by_steps,
                                                         .rollouts = 3,
                                                         .follow = 9});
  return std::make_unique<FiniteCollector>(TableEnvironment(model), features, std::move(exploration), 5);
}

std::vector<std::byte> bytes_of(const FiniteCollector& collector) {
  ByteWriter to;
  collector.save(to);
  collector.save_phase(to);
  return to.bytes();
}

/// A phase that is cut after any step, saved, restored into another collector and continued, gives the same bits.
TEST(Exploration, CutPhasesContinueWithTheSameBits) {
  const FiniteModel model = deep_sea_model(DeepSea(5));
  for (const std::string name : test::every_explorer)
    for (const bool by_steps : {true, false}) {
      const Lengths lengths = by_steps ? Lengths{1, 0, 0, 60} : Lengths{3, 12, 1, 9};
      const auto whole = small_collector(name, model, by_steps);
      for (int phase = 0; phase < 3; ++phase) {
        ByteWriter before;
        whole->save(before);
        const Phase expected = whole->collect({.lengths = lengths, .steps = lengths.total()});
        ASSERT_TRUE(expected.complete);
        const auto after = bytes_of(*whole);
        for (std::int64_t cut = 1; cut < static_cast<std::int64_t>(expected.pairs.size()); ++cut) {
          const auto first = small_collector(name, model, by_steps), second = small_collector(name, model, by_steps);
          ByteReader at_start(before.bytes());
          first->restore(at_start);
          const Phase part = first->collect({.lengths = lengths, .steps = cut});
          ASSERT_EQ(static_cast<std::int64_t>(part.pairs.size()), cut);
          EXPECT_FALSE(part.complete);
          const auto saved = bytes_of(*first);
          ByteReader at_cut(saved);
          second->restore(at_cut);
          second->restore_phase(at_cut);
          EXPECT_TRUE(at_cut.empty());
          const Phase rest = second->collect({.lengths = lengths, .steps = lengths.total(), .played = cut});
          EXPECT_TRUE(rest.complete);
          ASSERT_EQ(bytes_of(*second), after) << name << " phase " << phase << " cut at " << cut;
        }
      }
    }
}

/// Two environments that differ in their costs only: the explorers have the same bits.
TEST(Exploration, CostsAreNeverSeen) {
  FiniteModel model = with_teleport(garnet_model({.states = 12, .actions = 3, .branching = 2, .model_seed = 2}), 0.1);
  model.size = 4;
  FiniteModel other = model;
  for (std::size_t pair = 0; pair < other.cost.size(); ++pair)
    other.cost[pair] = -1e6 + 3.0 * static_cast<double>(pair);
  for (const std::string name : test::every_explorer) {
    const auto a = small_collector(name, model, true), b = small_collector(name, other, true);
    for (int phase = 0; phase < 10; ++phase) {
      const Lengths lengths{1, 0, 0, 100};
      const Phase first = a->collect({.lengths = lengths, .steps = 100}),
                  second = b->collect({.lengths = lengths, .steps = 100});
      EXPECT_FALSE(std::ranges::equal(first.costs, second.costs));
      EXPECT_TRUE(std::ranges::equal(first.pairs, second.pairs));
      EXPECT_EQ(test::bytes_of(a->exploration()->explorer()), test::bytes_of(b->exploration()->explorer())) << name;
    }
  }
}

}  // namespace
}  // namespace politex
