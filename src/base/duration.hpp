// Durations in readable form.
#pragma once

#include <string>

namespace politex::inline base {

/// "12 s", "3:05 min", "2:01 h".
std::string duration_text(double seconds);

}  // namespace politex::inline base
