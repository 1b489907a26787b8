// The reference of all keys as Markdown: docs/guide/reference.md.
#pragma once

#include <span>
#include <string>

#include "politex/settings/key.hpp"

namespace politex::inline report {

/// Every environment, learner, explorer, feature map and figure, and every key with its default and what it accepts.
std::string reference_markdown(std::span<const Choice> figures);

}  // namespace politex::inline report
