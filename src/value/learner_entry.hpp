// What the catalogue knows of a learner: its keys, and traits that other parts ask for instead of its name. An entry is
// at the end of its own .cpp file, as a function that returns a static constant; run/catalogue.cpp lists these
// functions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "politex/settings/values.hpp"

namespace politex::inline algorithm {
class Learner;
struct LearnerParts;
}  // namespace politex::inline algorithm

namespace politex::inline baselines {
class StepCollector;
struct StepParts;
}  // namespace politex::inline baselines

namespace politex::inline value {

/// The default that a key of another owner has with a learner.
struct Preset {
  std::string_view key, value;
};

struct LearnerEntry {
  std::string_view name, help;
  Keys keys{};                             // of every table that it uses: "algorithm.eta", "schedule.rollouts", ...
  std::vector<Preset> presets{};           // defaults of other owners' keys, which are words
  bool explores = false;                   // it has exploration segments, so the keys of an explorer apply
  bool sums_q = false;                     // its policy is Boltzmann in the sum of all phases' Q
  bool keeps_transitions = false;          // it learns from the transitions of all phases
  bool networks = false;                   // neural: acts in many environments at once, on all ranks of a job
  bool trains_explorer = false;            // `politex explore` can write what it learned as an exploration policy
  void (*check)(const Values&) = nullptr;  // what must hold between its keys; throws ConfigError
  /// What a run of this number of steps is too short for: appends warnings, which are printed before it starts.
  void (*foresee)(const Values&, std::int64_t steps, std::vector<std::string>& warnings) = nullptr;
  /// Learners that are linear in features and learn once per phase.
  std::unique_ptr<Learner> (*make)(const Values&, const LearnerParts&) = nullptr;
  /// What does not fit the lengths of the phases: appends warnings, or throws ConfigError.
  void (*review)(const Values&, const LearnerParts&, std::vector<std::string>& warnings) = nullptr;
  /// Learners that are linear in features and learn in every step.
  std::unique_ptr<StepCollector> (*play)(const Values&, StepParts&&) = nullptr;

  /// Linear in features; false: it uses networks or tables of its own.
  bool linear() const noexcept { return make != nullptr || play != nullptr; }
};

}  // namespace politex::inline value
