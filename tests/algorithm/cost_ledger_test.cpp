#include "politex/algorithm/cost_ledger.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "politex/policy/uniform.hpp"
#include "small_loops.hpp"

namespace politex {
namespace {

TEST(CostLedger, CostsAreTaggedAndTheLastTenthIsExact) {
  for (const std::int64_t steps : {10, 11, 99, 1000, 4999}) {
    test::SmallRun setup{.algorithm = "ee_every", .steps = steps};
    const auto loop = test::make_loop(setup);
    std::vector<double> costs;
    std::array<double, 3> by{};
    while (!loop->done()) {
      const Phase phase = loop->advance();
      for (std::size_t t = 0; t < phase.costs.size(); ++t) {
        const auto within = static_cast<std::int64_t>(t) % phase.lengths.rollout();
        by[within < phase.lengths.explore ? 0 : within == phase.lengths.explore ? 1 : 2] += phase.costs[t];
        costs.push_back(phase.costs[t]);
      }
    }
    // DeepSea's costs are whole numbers: sums are exact.
    for (const By who : {By::explorer, By::probe, By::target})
      EXPECT_EQ(loop->costs().sum(who).cost, by[static_cast<std::size_t>(who)]);
    double tenth = 0.0;
    const auto last = static_cast<std::size_t>((steps + 9) / 10);
    for (std::size_t t = costs.size() - last; t < costs.size(); ++t) tenth += costs[t];
    EXPECT_EQ(loop->costs().last_tenth().cost, tenth);
    EXPECT_EQ(loop->costs().last_tenth().steps, static_cast<std::int64_t>(last));
  }
}

TEST(CostLedger, FiniteCostsWhoseSumIsNotFiniteAreAnError) {
  Phase phase;
  const std::vector<double> costs(4, 1.7e308);
  phase.costs = costs;
  phase.lengths = {.rollouts = 1, .explore = 0, .probe = 0, .follow = 4};
  CostLedger ledger(100);
  try {
    ledger.add(phase);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("ended at step 4 sum to more than a number can hold"));
  }
}

/// An environment whose 137th cost is not a number.
struct BadCost {
  using State = int;
  int observation_size() const { return 1; }
  void observe(const State&, std::span<double> into) const { into[0] = 0.0; }
  int actions() const { return 2; }
  State start(Rng&) const { return 0; }
  Step step(State& s, Action, Rng&) const {
    ++s;
    return {.cost = s == 137 ? std::nan("") : 1.0, .restarted = false};
  }
};
class Constant final : public FeatureMap {
 public:
  int columns() const override { return 1; }
  int exclusive() const override { return 1; }
  void append(std::span<const double>, SparseRows& into) const override {
    into.append(0, 1.0);
    into.end_row();
  }
};

TEST(CostLedger, ANanCostIsNamedWithItsStepForEveryLearner) {
  for (const int which : {0, 1, 2, 3}) {
    auto collector =
        std::make_unique<BlockCollector>(std::make_unique<BlockOf<BadCost>>(BadCost{}, 1), std::make_unique<Constant>(),
                                         std::make_shared<UniformExplorer>(2), 1);
    const FeatureStructure structure = collector->structure();
    Features start;
    start.actions = 2;
    start.rows.columns = 1;
    Constant{}.append({}, start.rows);
    std::unique_ptr<Learner> learner;
    const PolitexLearner::StepSize step_size;
    if (which == 0) learner = std::make_unique<PolitexLearner>(Lsmc({}, structure), structure, step_size, 2, 1.0);
    if (which == 1) learner = std::make_unique<PolitexLearner>(Lspe({}, structure), structure, step_size, 2, 1.0);
    if (which == 2) learner = std::make_unique<RlsviLearner>(RlsviOptions{}, structure, 1000, start, nullptr, 1);
    if (which == 3)
      learner = std::make_unique<LspiLearner>(LspiOptions{}, structure, start.actions, 1000, 0.05, nullptr);
    PhaseLoop loop(
        std::move(collector), std::move(learner),
        Schedule({.kind = ScheduleOptions::Kind::fixed, .steps = 1000, .explores = true, .fixed = {2, 3, 1, 6}}), 1000);
    try {
      while (!loop.done()) loop.advance();
      ADD_FAILURE() << "it did not stop, learner " << which;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("nan at step 137")) << "learner " << which;
    }
  }
}

/// A phase of one segment with these costs.
Phase target_phase(const std::vector<double>& costs) {
  Phase phase;
  phase.costs = costs;
  phase.lengths = {.rollouts = 1, .explore = 0, .probe = 0, .follow = static_cast<std::int64_t>(costs.size())};
  return phase;
}

TEST(CostLedger, RewindRemovesWhatWasAddedSinceTheMark) {
  for (const bool keeps : {false, true}) {
    CostLedger ledger(40);
    if (keeps) ledger.keep_last_tenth();
    const std::vector<double> first{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, second{100, 200, 300};
    ledger.add(target_phase(first));
    ByteWriter before, after;
    ledger.save(before);
    const CostLedger::Mark mark = ledger.mark();
    ledger.add(target_phase(second));
    EXPECT_EQ(ledger.all().cost, 655.0);
    ledger.rewind(mark);
    ledger.save(after);
    EXPECT_EQ(ledger.all().cost, 55.0);
    EXPECT_EQ(ledger.phase_average(), 5.5);
    // Costs that are no longer needed may be gone where they are kept.
    EXPECT_TRUE(keeps || before.bytes() == after.bytes());
  }
}

TEST(CostLedger, TheLastTenthOfARunThatMayBeExtendedIsThatOfItsStepsSoFar) {
  CostLedger ledger(1000);
  ledger.keep_last_tenth();
  for (int phase = 0; phase < 30; ++phase) {
    ledger.add(target_phase(std::vector<double>(10, phase)));
    const std::int64_t steps = 10 * (phase + 1), tenth = (steps + 9) / 10;
    double expected = 0.0;
    for (std::int64_t t = steps - tenth; t < steps; ++t) expected += static_cast<double>(t / 10);
    EXPECT_EQ(ledger.last_tenth().steps, tenth);
    EXPECT_EQ(ledger.last_tenth().cost, expected);
  }
}

}  // namespace
}  // namespace politex
