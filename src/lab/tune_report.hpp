// The part of a report that tells how its settings were chosen.
#pragma once

#include <filesystem>

#include "politex/lab/html.hpp"

namespace politex::lab {

/// What every `sweep --tune` left at or below a directory: the settings tried, and the sensitivity curves; or that it
/// has not come to its end.
void add_tuning(HtmlPage& page, const std::filesystem::path& directory);

}  // namespace politex::lab
