// Checkpoints whose bytes were changed on purpose, with a checksum that is right: a resume is refused with a sentence
// or plays on, and never crashes. POLITEX_DAMAGED_STATES sets the number of states, POLITEX_FIRST_DAMAGED_STATE the
// number of the first (.ci/run faults: 100,000 under the address sanitizer).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

#include "fuzz/damage.hpp"

namespace politex {
namespace {

std::int64_t number_from(const char* name, std::int64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atoll(text) : otherwise;
}

TEST(DamagedState, EveryLearnerExplorerAndFeatureMapIsTried) {
  std::set<std::string> seen;
  for (const SavedRun& saved : saved_runs())
    for (const char* key : {"algorithm.name", "explorer.name", "features.name"})
      if (saved.config.find(key) != nullptr) seen.insert(key + (" " + saved.config.text(key)));
  // goals needs an environment with a map (goal_run_test.cpp), and these explorers and features a file.
  const std::set<std::string> others = {"algorithm.name goals", "explorer.name file", "features.name file"};
  const auto expect = [&](const char* key, std::string_view name) {
    const std::string tried = fmt::format("{} {}", key, name);
    EXPECT_TRUE(seen.contains(tried) || others.contains(tried)) << tried;
  };
  for (const LearnerEntry* entry : learners()) expect("algorithm.name", entry->name);
  for (const ExplorerEntry* entry : explorers()) expect("explorer.name", entry->name);
  for (const FeaturesEntry* entry : feature_maps()) expect("features.name", entry->name);
}

TEST(DamagedState, AnIntactOneResumes) {
  for (const SavedRun& saved : saved_runs()) EXPECT_TRUE(resumes(saved, saved.state)) << saved.name;
}

TEST(DamagedState, IsRefusedOrResumesAndNeverCrashes) {
  const auto all = saved_runs();
  const std::int64_t wanted = number_from("POLITEX_DAMAGED_STATES", 1'000);
  const std::int64_t first = number_from("POLITEX_FIRST_DAMAGED_STATE", 0);
  std::int64_t refused = 0;
  for (std::int64_t k = first; k < first + wanted; ++k) {
    const SavedRun& saved = all[static_cast<std::size_t>(k) % all.size()];
    Rng rng(1, Use::test, static_cast<std::uint64_t>(k));
    std::vector<std::byte> state = saved.state;
    damage(state, rng);
    try {
      refused += resumes(saved, state) ? 0 : 1;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "state " << k << " of " << saved.name << ": " << error.what();
    }
  }
  RecordProperty("states", std::to_string(wanted));
  RecordProperty("refused", std::to_string(refused));
  EXPECT_GT(refused, wanted / 20);
  EXPECT_LT(refused, wanted);
}

}  // namespace
}  // namespace politex
