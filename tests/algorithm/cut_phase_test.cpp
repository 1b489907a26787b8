// Extended runs: a cut phase is continued to the bits of a run without the cut.
#include "politex/algorithm/cut_phase.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "small_loops.hpp"

namespace politex {
namespace {

using test::SmallRun;

std::unique_ptr<PhaseLoop> extendable(SmallRun setup, std::int64_t steps) {
  setup.steps = steps;
  auto loop = test::make_loop(setup);
  loop->make_extendable();
  return loop;
}

void play(PhaseLoop& loop) {
  while (!loop.done()) loop.advance();
}

void expect_equal(const PhaseLoop& one, const PhaseLoop& other) {
  EXPECT_EQ(one.steps_done(), other.steps_done());
  EXPECT_EQ(one.phases(), other.phases());
  EXPECT_EQ(one.signature().text(), other.signature().text());
  EXPECT_TRUE(std::ranges::equal(one.learner().weights(), other.learner().weights()));
  EXPECT_EQ(one.costs().all().cost, other.costs().all().cost);
  for (const By by : {By::explorer, By::probe, By::target}) {
    EXPECT_EQ(one.costs().sum(by).cost, other.costs().sum(by).cost);
    EXPECT_EQ(one.costs().sum(by).steps, other.costs().sum(by).steps);
  }
  EXPECT_EQ(one.costs().last_tenth().cost, other.costs().last_tenth().cost);
  EXPECT_EQ(one.costs().phase_average(), other.costs().phase_average());
}

/// A collector of recorded costs; the data of a phase is the number of its steps.
class CountingCollector final : public Collector {
 public:
  void follow(const Rule&, std::span<const double>) override {}
  Phase collect(const Part& part) override {
    costs_.resize(static_cast<std::size_t>(part.steps), 1.0);
    Phase phase;
    phase.lengths = part.lengths;
    phase.costs = costs_;
    return phase;
  }
  FeatureStructure structure() const override { return {}; }
  int actions() const override { return 1; }
  void save(ByteWriter&) const override {}
  void restore(ByteReader&) override {}
  void save_phase(ByteWriter& to) const override { to.put(costs_); }
  std::int64_t restore_phase(ByteReader& from) override {
    from.get(costs_);
    return static_cast<std::int64_t>(costs_.size());
  }

