// The open suite of problems and the learners that are compared on it: the only place that lists them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace politex::inline studies {

struct SuiteProblem {
  std::string name;                    // in file names and CSV: "deep_sea_20_rows"
  std::string label;                   // for people: "DeepSea 20, rows"
  std::vector<std::string> overrides;  // of the experiment
  std::string input = {};              // a file that the environment reads, of experiment_inputs()
  bool quick = false;                  // part of the quick version
  bool own_model = false;              // every seed has its own model (environment.model_seed)
  bool action_one_leads = false;       // always taking action 1 reaches the reward
  std::string plain = {};              // the problem that differs only in the names of the actions
  int side = 0;                        // states are cells of a square grid of this side; 0: no picture
  double weight = 1.0;                 // rough time per step, compared with DeepSea 20
  int seeds = 20;                      // of the default learner
  bool short_phases = false;           // EE-Politex as printed solves large systems every few steps: left out
  // Average costs per step of the uniformly random policy and of the best one; equal: computed exactly.
  double random = 0.0, optimum = 0.0;
  bool listed() const noexcept { return random == optimum; }
};
std::span<const SuiteProblem> suite_problems();

struct SuiteLearner {
  std::string name;   // its runs are experiments/exploration/<name>.toml
  std::string label;  // for people
  int seeds = 10;     // at most; the default has the problem's own number
  double time = 1.0;  // rough time per step, compared with the default
  enum class Role { subject, variant, paper, baseline } role = Role::variant;
  bool only_action_one = false;  // runs only where action_one_leads
  int seeds_unlisted = 5;        // where states are not listed; 0: left out there, because it takes minutes
};
/// The default learner is the first.
std::span<const SuiteLearner> suite_learners();

/// No setting of the default was chosen on these seeds.
inline constexpr std::uint64_t first_suite_seed = 6001;

}  // namespace politex::inline studies
