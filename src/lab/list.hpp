// What `politex list` prints: every name, every option, its default and its meaning, out of the field table.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace politex::lab {

/// "environments", "algorithms", "explorers", "features", "experiments".
std::span<const std::string_view> list_topics();

/// The text for one topic, or for all keys where it is empty. Throws ConfigError with the nearest topic.
std::string list_text(std::string_view topic, const std::filesystem::path& experiments);

/// The same as one JSON object: {"keys": [{"key", "type", "default", "accepted", "choices", "help", "applies"}], ...}.
std::string list_json(std::string_view topic, const std::filesystem::path& experiments);

/// Shipped configuration files, as <figure>/<variant>.toml, sorted.
std::vector<std::string> list_experiments(const std::filesystem::path& experiments);

}  // namespace politex::lab
