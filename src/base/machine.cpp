#include "politex/base/machine.hpp"

#include <unistd.h>

namespace politex::inline base {

double machine_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace politex::inline base
