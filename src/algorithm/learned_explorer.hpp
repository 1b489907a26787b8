// The name of the explorer of the default learner, which is made above this room.
#pragma once

#include <string_view>

namespace politex::inline algorithm {

inline constexpr std::string_view learned_explorer_name = "learned";

}  // namespace politex::inline algorithm
