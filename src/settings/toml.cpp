#include "politex/settings/toml.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "politex/base/error.hpp"

namespace politex::inline settings {
namespace {

struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
};

Position position_of(std::string_view text, std::size_t offset) {
  Position at;
  for (const char c : text.substr(0, offset)) {
    at.column = c == '\n' ? 1 : at.column + 1;
    at.line += c == '\n' ? 1 : 0;
  }
  return at;
}

// Length of the UTF-8 sequence at the front, 0 where there is none (also overlong forms, surrogates, > U+10FFFF).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return tail(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool overlong = first == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = first == 0xED && byte(1) >= 0xA0;
    return tail(1) && tail(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool overlong = first == 0xF0 && byte(1) < 0x90;
    const bool beyond = first == 0xF4 && byte(1) >= 0x90;
    return tail(1) && tail(2) && tail(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

// toml++ 3.3 reads past its buffer after the bytes EF BB BD (a byte-order mark gone wrong), so the text is screened
// first. Code points U+FEC0 to U+FEFF, which those bytes begin, are refused altogether: no key or value needs them.
void screen(std::string_view text, std::string_view file) {
  const auto refuse = [&](std::size_t offset, std::string_view what) {
    const Position at = position_of(text, offset);
    throw ConfigError{std::string(file),
                      fmt::format("{}:{}:{}: {}; accepted: TOML, which is UTF-8 text", file, at.line, at.column, what)};
  };
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r')
      refuse(i, fmt::format("control character 0x{:02x}", byte));
    if (text.substr(i).starts_with("\xEF\xBB")) refuse(i, "the bytes EF BB (a byte-order mark) inside the text");
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) refuse(i, fmt::format("byte 0x{:02x} is not valid UTF-8", byte));
    i += length;
  }
}

std::string place(std::string_view file, const toml::source_region& source) {
  return fmt::format("{}:{}:{}", file, source.begin.line, source.begin.column);
}

Value value_of(const toml::node& node, std::string_view key, const std::string& where) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return whole->get();
  if (const auto* real = node.as_floating_point()) return real->get();
  if (const auto* flag = node.as_boolean()) return flag->get();
  throw ConfigError{std::string(key), fmt::format("{}: lists, tables and dates are not accepted here", where)};
}

void collect(const toml::table& table, const std::string& prefix, std::string_view file, std::vector<TomlEntry>& into) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    const std::string where = place(file, node.source());
    if (const auto* inner = node.as_table()) {
      into.push_back({.key = key, .where = where, .value = std::nullopt});
      collect(*inner, key + ".", file, into);
    } else {
      into.push_back({.key = key, .where = where, .value = value_of(node, key, where)});
    }
  }
}

toml::table parsed(std::string_view text, std::string_view file_name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // some editors begin every file with this mark
  screen(text, file_name);
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw ConfigError{std::string(file_name),
                      fmt::format("{}: is not valid TOML: {}", place(file_name, error.source()), error.description())};
  }
}

}  // namespace

std::vector<TomlEntry> read_toml(std::string_view text, std::string_view file_name) {
  std::vector<TomlEntry> entries;
  collect(parsed(text, file_name), "", file_name, entries);
  return entries;
}

std::string toml_as_json(std::string_view text, std::string_view file_name) {
  std::ostringstream json;
  json << toml::json_formatter{parsed(text, file_name)};
  return json.str();
}

}  // namespace politex::inline settings
