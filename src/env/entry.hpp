// What the catalogue knows about an environment before anything runs. An entry is at the end of its own .cpp file, as a
// function `const EnvironmentEntry& deep_sea_entry()` that returns a static constant; run/catalogue.cpp lists these
// functions, one line each. The name is written in that one place only.
#pragma once

#include <cstdint>
#include <memory>

#include "politex/env/block.hpp"
#include "politex/env/finite_model.hpp"
#include "politex/settings/values.hpp"

namespace politex::inline env {

/// Which environments a block holds.
struct BlockRequest {
  std::uint64_t seed = 1;  // of the run
  int first = 0;           // number of the first one in the run: it names the random streams
  int count = 1;
  int processes = 1;  // that share the environments, where they are in other processes; no result depends on it
};

struct EnvironmentEntry {
  std::string_view name, help;
  Keys keys{};
  Keys keys_with_networks{};  // apply where a neural learner runs on it
  /// The space of its environments; nullptr: known only once it runs (a file is read, a process is started).
  Space (*space)(const Values&) = nullptr;
  FiniteModel (*model)(const Values&) = nullptr;  // finite environments: their tables; nullptr: not finite
  /// Makes environments that are stepped together. Finite ones have the block of their tables instead.
  std::unique_ptr<EnvironmentBlock> (*block)(const Values&, const BlockRequest&) = nullptr;
  bool external = false;                   // in another process: what it is like is known only once it runs
  void (*check)(const Values&) = nullptr;  // checks conditions between its keys; throws ConfigError
};

/// The time limit of an environment whose episodes are truncated.
template <auto member>
Key time_limit_key() {
  return key<member>("environment.episode", "time limit in steps (truncation); 0: the environment's default",
                     whole(0, 1'000'000'000));
}

/// The block that a request asks for, of an environment of this program.
template <Environment E>
std::unique_ptr<EnvironmentBlock> block_of(E environment, const BlockRequest& request) {
  return std::make_unique<BlockOf<E>>(std::move(environment), request.seed,
                                      EnvironmentRange{request.first, request.first + request.count});
}

/// The space of a finite environment; `size` is the N of lengths.
Space finite_space(std::string_view name, int states, int actions, int size);

/// Keys that every finite environment has: teleport and lazy.
Keys finite_keys();
/// The model with those keys applied.
FiniteModel with_finite_keys(FiniteModel model, const Values& values);

}  // namespace politex::inline env
