// The known name that a misspelt one was probably meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace politex::inline settings {

/// Edits (insert, delete, replace, swap of neighbours) that turn one text into the other.
int edit_distance(std::string_view a, std::string_view b);

/// The nearest of the names; the first of several at the same distance; empty where there is none.
std::string nearest(std::string_view name, std::span<const std::string_view> known);

}  // namespace politex::inline settings
