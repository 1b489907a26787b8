// Version, identity, compiler and instruction set of the program: equal bits are promised only where they agree.
#pragma once

#include <string>

namespace politex::inline base {

struct BuildInfo {
  std::string version;
  std::string compiler;
  std::string id;               // 12 digits that differ wherever the program's bytes do; empty if the linker wrote none
  std::string instruction_set;  // the build's target, and the extensions of this CPU that select glibc's exp and log
};

/// Describes the running program.
BuildInfo build_info();

}  // namespace politex::inline base
