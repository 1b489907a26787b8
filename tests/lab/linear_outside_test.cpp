// The learners on environments outside this program, against the same learners on the same world inside.
#include "politex/lab/outside_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/env/finite_world.hpp"
#include "politex/lab/catalogue.hpp"
#include "politex/lab/fields.hpp"
#include "politex/politex/learner.hpp"

namespace politex::lab {
namespace {

/// A finite world behind the seam, with the draws that GenericCollector would make.
class FiniteBlock final : public OutsideBlock {
 public:
  FiniteBlock(const FiniteModel& model, std::uint64_t seed, bool can_save = true)
      : world_(model), rng_(seed, Use::environment), state_(world_.start(rng_)), can_save_(can_save) {
    space_.name = "Fake-v0";
    space_.actions = model.actions;
    space_.states = model.states;
    space_.ranges = {{0, static_cast<double>(model.states - 1)}};
  }
  const OutsideSpace& space() const override { return space_; }
  int count() const override { return 1; }
  void step(std::span<const Action> actions, std::span<OutsideStep> into) override {
    if (broken) {  // as an environment does that only starts again
      broken = false;
      state_ = world_.model().start;
      into[0] = {.skipped = true};
      return;
    }
    ++steps;
    if (steps == fail_at) {
      broken = true;
      throw Error("Fake-v0 broke");
    }
    if (steps == stop_at) stop.store(true);
    into[0] = {.cost = world_.step(state_, actions[0], rng_).cost};
  }
  void observe(int, std::span<double> into) const override { into[0] = state_; }
  void observe(int, std::span<float> into) const override { into[0] = static_cast<float>(state_); }
  void last(int, std::span<double> into) const override { into[0] = state_; }
  void last(int, std::span<float> into) const override { into[0] = static_cast<float>(state_); }
  bool can_save() const override { return can_save_; }
  void save(ByteWriter& to) const override {
    to.put(state_);
    to.put(rng_.position());
  }
  void restore(ByteReader& from) override {
    from.get(state_);
    rng_.seek(from.get<std::uint64_t>());
  }

  std::int64_t steps = 0, fail_at = 0, stop_at = 0;
  bool broken = false;
  std::atomic<bool> stop{false};

