// Version, compiler and instruction set of the program: equal bits are promised only where they agree.
#pragma once

#include <string>

namespace politex::inline base {

struct BuildInfo {
  std::string version;
  std::string compiler;
  std::string instruction_set;  // the build's target, and the extensions of this CPU that select glibc's exp and log
};

/// Describes the running program.
BuildInfo build_info();

}  // namespace politex::inline base
