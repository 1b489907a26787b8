// Resources of this machine.
#pragma once

namespace politex::inline base {

/// Total memory in bytes.
double machine_memory();

}  // namespace politex::inline base
