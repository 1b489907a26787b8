// One line to add a thing: every entry of the catalogue owns its name, keys and help, and shows up everywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/heuristics/heuristic.hpp"
#include "politex/report/list.hpp"
#include "politex/report/reference.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/parts.hpp"
#include "politex/studies/catalogue.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

struct Named {
  std::string_view kind, name, help;
  const Keys* keys;
};

std::vector<Named> all_entries() {
  std::vector<Named> all;
  for (const auto* one : environments()) all.push_back({"environment", one->name, one->help, &one->keys});
  for (const auto* one : learners()) all.push_back({"algorithm", one->name, one->help, &one->keys});
  for (const auto* one : explorers()) all.push_back({"explorer", one->name, one->help, &one->keys});
  for (const auto* one : all_heuristics()) all.push_back({"heuristic", one->name, one->help, &one->keys});
  for (const auto* one : feature_maps()) all.push_back({"features", one->name, one->help, &one->keys});
  return all;
}

/// Path below src/ -> text without comments, of all C++ sources but the figures.
std::map<std::string, std::string> sources() {
  const fs::path root = fs::path(POLITEX_SOURCE_DIR) / "src";
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".cpp" && extension != ".hpp") continue;
    const std::string name = entry.path().lexically_relative(root).string();
    if (name.starts_with("figures/") || name.starts_with("studies/")) continue;
    std::ifstream in(entry.path());
    std::string text, line;
    while (std::getline(in, line)) text += line.substr(0, line.find("//")) + "\n";
    all[name] = std::move(text);
  }
  return all;
}

/// Names that are also a word of something else: where else the same letters may be written.
const std::map<std::string, std::set<std::string>> homonyms = {
    // the name of an entry -> files in which the literal means another thing
    {"none",
     {"algorithm/politex_learner.cpp", "env/deep_sea.cpp", "neural/options.cpp",
      "run/summary.cpp"}},                                                           // baseline, swap, transform
    {"cells", {"policy/goal_explorer.cpp", "run/goal_run.hpp", "run/summary.cpp"}},  // of a map of goals
    {"count", {"algorithm/politex_learner.cpp"}},                                    // ridge
    {"uniform", {"neural/options.cpp", "report/exact_report.cpp"}},                  // replay.kind; --policy uniform
    {"optimal", {"report/exact_report.cpp"}},                                        // --policy optimal
    {"goals", {"policy/goal_explorer.cpp", "run/summary.cpp"}},        // a kind of policy file; a key of summary.json
    {"politex", {"algorithm/schedule.cpp", "process/handshake.cpp"}},  // schedule.kind
    {"auto",
     {"bench/bench.cpp", "run/config.cpp", "run/config_io.cpp",
      "solvers/solver_options.cpp"}},  // algorithm.path, algorithm.solver
    {"file", {"record/run_record.cpp", "report/list.cpp", "sweep/sweep_results.cpp"}},  // a type; a key of sweep.json
};

TEST(Catalogue, EveryNameIsWrittenInOneFile) {
  const auto all = sources();
  ASSERT_GT(all.size(), 100u);
  for (const Named& entry : all_entries()) {
    const std::string literal = "\"" + std::string(entry.name) + "\"";
    const auto other = homonyms.find(std::string(entry.name));
    std::vector<std::string> files;
    for (const auto& [file, text] : all) {
      if (text.find(literal) == std::string::npos || file.starts_with("apps/")) continue;
      if (other == homonyms.end() || !other->second.contains(file)) files.push_back(file);
    }
    // An explorer and a feature map, a learner and a feature map.
    const std::size_t allowed = entry.name == "file" || entry.name == "auto" ? 2 : 1;
    EXPECT_EQ(files.size(), allowed) << literal << " is written in " << ::testing::PrintToString(files);
  }
}

TEST(Catalogue, CodeComparesFewNames) {
  std::set<std::string> names;
  for (const Named& entry : all_entries()) names.insert(std::string(entry.name));
  for (const KnownKey& known : known_keys())
    for (const Choice& choice : known.key().accepts.choices) names.insert(std::string(choice.name));
  const std::regex comparison(R"re([=!]=\s*"([^"\n]*)"|"([^"\n]*)"\s*[=!]=)re");
  std::vector<std::string> found;
  for (const auto& [file, text] : sources())
    for (std::sregex_iterator it(text.begin(), text.end(), comparison), end; it != end; ++it)
      if (names.contains((*it)[1]) || names.contains((*it)[2])) found.push_back(file + ": " + it->str());
  EXPECT_LE(found.size(), 10u) << ::testing::PrintToString(found);
}

