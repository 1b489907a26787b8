// What `politex list` prints: every name, and every key with its default and meaning, from the catalogue.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "politex/settings/key.hpp"

namespace politex::inline report {

/// "environments", "algorithms", "explorers", "heuristics", "features", "experiments".
std::span<const std::string_view> list_topics();

/// `figures` are names and help texts of the figures. The text for one topic, or for all keys where it is empty. Throws
/// ConfigError with the nearest topic.
std::string list_text(std::string_view topic, std::span<const Choice> figures = {});

/// The same as one JSON object: {"keys": [{"key", "type", "default", "accepted", "choices", "help", "applies"}], ...}.
std::string list_json(std::string_view topic, std::span<const Choice> figures = {});

}  // namespace politex::inline report
