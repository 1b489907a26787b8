// Assumption A1: whether every policy has a single recurrent class. NP-hard in general, so the answer may be "unknown".
#pragma once

#include <vector>

#include "politex/env/finite_model.hpp"

namespace politex::exact {

/// Maximal end components: the largest sets of states that some policy connects and never leaves. A state is recurrent
/// under some policy exactly if it belongs to one.
struct EndComponents {
  int count = 0;
  std::vector<int> of;       // state -> component, or -1
  std::vector<char> inside;  // pair -> 1 if the action stays in its state's component
};

EndComponents end_components(const FiniteModel& model);

enum class Answer { yes, no, unknown };

struct SingleClass {
  Answer answer = Answer::unknown;
  int certificate = -1;                   // yes: a state that every policy reaches from every state; -1 if all policies
                                          // were tried instead
  std::vector<int> witness;               // no: the actions of a policy with two recurrent classes
  int first_home = -1, second_home = -1;  // no: a state of each of them
};

SingleClass single_class(const FiniteModel& model);

}  // namespace politex::exact