 private:
  FiniteWorld world_;
  OutsideSpace space_;
  Rng rng_;
  int state_;
  bool can_save_;
};

Config river_config(const char* algorithm, std::int64_t steps) {
  Config config = default_config("river_swim");
  config.environment.teleport = 0.05;
  config.algorithm.name = algorithm;
  config.algorithm.path = "generic";
  config.features.name = "tabular";
  config.explorer.name = "always";
  config.steps = steps;
  return config;
}

struct OutsideRiver {
  FiniteBlock* block;
  std::unique_ptr<Run> run;
};

OutsideRiver outside_river(const Config& config, bool can_save = true) {
  Config inner = config;
  inner.algorithm.path = "auto";
  auto block = std::make_unique<FiniteBlock>(make_model(config.environment), config.seed, can_save);
  FiniteBlock* told = block.get();
  return {told, make_outside_run(inner, std::move(block), {.stop = &told->stop, .extendable = true})};
}

void play_all(Run& run) {
  while (!run.done()) run.advance();
}

TEST(LinearOutside, EqualsTheSameWorldInside) {
  for (const char* algorithm : {"ee_politex", "politex", "rlsvi", "lspi"}) {
    const Config config = river_config(algorithm, 3000);
    const auto inside = make_run(config);
    play_all(*inside);
    auto [block, run] = outside_river(config);
    play_all(*run);
    EXPECT_EQ(run->summary().signature, inside->summary().signature) << algorithm;
    EXPECT_EQ(run->summary().average_cost, inside->summary().average_cost);
    EXPECT_EQ(run->summary().average_cost_last_tenth, inside->summary().average_cost_last_tenth);
    EXPECT_EQ(run->summary().path, "outside");
  }
}

TEST(LinearOutside, StoppedAndFailedPhasesLoseNoStep) {
  const Config config = river_config("ee_politex", 3000);
  const auto whole = outside_river(config);
  play_all(*whole.run);
  auto [block, run] = outside_river(config);
  block->stop_at = 1234;
  while (!block->stop.load()) run->advance();
  EXPECT_EQ(run->steps_done(), 1234);
  block->stop.store(false);
  play_all(*run);
  EXPECT_EQ(run->summary().signature, whole.run->summary().signature) << "a stop changes nothing";

  auto broken = outside_river(config);
  broken.block->fail_at = 1234;
  EXPECT_THROW(play_all(*broken.run), Error);
  EXPECT_EQ(broken.run->steps_done(), 1233);
  play_all(*broken.run);
  EXPECT_EQ(broken.run->steps_done(), 3000);
  EXPECT_EQ(broken.block->steps, 3001);
}

TEST(LinearOutside, SavedInTheMiddleItGoesOn) {
  const Config config = river_config("lspi", 3000);
  auto whole = outside_river(config);
  play_all(*whole.run);
  for (const bool can_save : {true, false}) {
    Config first = config;
    first.steps = 1234;
    auto begun = outside_river(first, can_save);
    play_all(*begun.run);
    ByteWriter saved;
    begun.run->save(saved);
    auto again = outside_river(first, can_save);
    ByteReader from(saved.bytes());
    again.run->restore(from);
    EXPECT_TRUE(from.empty());
    again.run->extend(3000);
    play_all(*again.run);
    EXPECT_EQ(again.run->steps_done(), 3000);
    EXPECT_EQ(again.run->summary().signature == whole.run->summary().signature, can_save);
  }
}

TEST(LinearOutside, ExactAnswersOfAnExtendedRunAreThoseOfTheWhole) {
  Config config = default_config("deep_sea");
  config.environment.size = 5;
  config.exact.every = 1;
  config.steps = 1000;
  const auto whole = make_run(config);
  play_all(*whole);
  const Summary expected = whole->summary();
  for (const std::int64_t cut : {7, 333, 999}) {
    config.steps = cut;
    const auto parts = make_run(config, {.extendable = true});
    play_all(*parts);
    ByteWriter saved;
    parts->save(saved);
    const auto again = make_run(config, {.extendable = true});
    ByteReader from(saved.bytes());
    again->restore(from);
    for (lab::Run* run : {parts.get(), again.get()}) {
      run->extend(1000);
      play_all(*run);
      const Summary told = run->summary();
      EXPECT_EQ(told.signature, expected.signature) << cut;
      ASSERT_TRUE(told.finite);
      EXPECT_EQ(told.finite->regret, expected.finite->regret) << cut;
      EXPECT_EQ(told.finite->terms.E, expected.finite->terms.E);
      EXPECT_EQ(told.finite->terms.PR, expected.finite->terms.PR);
      EXPECT_EQ(told.finite->terms.V_explore, expected.finite->terms.V_explore);
      EXPECT_EQ(told.phases, expected.phases);
    }
  }
}

TEST(LinearOutside, RefusesWhatDoesNotFit) {
  Config config = river_config("ee_politex", 1000);
  config.explorer.action = 2;
  EXPECT_THROW(outside_river(config), ConfigError);
  config.explorer.name = "energy_pump";
  EXPECT_THROW(outside_river(config), ConfigError);
  config = river_config("ee_politex", 1000);
  config.features.name = "tiles";
  EXPECT_THROW(outside_river(config), ConfigError);
}

TEST(SparseFourier, IsPartOfTheWholeBasis) {
  const std::vector<Range> ranges = {{-1, 1}, {0, 2}, {-3, 0}};
  const Fourier whole(ranges, 2);
  const SparseFourier pairs(ranges, 2, true), single(ranges, 2, false);
  EXPECT_EQ(pairs.columns(), 1 + 6 + 12);
  EXPECT_EQ(single.columns(), 1 + 6);
  const std::vector<double> seen = {0.3, 1.7, -5.0};
  SparseRows all, some, few;
  whole.append(seen, all);
  pairs.append(seen, some);
  single.append(seen, few);
  for (std::size_t k = 0; k < few.value.size(); ++k) EXPECT_EQ(few.value[k], some.value[k]);
  // Every value of the sparse basis is a value of the whole one, of the k with at most two nonzero digits.
  std::vector<double> left;
  for (int feature = 0; feature < whole.columns(); ++feature)
    if (int zeros = (feature % 3 == 0) + (feature / 3 % 3 == 0) + (feature / 9 == 0); zeros >= 1)
      left.push_back(all.value[static_cast<std::size_t>(feature)]);
  std::vector<double> right = some.value;
  ASSERT_EQ(left.size(), right.size());
  std::ranges::sort(left);
  std::ranges::sort(right);
  for (std::size_t k = 0; k < left.size(); ++k) EXPECT_NEAR(left[k], right[k], 1e-12);
}

}  // namespace
}  // namespace politex::lab
