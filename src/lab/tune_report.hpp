// The part of a report that tells how its settings were chosen.
#pragma once

#include <filesystem>

#include "politex/lab/html.hpp"

namespace politex::lab {

/// What `sweep --tune` left in a directory: every setting tried, and the sensitivity curves. Adds nothing where there
/// is no tuning.csv.
void add_tuning(HtmlPage& page, const std::filesystem::path& directory);

}  // namespace politex::lab
