// What the catalogue knows of an explorer. An entry is at the end of its own .cpp file, as a function that returns a
// static constant; run/catalogue.cpp lists these functions, one line each.
#pragma once

#include <memory>
#include <string>

#include "politex/env/finite_model.hpp"
#include "politex/env/space.hpp"
#include "politex/policy/explorer.hpp"
#include "politex/settings/values.hpp"

namespace politex::inline algorithm {
class LearningExplorer;
struct LearningRequest;
}  // namespace politex::inline algorithm

namespace politex::inline policy {

struct ExplorerRequest {
  const Values& values;
  const Space& space;
  const FiniteModel* model = nullptr;  // where the environment is finite and known
  std::string environment;             // environment.name of the run, which policy files must be trained in; empty: any
};

struct ExplorerEntry {
  std::string_view name, help;
  Keys keys{};
  /// nullptr: there are no exploration segments. Throws ConfigError where the explorer does not fit the environment.
  std::shared_ptr<const Explorer> (*make)(const ExplorerRequest& request) = nullptr;
  /// Instead of `make`: the explorer learns during the run. Throws ConfigError where it does not fit.
  std::unique_ptr<LearningExplorer> (*learn)(const LearningRequest& request) = nullptr;
  bool fixed_policy = true;     // over listed states: the compiled tables can follow it
  bool needs_networks = false;  // it learns next to a learner with networks
  /// What can be checked without the environment: `space` is nullptr where it is known only once it runs.
  void (*check)(const Values& values, const Space* space) = nullptr;

  /// Whether there are exploration segments.
  bool explores() const noexcept { return make != nullptr || learn != nullptr; }
};

}  // namespace politex::inline policy
