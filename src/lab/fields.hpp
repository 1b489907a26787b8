// Every configuration key, once: its type, range, meaning, and where it applies. The TOML reader, the overrides of the
// command line, `politex list`, config.toml and Python are all fed from this table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "politex/lab/config.hpp"

namespace politex::lab {

enum class Kind { whole, number, flag, word, text, file, length, step_size };

/// A name that a key accepts, and what it means.
struct Choice {
  std::string_view name;
  std::string_view help;
};

/// The key applies only where the other key has one of these values.
struct When {
  std::string_view key;
  std::vector<std::string_view> values;
};

/// A value as a file, the command line or Python gives it. The kind of the field decides whether it fits.
using Value = std::variant<bool, std::int64_t, double, std::string>;

/// Where a field's value stands inside a Config.
using Slot = std::variant<bool*, std::int64_t*, std::uint64_t*, double*, std::string*, Length*>;

struct Field {
  std::string_view key;  // dotted: "environment.size"
  Kind kind = Kind::text;
  Slot (*slot)(Config&) = nullptr;
  std::string_view help;
  double minimum = 0.0;           // whole, number
  double maximum = 0.0;           // whole, number
  bool above_minimum = false;     // the minimum itself is refused
  std::vector<Choice> choices{};  // word
  std::vector<When> applies{};    // all of them must hold; empty: everywhere
  bool part_of_run = true;        // false: changes no bit, and a resumed run may differ in it

  std::string_view table() const noexcept;  // "environment", or "" for the keys at the top
  std::string_view name() const noexcept;   // "size"
};

/// All keys, in the order in which they are listed and written.
std::span<const Field> fields();

/// The field of a full key, or nullptr.
const Field* find_field(std::string_view key);

/// The field that a full or an unambiguous short key names: "algorithm.eta", "eta"; "algorithm" means algorithm.name.
/// Inside a table (for example "environment") its keys are tried first. Throws ConfigError with the nearest known name.
const Field& resolve_key(std::string_view key, std::string_view table = {});

/// Checks type, range and choices, and stores. `where` (a file and line, may be empty) becomes part of the message.
void assign(Config& config, const Field& field, const Value& value, std::string_view where = {});

/// The value that a text on the command line means for this field.
Value value_from_text(const Field& field, std::string_view text);

/// The value as it stands in TOML: quoted where it is a word or a text; numbers by shortest round trip.
std::string value_text(const Field& field, const Config& config);
/// The same without quotes: for people and for directory names.
std::string plain_text(const Field& field, const Config& config);

/// "a whole number from 2 to 1000", "one of none, all, rows", ...
std::string accepted(const Field& field);

bool applies(const Field& field, const Config& config);
/// "environment.name = deep_sea or river_swim", or "" where it applies everywhere.
std::string where_it_applies(const Field& field);

/// A configuration of this environment: defaults that depend on it (size) are filled in.
Config default_config(std::string_view environment = "deep_sea");

}  // namespace politex::lab