 private:
  std::vector<double> costs_;
};

constexpr Lengths ten_steps{.rollouts = 1, .explore = 0, .probe = 0, .follow = 10};

TEST(CutPhase, WithoutOneThereIsNothingToResume) {
  CountingCollector collector;
  Progress progress(100);
  progress.add(collector.collect({.lengths = ten_steps, .steps = 10}), {});
  CutPhase cut;
  EXPECT_FALSE(cut.exists());
  EXPECT_EQ(cut.resume(progress), 0);
  EXPECT_EQ(progress.steps(), 10);
}

TEST(CutPhase, ResumeRewindsTheProgressOnceAndGivesTheStepsPlayed) {
  CountingCollector collector;
  Progress progress(100);
  progress.add(collector.collect({.lengths = ten_steps, .steps = 10}), {});
  ByteWriter before, after;
  progress.save(before);
  CutPhase cut;
  cut.set(progress.mark());
  progress.add(collector.collect({.lengths = ten_steps, .steps = 4}), {});
  EXPECT_TRUE(cut.exists());
  EXPECT_EQ(cut.begin().steps, 10);
  EXPECT_EQ(cut.begin().phases, 1);
  EXPECT_EQ(cut.resume(progress), 4);
  progress.save(after);
  EXPECT_EQ(before.bytes(), after.bytes());
  EXPECT_FALSE(cut.exists());
  EXPECT_EQ(cut.resume(progress), 0);
}

TEST(CutPhase, IsSavedWithTheDataOfThePhase) {
  CountingCollector collector, other;
  Progress progress(100);
  for (const bool exists : {false, true}) {
    CutPhase cut, restored;
    if (exists) cut.set(progress.mark());
    progress.add(collector.collect({.lengths = ten_steps, .steps = 7}), {});
    ByteWriter saved, again, data;
    cut.save(saved, collector);
    ByteReader from(saved.bytes());
    restored.set({});
    restored.restore(from, progress, other);
    EXPECT_TRUE(from.empty());
    EXPECT_EQ(restored.exists(), exists);
    restored.save(again, other);
    EXPECT_EQ(saved.bytes(), again.bytes());
  }
}

TEST(CutPhase, EveryCutIsContinuedToTheSameBits) {
  constexpr std::int64_t total = 300;  // phases of 68 steps: four whole ones, and 28 steps of the fifth
  for (const char* algorithm : test::every_algorithm)
    for (const bool compiled : {true, false}) {
      SmallRun setup{.algorithm = algorithm, .steps = total, .compiled = compiled};
      const auto whole = test::make_loop(setup);
      play(*whole);
      for (std::int64_t cut = 1; cut < total; cut += 7) {
        SCOPED_TRACE(testing::Message() << algorithm << (compiled ? " compiled" : " generic") << ", cut at " << cut);
        const auto parts = extendable(setup, cut);
        play(*parts);
        EXPECT_EQ(parts->open(), cut % 68 != 0);
        parts->extend(std::min(total, cut + 20));
        play(*parts);
        ByteWriter saved;
        parts->save(saved);
        const auto again = extendable(setup, cut);
        ByteReader from(saved.bytes());
        again->restore(from);
        EXPECT_TRUE(from.empty());
        expect_equal(*again, *parts);
        for (PhaseLoop* loop : {parts.get(), again.get()}) {
          loop->extend(total);
          play(*loop);
          expect_equal(*loop, *whole);
        }
      }
    }
}

TEST(CutPhase, DoublingRestartsAtTheSameStep) {
  constexpr std::int64_t first = std::int64_t{1} << 19;
  const auto make = [](std::int64_t steps) {
    const FiniteModel model = deep_sea_model(DeepSea(3));
    const Features features = test::features_of(model);
    auto learner = std::make_unique<PolitexLearner>(Lsmc({}, features.structure()), features.structure(),
                                                    PolitexLearner::StepSize{.eta = 0.1, .q_max = 0.0}, 2, 1.0);
    auto loop = std::make_unique<PhaseLoop>(
        std::make_unique<FiniteCollector>(TableEnvironment(model), features, PolicyTable(9, 2), 1), std::move(learner),
        Schedule({.kind = ScheduleOptions::Kind::doubling, .steps = steps, .explores = true, .fixed = {}}), steps);
    loop->make_extendable();
    return loop;
  };
  const auto whole = make(first + 5000);
  play(*whole);
  for (const std::int64_t cut : {first - 10, first, first + 10}) {
    const auto parts = make(cut);
    play(*parts);
    parts->extend(first + 5000);
    play(*parts);
    expect_equal(*parts, *whole);
  }
}

TEST(CutPhase, LengthsThatDependOnTKeepTheFirstT) {
  Schedule schedule({.kind = ScheduleOptions::Kind::theory_text, .steps = 10'000, .explores = true, .fixed = {}});
  const Lengths before = schedule.next(0).lengths;
  const double phases = schedule.phases(0);
  schedule.extend(1'000'000);
  EXPECT_EQ(schedule.next(0).lengths, before);
  EXPECT_EQ(schedule.next(999'999).steps, 1);
  EXPECT_EQ(schedule.phases(999'999), phases);
}

TEST(CutPhase, ARunThatIsNotExtendableSaysSo) {
  const auto loop = test::make_loop({});
  EXPECT_THROW(loop->extend(10'000), Error);
  const auto open = extendable({}, 50);
  play(*open);
  EXPECT_THROW(open->extend(49), Error);
}

}  // namespace
}  // namespace politex
