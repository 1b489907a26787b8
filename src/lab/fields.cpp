#include "politex/lab/fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/lab/nearest.hpp"

namespace politex::lab {
namespace {

template <class... Ts>
struct Overload : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overload(Ts...) -> Overload<Ts...>;

// Values in messages are cut: a megabyte of text is no help.
std::string shown(const Value& value) {
  return std::visit(Overload{[](bool flag) { return std::string(flag ? "true" : "false"); },
                             [](const std::string& text) {
                               return fmt::format("\"{}{}\"", text.substr(0, 60), text.size() > 60 ? "..." : "");
                             },
                             [](auto number) { return fmt::format("{}", number); }},
                    value);
}

// A config slot is read through the same accessor as it is written; nothing is changed.
Slot slot_of(const Field& field, const Config& config) { return field.slot(const_cast<Config&>(config)); }

std::string float_text(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string limit_text(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e16) return fmt::format("{}", static_cast<std::int64_t>(value));
  return fmt::format("{}", value);
}

[[noreturn]] void refuse(const Field& field, const Value& value, std::string_view where, std::string_view why = {}) {
  throw ConfigError{std::string(field.key), fmt::format("{} is not accepted{}{}; accepted: {}", shown(value),
                                                        where.empty() ? "" : fmt::format(" ({})", where),
                                                        why.empty() ? "" : fmt::format(", {}", why), accepted(field))};
}

bool in_range(const Field& field, double value) {
  return std::isfinite(value) && value >= field.minimum && value <= field.maximum &&
         !(field.above_minimum && value == field.minimum);
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

double checked_number(const Field& field, const Value& value, std::string_view where) {
  const auto number = as_number(value);
  if (!number) refuse(field, value, where, "it is no number");
  if (!in_range(field, *number)) refuse(field, value, where);
  return *number + 0.0;  // -0 would print differently and mean the same
}

std::int64_t checked_whole(const Field& field, const Value& value, std::string_view where) {
  const auto whole = as_whole(value);
  if (!whole) refuse(field, value, where, "it is no whole number");
  if (!in_range(field, static_cast<double>(*whole))) refuse(field, value, where);
  return *whole;
}

std::string checked_word(const Field& field, const Value& value, std::string_view where) {
  const auto* word = std::get_if<std::string>(&value);
  if (word == nullptr) refuse(field, value, where, "it is no name");
  std::vector<std::string_view> names;
  for (const Choice& choice : field.choices) names.push_back(choice.name);
  if (std::ranges::find(names, *word) == names.end())
    refuse(field, value, where, fmt::format("nearest: \"{}\"", nearest(*word, names)));
  return *word;
}

std::string checked_text(const Field& field, const Value& value, std::string_view where) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) refuse(field, value, where, "it is no text");
  if (text->find('\0') != std::string::npos || text->size() > 4096) refuse(field, value, where);
  return *text;
}

std::string checked_step_size(const Field& field, const Value& value, std::string_view where) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (*text != "theory") refuse(field, value, where);
    return *text;
  }
  return float_text(checked_number(field, value, where));
}

Length checked_length(const Field& field, const Value& value, std::string_view where) {
  if (const auto whole = as_whole(value)) return Length::parse(field.key, fmt::format("{}", *whole));
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) refuse(field, value, where);
  return Length::parse(field.key, *text);
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

std::string quoted_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string joined(const std::vector<std::string_view>& words) {
  if (words.size() < 2) return words.empty() ? "" : std::string(words[0]);
  const std::vector<std::string_view> head(words.begin(), words.end() - 1);
  return fmt::format("{} or {}", fmt::join(head, ", "), words.back());
}

}  // namespace

std::string_view Field::table() const noexcept {
  const auto dot = key.find('.');
  return dot == std::string_view::npos ? std::string_view{} : key.substr(0, dot);
}

std::string_view Field::name() const noexcept {
  const auto dot = key.find('.');
  return dot == std::string_view::npos ? key : key.substr(dot + 1);
}

const Field* find_field(std::string_view key) {
  const auto all = fields();
  const auto found = std::ranges::find(all, key, &Field::key);
  return found == all.end() ? nullptr : &*found;
}

const Field& resolve_key(std::string_view key, std::string_view table) {
  if (!table.empty())
    if (const Field* field = find_field(fmt::format("{}.{}", table, key))) return *field;
  if (const Field* field = find_field(key)) return *field;
  for (const std::string_view main : {"name", "kind"})
    if (const Field* field = find_field(fmt::format("{}.{}", key, main))) return *field;

  std::vector<std::string_view> candidates;
  std::vector<std::string_view> known;
  for (const Field& field : fields()) {
    if (field.name() == key) candidates.push_back(field.key);
    known.push_back(field.key);
  }
  if (candidates.size() == 1) return *find_field(candidates.front());
  if (candidates.size() > 1)
    throw ConfigError{std::string(key), fmt::format("could mean {}; write the full key", joined(candidates))};

  // A short misspelling (etta) is compared with short names, a dotted one with full keys.
  if (key.find('.') == std::string_view::npos)
    for (const Field& field : fields())
      for (const std::string_view word : {field.table(), field.name()})
        if (!word.empty()) known.push_back(word);
  std::string guess = nearest(key, known);
  if (const auto first = std::ranges::find(fields(), guess, &Field::table); first != fields().end()) guess = first->key;
  if (find_field(guess) == nullptr)
    for (const Field& field : fields())
      if (field.name() == guess && (table.empty() || field.table() == table)) {
        guess = field.key;
        break;
      }
  throw ConfigError{std::string(key.substr(0, 80)),
                    fmt::format("is no known key; the nearest is {} (`politex list` shows all)", guess)};
}