TEST(Catalogue, EveryEntryHasHelpAndKeysWithRanges) {
  for (const Named& entry : all_entries()) {
    EXPECT_GT(entry.help.size(), 5u) << entry.name;
    for (const Key& key : *entry.keys) {
      EXPECT_GT(key.help.size(), 5u) << key.name;
      EXPECT_NE(find_key(key.name), nullptr) << key.name;
      EXPECT_NE(key.store, nullptr) << key.name;
      const Accepts& accepts = key.accepts;
      const bool ranged = accepts.kind == Kind::whole || accepts.kind == Kind::number;
      EXPECT_TRUE(!ranged || accepts.minimum < accepts.maximum) << key.name;
      EXPECT_TRUE(accepts.kind != Kind::word || accepts.choices.size() >= 2) << key.name;
    }
  }
}

TEST(Catalogue, EveryEntryIsListed) {
  const std::string text = list_text("");
  const std::string json = list_json("");
  const std::string markdown = reference_markdown(choices_of(all_figures()));
  for (const Named& entry : all_entries()) {
    EXPECT_THAT(text, HasSubstr("  " + std::string(entry.name) + " ")) << entry.kind;
    EXPECT_THAT(json, HasSubstr("\"" + std::string(entry.name) + "\""));
    EXPECT_THAT(markdown, HasSubstr("| `" + std::string(entry.name) + "` |"));
    for (const Key& key : *entry.keys) EXPECT_THAT(markdown, HasSubstr("| `" + std::string(key.name) + "` |"));
  }
}

TEST(Catalogue, TheReferencePageIsCurrent) {
  const std::string file = (fs::path(POLITEX_SOURCE_DIR) / "docs/guide/reference.md").string();
  EXPECT_EQ(read_file("reference", file), reference_markdown(choices_of(all_figures())))
      << "run: build/politex list --markdown > docs/guide/reference.md";
}

// Values of every type and size for every key: accepted and kept, or refused with a message that names the key. Fixed
// seed; nothing random can fail.
TEST(Catalogue, RandomValuesAreKeptOrRefusedByName) {
  std::mt19937_64 draw(11);
  const auto random_value = [&](const Key& key) -> Value {
    switch (draw() % 8) {
      case 0:
        return draw() % 2 == 0;
      case 1:
        return static_cast<std::int64_t>(draw() % 2000) - 1000;
      case 2:
        return static_cast<std::int64_t>(draw());
      case 3:
        return std::ldexp(static_cast<double>(static_cast<std::int64_t>(draw())), static_cast<int>(draw() % 200) - 150);
      case 4:
        return std::nan("");
      case 5:
        return std::string(draw() % 100, static_cast<char>(draw() % 256));
      case 6:
        return std::string(std::to_string(draw() % 50) + "N/" + std::to_string(draw() % 5));
      default: {
        const auto& choices = key.accepts.choices;
        return choices.empty() ? Value(1.0) : Value(std::string(choices[draw() % choices.size()].name));
      }
    }
  };
  int kept = 0, refused = 0;
  for (const KnownKey& known : known_keys())
    for (const KeyOwner& owner : known.owners)
      for (int i = 0; i < 60; ++i) {
        const Key& key = *owner.key;
        try {
          const Value value = checked(key, random_value(key));
          EXPECT_EQ(checked(key, value), value) << key.name;
          EXPECT_EQ(checked(key, value_from_text(key, plain_text(key, value))), value) << key.name;
          ++kept;
        } catch (const ConfigError& error) {
          EXPECT_EQ(error.key(), key.name);
          EXPECT_THAT(error.what(), HasSubstr("accepted"));
          ++refused;
        }
      }
  EXPECT_GT(kept, 500);
  EXPECT_GT(refused, 500);
}

TEST(Catalogue, EveryFigureIsInTheHelpOfReproduce) {
  std::ifstream in(fs::path(POLITEX_SOURCE_DIR) / "reproduce");
  std::string help, line;
  while (std::getline(in, line) && !line.starts_with("set ")) help += line + " ";
  for (const Figure& figure : all_figures())
    EXPECT_TRUE(std::regex_search(help, std::regex("\\b" + std::string(figure.name) + "\\b"))) << figure.name;
}

