// The problems of the field and the learners that are compared on them, each with the same number of settings to try.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "politex/studies/exploration/suite.hpp"

namespace politex::inline studies {

struct FieldProblem {
  SuiteProblem base;
  std::vector<std::string> heuristics;  // that fit it, as `politex exact --policy` names them
};
std::span<const FieldProblem> field_problems();

struct FieldLearner {
  std::string name;                                // its runs are experiments/field/<name>.toml
  std::string label;                               // for people
  std::string memory;                              // numbers kept: S states, A actions
  std::vector<std::vector<std::string>> settings;  // overrides; every learner has settings_per_learner of them
  double time = 1.0;                               // rough time per step
};
/// `auto` is the first.
std::span<const FieldLearner> field_learners();

inline constexpr std::size_t settings_per_learner = 4;
/// Settings are chosen on seeds from 1 on; results are of seeds from this one on.
inline constexpr std::uint64_t first_field_seed = 8101;

}  // namespace politex::inline studies