void assign(Config& config, const Field& field, const Value& value, std::string_view where) {
  const Slot slot = field.slot(config);
  switch (field.kind) {
    case Kind::whole: {
      const std::int64_t whole = checked_whole(field, value, where);
      if (auto* const* target = std::get_if<std::uint64_t*>(&slot))
        **target = static_cast<std::uint64_t>(whole);
      else
        *std::get<std::int64_t*>(slot) = whole;
      return;
    }
    case Kind::number:
      *std::get<double*>(slot) = checked_number(field, value, where);
      return;
    case Kind::flag:
      if (!std::holds_alternative<bool>(value)) refuse(field, value, where);
      *std::get<bool*>(slot) = std::get<bool>(value);
      return;
    case Kind::word:
      *std::get<std::string*>(slot) = checked_word(field, value, where);
      return;
    case Kind::text:
    case Kind::file:
      *std::get<std::string*>(slot) = checked_text(field, value, where);
      return;
    case Kind::length:
      *std::get<Length*>(slot) = checked_length(field, value, where);
      return;
    case Kind::step_size:
      *std::get<std::string*>(slot) = checked_step_size(field, value, where);
      return;
  }
}

Value value_from_text(const Field& field, std::string_view text) {
  if (field.kind == Kind::flag && (text == "true" || text == "false")) return text == "true";
  const bool may_be_number = field.kind == Kind::whole || field.kind == Kind::number || field.kind == Kind::length ||
                             field.kind == Kind::step_size;
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

std::string value_text(const Field& field, const Config& config) {
  std::string text = plain_text(field, config);
  switch (field.kind) {
    case Kind::word:
    case Kind::text:
    case Kind::file:
      return quoted_text(text);
    case Kind::length:
      return std::get<Length*>(slot_of(field, config))->numerator == 0 ? text : quoted_text(text);
    case Kind::step_size:
      return text == "theory" ? quoted_text(text) : text;
    default:
      return text;
  }
}

std::string plain_text(const Field& field, const Config& config) {
  return std::visit(
      Overload{[](const bool* flag) { return std::string(*flag ? "true" : "false"); },
               [](const double* number) { return float_text(*number); }, [](const std::string* text) { return *text; },
               [](const Length* length) { return length->text(); },
               [](const auto* whole) { return fmt::format("{}", *whole); }},
      slot_of(field, config));
}

std::string accepted(const Field& field) {
  const bool bounded = field.maximum < 1e300;
  const auto range = [&] {
    const std::string low = limit_text(field.minimum);
    if (field.above_minimum)
      return bounded ? fmt::format("above {} and at most {}", low, limit_text(field.maximum))
                     : fmt::format("above {}", low);
    return bounded ? fmt::format("from {} to {}", low, limit_text(field.maximum)) : fmt::format("of at least {}", low);
  };
  switch (field.kind) {
    case Kind::whole:
      return fmt::format("a whole number {}", range());
    case Kind::number:
      return fmt::format("a number {}", range());
    case Kind::flag:
      return "true or false";
    case Kind::word: {
      std::vector<std::string_view> names;
      for (const Choice& choice : field.choices) names.push_back(choice.name);
      return fmt::format("one of {}", fmt::join(names, ", "));
    }
    case Kind::text:
      return "a text";
    case Kind::file:
      return "the path of a file";
    case Kind::length:
      return "a whole number of steps, or a multiple of the size such as \"N\", \"8N\", \"3N/4\"";
    case Kind::step_size:
      return fmt::format("a number {}, or \"theory\"", range());
  }
  return {};
}

bool applies(const Field& field, const Config& config) {
  return std::ranges::all_of(field.applies, [&](const When& when) {
    const Field& other = *find_field(when.key);
    return std::ranges::find(when.values, plain_text(other, config)) != when.values.end() && applies(other, config);
  });
}

std::string where_it_applies(const Field& field) {
  std::vector<std::string> parts;
  for (const When& when : field.applies) parts.push_back(fmt::format("{} = {}", when.key, joined(when.values)));
  return fmt::format("{}", fmt::join(parts, " and "));
}

Config default_config(std::string_view environment) {
  Config config;
  assign(config, *find_field("environment.name"), std::string(environment));
  if (environment == "river_swim") config.environment.size = 6;
  return config;
}

}  // namespace politex::lab