TEST(Catalogue, AlgorithmOneIsOneShortFile) {
  std::ifstream in(fs::path(POLITEX_SOURCE_DIR) / "src/algorithm/ee_politex.cpp");
  ASSERT_TRUE(in.good());
  int lines = 0;
  for (std::string line; std::getline(in, line);) ++lines;
  EXPECT_LE(lines, 60);
}

// What every environment promises, for each one that needs no other process.
class EveryEnvironment : public ::testing::TestWithParam<const EnvironmentEntry*> {};

/// The defaults, and one of our files where an environment is read from a file.
Config config_of(const EnvironmentEntry& entry) {
  Config config = default_config(entry.name);
  if (entry.space != nullptr) return config;
  static const std::map<std::string_view, std::string_view> files = {
      {"queues", "queues/networks/two_queues.toml"}, {"finite_mdp", "exploration/frozen_lake_4x4.json"}};
  return config.set("environment.file", POLITEX_SOURCE_DIR "/experiments/" + std::string(files.at(entry.name)));
}

std::unique_ptr<EnvironmentBlock> block_for(const EnvironmentEntry& entry, int count) {
  const BlockRequest request{.seed = 5, .first = 0, .count = count};
  const Config config = config_of(entry);
  if (entry.block != nullptr) return entry.block(config.values, request);
  return block_of(TableEnvironment(entry.model(config.values)), request);
}

TEST_P(EveryEnvironment, KeepsItsPromises) {
  const EnvironmentEntry& entry = *GetParam();
  auto block = block_for(entry, 2);
  const Space& space = block->space();
  ASSERT_GE(space.actions, 1);
  ASSERT_FALSE(space.ranges.empty());
  EXPECT_GE(space.size(), 1);
  if (entry.space != nullptr) {
    const Space described = entry.space({});
    EXPECT_EQ(described.actions, space.actions);
    EXPECT_EQ(described.states, space.states);
    EXPECT_EQ(described.size(), space.size());
    EXPECT_EQ(described.ranges.size(), space.ranges.size());
  }
  std::mt19937_64 draw(3);
  std::vector<double> seen(space.ranges.size()), again(seen.size());
  ByteWriter saved;
  std::vector<std::vector<double>> trace;
  const auto play = [&](EnvironmentBlock& one, int steps, std::uint64_t seed) {
    std::mt19937_64 actions(seed);
    std::vector<std::vector<double>> rows;
    for (int t = 0; t < steps; ++t) {
      std::vector<Action> chosen(2);
      for (Action& action : chosen) action = static_cast<Action>(actions() % static_cast<unsigned>(space.actions));
      std::vector<StepResult> results(2);
      one.step(0, chosen, results);
      for (int which = 0; which < 2; ++which) {
        one.observe(which, std::span<double>(seen));
        EXPECT_TRUE(std::isfinite(results[static_cast<std::size_t>(which)].cost));
        for (const double number : seen) EXPECT_TRUE(std::isfinite(number));
        if (space.states > 0) {
          EXPECT_EQ(seen[0], std::floor(seen[0]));
          EXPECT_GE(seen[0], 0.0);
          EXPECT_LT(seen[0], space.states);
        }
        rows.push_back(seen);
        rows.back().push_back(results[static_cast<std::size_t>(which)].cost);
      }
    }
    return rows;
  };
  play(*block, 300, 1);
  save_all(*block, saved);
  const auto first = play(*block, 300, 2);
  auto restored = block_for(entry, 2);
  ByteReader from(saved.bytes());
  restore_all(*restored, from);
  EXPECT_EQ(play(*restored, 300, 2), first) << "a restored environment continues to the same bits";
  auto same = block_for(entry, 2);
  auto other = block_for(entry, 2);
  EXPECT_EQ(play(*same, 200, 7), play(*other, 200, 7)) << "the same seed gives the same bits";
}

TEST_P(EveryEnvironment, RunsWithTheDefaultLearner) {
  Config config = config_of(*GetParam());
  config.steps = 3000;
  check(config);
  const auto run = make_run(config);
  while (!run->done()) run->advance();
  EXPECT_EQ(run->steps_done(), 3000);
  EXPECT_TRUE(std::isfinite(run->average_cost()));
}

std::vector<const EnvironmentEntry*> own_environments() {
  std::vector<const EnvironmentEntry*> own;
  for (const auto* entry : environments())
    if (!entry->external) own.push_back(entry);
  return own;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryEnvironment, ::testing::ValuesIn(own_environments()),
                         [](const auto& each) { return std::string(each.param->name); });

}  // namespace
}  // namespace politex
