// What this machine has.
#pragma once

namespace politex {

/// Bytes of memory, in all.
double machine_memory();

}  // namespace politex
