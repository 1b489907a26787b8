// Runs of every learner, explorer and feature map of the catalogue, their saved states, and damage to these: what the
// test (run/damaged_state_test.cpp) and the fuzzer (fuzz/resume.cpp) of resumes have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/explorer_run.hpp"
#include "politex/run/run.hpp"

namespace politex {

/// A small run that was saved in its middle.
struct SavedRun {
  std::string name;
  Config config;
  bool extendable = false;
  bool explores_alone = false;  // `politex explore`
  std::vector<std::byte> state;

  std::unique_ptr<Run> make() const {
    return explores_alone ? make_explorer_run(config) : make_run(config, {.extendable = extendable});
  }
};

/// False: these settings do not fit each other, and there is no such run.
inline bool add_saved_run(std::vector<SavedRun>& to, std::vector<std::string> settings, bool extendable,
                          bool explores_alone = false) {
  SavedRun saved;
  for (const std::string& setting : settings) saved.name += setting + " ";
  saved.extendable = extendable;
  saved.explores_alone = explores_alone;
  settings.insert(settings.begin(), "steps=600");
  try {
    std::vector<Assignment> assignments;
    for (const std::string& setting : settings) assignments.push_back(parse_override(setting));
    saved.config = build_config(assignments, {.brings_environment = false, .extendable = extendable}).config;
    const auto run = saved.make();
    while (!run->done() && run->steps_done() < 300) run->advance();
    ByteWriter state;
    run->save(state);
    saved.state = state.bytes();
  } catch (const ConfigError&) {
    return false;
  }
  constexpr std::size_t most = 300'000;  // larger ones take long, and smaller ones have all that they have
  if (saved.state.size() <= most) to.push_back(std::move(saved));
  return true;
}

/// Every learner, explorer and feature map of the catalogue that needs no file and no other program.
inline std::vector<SavedRun> saved_runs() {
  using Settings = std::vector<std::string>;
  const Settings small_network = {"network.hidden=4",
                                  "replay.capacity=64",
                                  "learner.batch=4",
                                  "schedule.phase_steps=5",
                                  "actors.environments=2",
                                  "actors.threads=0",
                                  "actors.transitions_per_step=4",
                                  "learner.n_step=3"};
  const std::vector<Settings> places = {
      {"environment=deep_sea", "environment.size=3"},
      {"environment=garnet", "environment.states=4", "algorithm.path=generic"},
      {"environment=n_model", "environment.buffer=2"},
      {"environment=mountain_car", "features=tiles", "features.tilings=2", "features.tiles=3"},
      {"environment=cartpole_balance", "features=cells", "features.bins=2"},
      {"environment=cartpole"}};
  std::vector<SavedRun> all;
  bool extendable = false;
  for (const LearnerEntry* learner : learners())
    for (Settings settings : places) {
      settings.push_back("algorithm=" + std::string(learner->name));
      if (learner->networks) settings.insert(settings.end(), small_network.begin(), small_network.end());
      if (add_saved_run(all, settings, extendable)) extendable = !extendable;
    }
  for (const ExplorerEntry* explorer : explorers())
    for (Settings settings : places) {
      settings.push_back("explorer=" + std::string(explorer->name));
      if (settings[0] == "environment=cartpole") {
        settings.emplace_back("algorithm=neural_ee_politex");
        settings.insert(settings.end(), small_network.begin(), small_network.end());
      }
      if (add_saved_run(all, settings, extendable)) extendable = !extendable;
      settings.emplace_back("schedule.exploration=vanishing");
      add_saved_run(all, settings, true);
    }
  for (const FeaturesEntry* features : feature_maps())
    for (Settings settings : {Settings{"environment=deep_sea", "environment.size=3"}, {"environment=mountain_car"}}) {
      settings.push_back("features=" + std::string(features->name));
      settings.emplace_back("schedule.exploration=sustained");
      if (features->name == "tiles") settings.insert(settings.end(), {"features.tilings=2", "features.tiles=3"});
      if (features->name == "random_fourier") settings.emplace_back("features.count=8");
      if (features->name == "tree") settings.insert(settings.end(), {"features.bins=4", "features.memory=50"});
      add_saved_run(all, settings, true);
      settings.emplace_back("explorer=learned");
      if (settings[0] == "environment=deep_sea") add_saved_run(all, settings, true);
    }
  for (const char* more : {"replay.kind=prioritised", "learner.mode=differential", "policy.ring=2"}) {
    Settings settings = small_network;
    settings.emplace_back("environment=cartpole");
    settings.emplace_back("algorithm=neural_politex");
    settings.emplace_back(more);
    add_saved_run(all, settings, false);
  }
  for (const char* more : {"algorithm.eta=scale_free", "algorithm.combine=adaptive", "algorithm.estimator=lspe",
                           "exact.theory=true", "exact.every=3"})
    add_saved_run(all, {"environment=deep_sea", "environment.size=3", more}, true);
  for (const char* explorer : {"learned", "count", "design"})
    add_saved_run(all, {"environment=river_swim", std::string("explorer=") + explorer}, false, true);
  return all;
}

/// Numbers that break what is not checked.
inline std::uint64_t telling_word(Rng& rng) {
  constexpr std::uint64_t words[] = {0,
                                     1,
                                     2,
                                     0x7f,
                                     0xff,
                                     0x7fff'ffff,
                                     0x8000'0000,
                                     0xffff'ffff,
                                     0x1'0000'0000,
                                     std::uint64_t{1} << 40,
                                     std::uint64_t{1} << 53,
                                     0x7fff'ffff'ffff'ffff,
                                     0x8000'0000'0000'0000,
                                     0xffff'ffff'ffff'ffff,
                                     0x7ff0'0000'0000'0000,   // infinity
                                     0xfff0'0000'0000'0000,   // its negative
                                     0x7ff8'0000'0000'0000,   // not a number
                                     0x7f80'0000'7fc0'0000,   // the same as floats
                                     0x3ff0'0000'0000'0000,   // 1
                                     0xbff0'0000'0000'0000,   // -1
                                     0x7fef'ffff'ffff'ffff};  // the largest
  return words[rng.below(std::size(words))];
}

/// One to three changes of bits, bytes or words, or a cut.
inline void damage(std::vector<std::byte>& state, Rng& rng) {
  for (auto left = 1 + rng.below(3); left > 0 && state.size() > 8; --left) {
    const std::uint64_t kind = rng.below(8);
    const std::size_t width = kind < 3 ? 8 : kind < 5 ? 4 : 1;
    std::size_t at = rng.below(state.size() - width + 1);
    if (rng.below(2) == 0) at -= at % width;
    std::uint64_t word = 0;
    std::memcpy(&word, &state[at], width);
    switch (kind) {
      case 0:
      case 3:
        word = telling_word(rng);
        break;
      case 1:
      case 4:
        word += rng.below(2) == 0 ? 1 : ~std::uint64_t{0};
        break;
      case 2:
        std::memcpy(&word, &state[rng.below(state.size() - 7)], 8);
        break;
      case 5:
        word = rng.bits();
        break;
      case 6:
        word ^= std::uint64_t{1} << rng.below(8);
        break;
      default:
        if (rng.below(20) == 0) state.resize(rng.below(state.size()));
        if (state.size() <= at) return;
        word ^= std::uint64_t{1} << rng.below(8);
    }
    std::memcpy(&state[at], &word, width);
  }
}

/// Restores the state and plays on; false if it is refused with an Error. Anything else is a defect.
inline bool resumes(const SavedRun& saved, std::span<const std::byte> state) {
  const auto run = saved.make();
  try {
    ByteReader from(state);
    run->restore(from);
    std::vector<double> row;
    std::string picture;
    for (int block = 0; block < 3 && !run->done(); ++block) {
      run->advance();
      run->row(row);
      run->picture(picture);
    }
    ByteWriter to;
    run->save(to);
    run->summary();
  } catch (const Error&) {
    return false;
  }
  return true;
}

}  // namespace politex
