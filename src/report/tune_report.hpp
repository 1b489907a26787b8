// The section of a report that shows how settings were chosen.
#pragma once

#include <filesystem>

#include "politex/page/html.hpp"

namespace politex::inline report {

/// Adds, for every `sweep --tune` at or below a directory, the settings tried and the sensitivity curves, or a notice
/// that it is not finished.
void add_tuning(HtmlPage& page, const std::filesystem::path& directory);

}  // namespace politex::inline report
