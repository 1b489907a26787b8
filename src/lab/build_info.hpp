// Which program this is: what equal bits depend on.
#pragma once

#include <string>

namespace politex::lab {

struct BuildInfo {
  std::string version;
  std::string compiler;
  std::string instruction_set;  // what it was built for, and what of it this CPU offers to the mathematical library
};

BuildInfo build_info();

}  // namespace politex::lab
