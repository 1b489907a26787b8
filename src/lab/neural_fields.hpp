// The keys of the continuous and the outside environments and of the neural learners: part of the table of fields.hpp.
#pragma once

#include <vector>

#include "politex/lab/fields.hpp"

namespace politex::lab {

std::vector<Field> continuous_fields();
std::vector<Field> outside_fields();
Field processes_field();
std::vector<Field> neural_schedule_fields();
std::vector<Field> neural_fields();
std::vector<Field> goal_fields();

}  // namespace politex::lab
