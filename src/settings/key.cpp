#include "politex/settings/key.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "politex/base/error.hpp"
#include "politex/settings/nearest.hpp"

namespace politex::inline settings {
namespace {

constexpr double no_limit = std::numeric_limits<double>::max();

template <class... Ts>
struct Overload : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overload(Ts...) -> Overload<Ts...>;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// Long texts are cut in messages, and nothing in them can move a terminal's cursor.
std::string shown(const Value& value) {
  return std::visit(Overload{[](bool flag) { return std::string(flag ? "true" : "false"); },
                             [](const std::string& text) {
                               std::string start = text.substr(0, 60);
                               std::ranges::replace_if(start, is_control, '?');
                               return fmt::format("\"{}{}\"", start, text.size() > 60 ? "..." : "");
                             },
                             [](auto number) { return fmt::format("{}", number); }},
                    value);
}

std::string float_text(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string limit_text(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e16) return fmt::format("{}", static_cast<std::int64_t>(value));
  return fmt::format("{}", value);
}

[[noreturn]] void refuse(const Key& key, const Value& value, std::string_view where, std::string_view why = {}) {
  const char* const end = why.ends_with('?') ? "" : ";";
  throw ConfigError{std::string(key.name),
                    fmt::format("{} is not accepted{}{}{} accepted: {}", shown(value),
                                where.empty() ? "" : fmt::format(" ({})", where),
                                why.empty() ? "" : fmt::format("; {}", why), end, accepted(key))};
}

bool in_range(const Accepts& accepts, double value) {
  return std::isfinite(value) && value >= accepts.minimum && value <= accepts.maximum &&
         !(accepts.above_minimum && value == accepts.minimum);
}

// A whole number, also where it is written as 1e6.
std::optional<std::int64_t> as_whole(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  const auto* real = std::get_if<double>(&value);
  if (real == nullptr || !(std::abs(*real) <= 9'007'199'254'740'992.0) || *real != std::floor(*real))
    return std::nullopt;
  return static_cast<std::int64_t>(*real);
}

std::optional<double> as_number(const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::nullopt;
}

double checked_number(const Key& key, const Value& value, std::string_view where) {
  const auto number = as_number(value);
  if (!number) refuse(key, value, where, "not a number");
  if (!in_range(key.accepts, *number)) refuse(key, value, where);
  return *number + 0.0;  // -0 would print differently and mean the same
}

std::int64_t checked_whole(const Key& key, const Value& value, std::string_view where) {
  const auto whole = as_whole(value);
  if (!whole) refuse(key, value, where, "not a whole number");
  if (!in_range(key.accepts, static_cast<double>(*whole))) refuse(key, value, where);
  return *whole;
}

bool is_choice(const Key& key, std::string_view word) {
  return std::ranges::any_of(key.accepts.choices, [&](const Choice& choice) { return choice.name == word; });
}

std::string checked_word(const Key& key, const Value& value, std::string_view where) {
  const auto* word = std::get_if<std::string>(&value);
  if (word == nullptr) refuse(key, value, where, "not a name");
  if (is_choice(key, *word)) return *word;
  std::vector<std::string_view> names;
  for (const Choice& choice : key.accepts.choices) names.push_back(choice.name);
  refuse(key, value, where, fmt::format("did you mean \"{}\"?", nearest(*word, names)));
}

std::string checked_text(const Key& key, const Value& value, std::string_view where) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) refuse(key, value, where, "not a text");
  if (text->find('\0') != std::string::npos || text->size() > 4096) refuse(key, value, where);
  return *text;
}

std::string checked_length(const Key& key, const Value& value, std::string_view where) {
  if (const auto whole = as_whole(value)) return Length::parse(key.name, fmt::format("{}", *whole)).text();
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) refuse(key, value, where);
  return Length::parse(key.name, *text).text();
}

std::string strip_quotes(std::string_view text) {
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
    text = text.substr(1, text.size() - 2);
  return std::string(text);
}

// 1_000_000 as in TOML: an underscore only between digits.
std::string without_underscores(std::string_view text) {
  const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '_' || i == 0 || !digit(i - 1) || !digit(i + 1)) out += text[i];
  return out;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (is_control(c))
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string range_text(const Accepts& accepts) {
  const bool bounded = accepts.maximum < 1e300;
  if (!bounded && accepts.minimum < -1e300) return "of any size";
  const std::string low = limit_text(accepts.minimum);
  if (accepts.above_minimum)
    return bounded ? fmt::format("above {} and at most {}", low, limit_text(accepts.maximum))
                   : fmt::format("above {}", low);
  return bounded ? fmt::format("from {} to {}", low, limit_text(accepts.maximum)) : fmt::format("of at least {}", low);
}

std::vector<std::string_view> names_of(const std::vector<Choice>& choices) {
  std::vector<std::string_view> names;
  for (const Choice& choice : choices) names.push_back(choice.name);
  return names;
}

}  // namespace

