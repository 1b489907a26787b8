// Durations and large numbers in readable form.
#pragma once

#include <string>

namespace politex::inline base {

/// "0.09 s", "12 s", "3:05 min", "2:01 h".
std::string duration_text(double seconds);
/// "999", "1.23k", "45.6M", "7.89G", "1.2T".
std::string short_count(double count);

}  // namespace politex::inline base
