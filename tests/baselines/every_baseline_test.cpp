// What every learner of this room promises as a run: the same bits on both paths, after stops and extensions, and a
// sentence where it does not fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "politex/algorithm/learner.hpp"
#include "politex/base/error.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/linear_run.hpp"
#include "politex/run/run.hpp"

namespace politex {
namespace {

using ::testing::HasSubstr;

std::vector<const LearnerEntry*> step_learners() {
  std::vector<const LearnerEntry*> all;
  for (const LearnerEntry* entry : learners())
    if (entry->play != nullptr) all.push_back(entry);
  return all;
}

class EveryBaseline : public ::testing::TestWithParam<const LearnerEntry*> {};

Config config_of(const LearnerEntry& entry, const char* environment, std::int64_t steps) {
  Config config = default_config(environment);
  config.set("algorithm.name", std::string(entry.name));
  config.steps = steps;
  return config;
}

std::string finish(Run& run) {
  while (!run.done()) run.advance();
  return run.summary().signature;
}

TEST_P(EveryBaseline, BothPathsGiveTheSameBits) {
  for (const char* environment : {"deep_sea", "garnet", "access_control"}) {
    Config config = config_of(*GetParam(), environment, 3'000);
    if (std::string(environment) == "deep_sea") config.set("environment.size", std::int64_t{5});
    const auto compiled = make_run(config);
    config.set("algorithm.path", std::string("generic"));
    const auto generic = make_run(config);
    while (!compiled->done()) {
      compiled->advance();
      generic->advance();
      ASSERT_EQ(compiled->average_cost(), generic->average_cost()) << environment;
      const auto one = compiled->learner()->weights(), other = generic->learner()->weights();
      ASSERT_TRUE(std::equal(one.begin(), one.end(), other.begin(), other.end())) << environment;
    }
    const Summary summary = compiled->summary();
    EXPECT_EQ(summary.path, "compiled");
    EXPECT_EQ(generic->summary().path, "generic");
    ASSERT_TRUE(summary.finite.has_value());
    EXPECT_TRUE(std::isfinite(summary.finite->regret));
    EXPECT_EQ(summary.finite->regret, generic->summary().finite->regret);
    const RegretTerms& terms = summary.finite->terms;
    EXPECT_NEAR(terms.E + terms.PR + terms.V + terms.W + terms.V_explore + terms.W_explore, summary.finite->regret,
                1e-6);
    EXPECT_EQ(summary.target.steps, 3'000);
  }
}

/// What predict() of the Python package needs: the features of any observation.
TEST_P(EveryBaseline, DescribesEveryObservation) {
  for (const char* path : {"compiled", "generic"}) {
    Config config = config_of(*GetParam(), "access_control", 300);
    config.set("algorithm.path", std::string(path));
    const auto run = make_run(config);
    finish(*run);
    const Collector& collector = dynamic_cast<const LinearRun&>(*run).loop().collector();
    for (int state = 0; state < 44; ++state) {
      SparseRows rows;
      collector.describe(std::vector{static_cast<double>(state)}, rows);
      ASSERT_EQ(rows.rows(), 1);
      EXPECT_EQ(rows.indices(0).front(), state) << path;
      EXPECT_EQ(rows.values(0).front(), 1.0);
    }
    SparseRows rows;
    EXPECT_THROW(collector.describe(std::vector{44.0}, rows), Error);
    EXPECT_THROW(collector.describe(std::vector{-1.0}, rows), Error);
  }
}

/// Saved after every block and restored into a new run.
TEST_P(EveryBaseline, ARestoredRunHasTheSameBits) {
  for (const char* environment : {"garnet", "river_swim", "mountain_car"})
    for (const char* path : {"auto", "generic"}) {
      Config config = config_of(*GetParam(), environment, 2'500);
      config.set("algorithm.path", std::string(path));
      std::unique_ptr<politex::Run> run;
      try {
        run = make_run(config);
      } catch (const ConfigError& error) {
        EXPECT_EQ(std::string(environment), "mountain_car") << error.what();
        EXPECT_THAT(error.what(), HasSubstr("accepted"));
        continue;
      }
      const std::string whole = finish(*run);
      run = make_run(config);
      while (!run->done()) {
        run->advance();
        ByteWriter saved;
        run->save(saved);
        run = make_run(config);
        ByteReader from(saved.bytes());
        run->restore(from);
      }
      EXPECT_EQ(run->summary().signature, whole) << environment << " " << path;
    }
}

TEST_P(EveryBaseline, AnExtendedRunHasTheBitsOfALongOne) {
  for (const char* path : {"auto", "generic"}) {
    Config config = config_of(*GetParam(), "garnet", 1'777);
    config.set("algorithm.path", std::string(path));
    const auto pieces = make_run(config, {.extendable = true});
    finish(*pieces);
    ByteWriter saved;
    pieces->save(saved);
    const auto later = make_run(config, {.extendable = true});
    ByteReader from(saved.bytes());
    later->restore(from);
    later->extend(2'999);
    const auto steps = later->learner();
    ASSERT_NE(steps, nullptr);
    while (!later->done()) later->advance();
    // What depends on T keeps the first value, so the long run is asked for in the same way.
    const auto whole = make_run(config, {.extendable = true});
    whole->extend(2'999);
    EXPECT_EQ(later->summary().signature, finish(*whole)) << path;
    EXPECT_EQ(later->summary().average_cost, whole->summary().average_cost);
  }
}

TEST_P(EveryBaseline, RefusesSchedulesOfPhases) {
  const Config config = config_of(*GetParam(), "garnet", 1'000);
  Config other = config;
  other.set("schedule.kind", std::string("doubling"));
  try {
    check(other);
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.key(), "schedule.kind");
    EXPECT_THAT(error.what(), HasSubstr("accepted: anytime, fixed"));
  }
}

INSTANTIATE_TEST_SUITE_P(Baselines, EveryBaseline, ::testing::ValuesIn(step_learners()),
                         [](const auto& each) { return std::string(each.param->name); });

TEST(Baselines, ATableNeedsAPartition) {
  Config config = config_of(*step_learners().front(), "mountain_car", 1'000);
  config.set("features.name", std::string("tiles"));
  try {
    make_run(config);
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.key(), "features.name");
    EXPECT_THAT(error.what(), HasSubstr("accepted: tabular (listed states), cells"));
  }
}

}  // namespace
}  // namespace politex