Accepts whole(double minimum, double maximum) { return {.kind = Kind::whole, .minimum = minimum, .maximum = maximum}; }
Accepts number(double minimum, double maximum) {
  return {.kind = Kind::number, .minimum = minimum, .maximum = maximum};
}
Accepts number_above(double minimum, double maximum) {
  return {.kind = Kind::number, .minimum = minimum, .maximum = maximum, .above_minimum = true};
}
Accepts number_above(double minimum) { return number_above(minimum, no_limit); }
Accepts number_of_at_least(double minimum) { return number(minimum, no_limit); }
Accepts any_number() { return number(-no_limit, no_limit); }
Accepts flag() { return {.kind = Kind::flag}; }
Accepts text() { return {.kind = Kind::text}; }
Accepts file() { return {.kind = Kind::file}; }
Accepts length() { return {.kind = Kind::length}; }
Accepts word(std::vector<Choice> choices) { return {.kind = Kind::word, .choices = std::move(choices)}; }
Accepts number_above_or(double minimum, std::vector<Choice> words) {
  return {.kind = Kind::number_or_word,
          .minimum = minimum,
          .maximum = no_limit,
          .above_minimum = true,
          .choices = std::move(words)};
}

Accepts any_number_or(std::vector<Choice> words) {
  Accepts accepts = any_number();
  accepts.kind = Kind::number_or_word;
  accepts.choices = std::move(words);
  return accepts;
}

Keys operator+(Keys left, const Keys& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

std::size_t detail::choice_index(const Key& key, const Value& value) {
  const auto& choices = key.accepts.choices;
  const auto found = std::ranges::find(choices, std::get<std::string>(value), &Choice::name);
  return static_cast<std::size_t>(found - choices.begin());
}

std::string_view Key::table() const noexcept {
  const auto dot = name.find('.');
  return dot == std::string_view::npos ? std::string_view{} : name.substr(0, dot);
}

std::string_view Key::word() const noexcept {
  const auto dot = name.find('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

Value checked(const Key& key, const Value& value, std::string_view where) {
  switch (key.accepts.kind) {
    case Kind::whole:
      return checked_whole(key, value, where);
    case Kind::number:
      return checked_number(key, value, where);
    case Kind::flag:
      if (!std::holds_alternative<bool>(value)) refuse(key, value, where);
      return value;
    case Kind::word:
      return checked_word(key, value, where);
    case Kind::text:
    case Kind::file:
      return checked_text(key, value, where);
    case Kind::length:
      return checked_length(key, value, where);
    case Kind::number_or_word:
      if (const auto* text = std::get_if<std::string>(&value)) {
        if (!is_choice(key, *text)) refuse(key, value, where);
        return value;
      }
      return checked_number(key, value, where);
  }
  return value;
}

Value value_from_text(const Key& key, std::string_view text) {
  const Kind kind = key.accepts.kind;
  if (kind == Kind::flag && (text == "true" || text == "false")) return text == "true";
  const bool may_be_number =
      kind == Kind::whole || kind == Kind::number || kind == Kind::length || kind == Kind::number_or_word;
  if (!may_be_number) return strip_quotes(text);
  const std::string digits = without_underscores(text.starts_with('+') ? text.substr(1) : text);
  const char* const end = digits.data() + digits.size();
  std::int64_t whole = 0;
  if (const auto [stop, error] = std::from_chars(digits.data(), end, whole); error == std::errc{} && stop == end)
    return whole;
  double real = 0.0;
  if (const auto [stop, error] = std::from_chars(digits.data(), end, real); error == std::errc{} && stop == end)
    return real;
  return strip_quotes(text);
}

std::string value_text(const Key& key, const Value& value) {
  const auto* const text = std::get_if<std::string>(&value);
  const bool steps = text != nullptr && key.accepts.kind == Kind::length && text->find('N') == std::string::npos;
  return text != nullptr && !steps ? quoted(*text) : plain_text(key, value);
}

std::string plain_text(const Key& /*key*/, const Value& value) {
  // A text in quotes of its own gets another pair, because value_from_text takes one away.
  const auto in_quotes = [](const std::string& text) { return strip_quotes(text) == text ? text : '"' + text + '"'; };
  return std::visit(Overload{[](bool flag) { return std::string(flag ? "true" : "false"); },
                             [](double number) { return float_text(number); }, in_quotes,
                             [](std::int64_t whole) { return fmt::format("{}", whole); }},
                    value);
}

std::string accepted(const Key& key) {
  switch (key.accepts.kind) {
    case Kind::whole:
      return fmt::format("a whole number {}", range_text(key.accepts));
    case Kind::number:
      return fmt::format("a number {}", range_text(key.accepts));
    case Kind::flag:
      return "true or false";
    case Kind::word:
      return fmt::format("one of {}", fmt::join(names_of(key.accepts.choices), ", "));
    case Kind::text:
      return "a text";
    case Kind::file:
      return "the path of a file";
    case Kind::length:
      return "a whole number of steps, or a multiple of the size such as \"N\", \"8N\", \"3N/4\"";
    case Kind::number_or_word:
      // No words: an owner that shares the key with others that have some; all owners of a key have the same kind.
      if (key.accepts.choices.empty()) return fmt::format("a number {}", range_text(key.accepts));
      return fmt::format("a number {}, or \"{}\"", range_text(key.accepts),
                         fmt::join(names_of(key.accepts.choices), "\", \""));
  }
  return {};
}

std::string joined(const std::vector<std::string_view>& words) {
  if (words.size() < 2) return words.empty() ? "" : std::string(words[0]);
  const std::vector<std::string_view> head(words.begin(), words.end() - 1);
  return fmt::format("{} or {}", fmt::join(head, ", "), words.back());
}

}  // namespace politex::inline settings
