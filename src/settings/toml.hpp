// TOML text as a list of dotted keys with their values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "politex/settings/key.hpp"

namespace politex::inline settings {

/// A key and its value, or a table where there is no value.
struct TomlEntry {
  std::string key;    // dotted
  std::string where;  // file:line:column
  std::optional<Value> value;
};

/// Tables come before their keys. Throws ConfigError with file, line and column: no TOML, no UTF-8, lists and dates.
std::vector<TomlEntry> read_toml(std::string_view text, std::string_view file_name);

/// The same document as JSON text, with lists and nested tables. Throws ConfigError with file, line and column: no
/// TOML, no UTF-8.
std::string toml_as_json(std::string_view text, std::string_view file_name);

}  // namespace politex::inline settings
