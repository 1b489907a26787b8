// A key of the configuration: its name, what it accepts, what it means, and the member of an options struct that it
// sets. Every environment, learner, explorer and feature map lists its own keys next to its code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "politex/base/length.hpp"

namespace politex::inline settings {

/// A value as a file, the command line or Python gives it. A length such as "3N/4" is a text.
using Value = std::variant<bool, std::int64_t, double, std::string>;

enum class Kind { whole, number, flag, word, text, file, length, number_or_word };

/// A name that a key accepts, and what it means.
struct Choice {
  std::string_view name;
  std::string_view help;
};

/// The names and help texts of entries, or of pointers to them.
template <class Entries>
std::vector<Choice> choices_of(const Entries& entries) {
  std::vector<Choice> choices;
  for (const auto& entry : entries) {
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(entry)>>)
      choices.push_back({entry->name, entry->help});
    else
      choices.push_back({entry.name, entry.help});
  }
  return choices;
}

/// The values that a key accepts.
struct Accepts {
  Kind kind = Kind::text;
  double minimum = 0.0;           // whole, number
  double maximum = 0.0;           // whole, number
  bool above_minimum = false;     // the minimum itself is refused
  std::vector<Choice> choices{};  // word, number_or_word
};

/// Every whole number up to this one is exact in TOML, JSON and a double.
inline constexpr double largest_whole = 9'007'199'254'740'991.0;

Accepts whole(double minimum, double maximum);
Accepts number(double minimum, double maximum);
Accepts number_above(double minimum, double maximum);
Accepts number_above(double minimum);
Accepts number_of_at_least(double minimum);
Accepts any_number();
Accepts flag();
Accepts text();
Accepts file();
/// A number of steps, or a multiple of the environment's size.
Accepts length();
/// The choices are in the order of the enum that the key sets.
Accepts word(std::vector<Choice> choices);
/// Any number, or one of the words.
Accepts any_number_or(std::vector<Choice> words);
/// A number above `minimum`, or one of the words.
Accepts number_above_or(double minimum, std::vector<Choice> words);

/// The key applies only where the other key has one of these values.
struct When {
  std::string_view key;
  std::vector<std::string_view> values;
};

struct Key {
  std::string_view name;  // dotted: "environment.size"
  std::string_view help;
  Accepts accepts;
  Value fallback;               // the default
  const void* owner = nullptr;  // options_id of the struct that it sets a member of
  void (*store)(const Key& key, void* options, const Value& value) = nullptr;
  std::vector<When> when{};  // all must hold; empty: everywhere its owner is chosen
  bool part_of_run = true;   // false: changes no result, a resumed run may differ in it

  std::string_view table() const noexcept;  // "environment", or "" for the keys at the top
  std::string_view word() const noexcept;   // "size"

  Key only_where(When condition) && {
    when.push_back(std::move(condition));
    return std::move(*this);
  }
  /// The key changes no result.
  Key not_part_of_run() && {
    part_of_run = false;
    return std::move(*this);
  }
};

using Keys = std::vector<Key>;

/// All keys of several lists, in order.
Keys operator+(Keys left, const Keys& right);

namespace detail {

template <class Options>
inline constexpr char options_tag = 0;

// What a member pointer, or a function from options to a member, gives access to.
template <class T>
struct Access;
template <class Owner, class Member>
struct Access<Member Owner::*> {
  using Options = Owner;
};
template <class Function>
  requires requires { &Function::operator(); }
struct Access<Function> : Access<decltype(&Function::operator())> {};
template <class Function, class Member, class Owner>
struct Access<Member& (Function::*)(Owner&) const> {
  using Options = Owner;
};

template <auto access, class Options>
auto& member_of(Options& options) {
  if constexpr (std::is_member_object_pointer_v<decltype(access)>)
    return options.*access;
  else
    return access(options);
}

/// The position of a word among the choices of its key.
std::size_t choice_index(const Key& key, const Value& value);

template <class Member>
Value to_value(const Member& member, const Accepts& accepts) {
  if constexpr (std::is_same_v<Member, Length>)
    return member.text();
  else if constexpr (std::is_enum_v<Member>)
    return std::string(accepts.choices.at(static_cast<std::size_t>(member)).name);
  else if constexpr (std::is_same_v<Member, bool> || std::is_same_v<Member, double> ||
                     std::is_same_v<Member, std::string> || std::is_same_v<Member, Value>)
    return member;
  else
    return static_cast<std::int64_t>(member);
}

}  // namespace detail

/// Names the type of an options struct.
template <class Options>
const void* options_id() {
  return &detail::options_tag<Options>;
}

/// A key that sets the member of `Options` that `access` gives: a pointer to a member, or a function from Options& to
/// a member. The default is that of a default-made `Options`. An enum takes its choices in its order: write them with
/// `word`.
template <auto access>
Key key(std::string_view name, std::string_view help, Accepts accepts) {
  using Options = typename detail::Access<std::remove_const_t<decltype(access)>>::Options;
  using Member = std::remove_cvref_t<decltype(detail::member_of<access>(std::declval<Options&>()))>;
  Options made{};
  Value fallback = detail::to_value(detail::member_of<access>(made), accepts);
  const auto store = [](const Key& self, void* options, const Value& value) {
    Member& member = detail::member_of<access>(*static_cast<Options*>(options));
    if constexpr (std::is_same_v<Member, Length>)
      member = Length::parse(self.name, std::get<std::string>(value));
    else if constexpr (std::is_enum_v<Member>)
      member = static_cast<Member>(detail::choice_index(self, value));
    else if constexpr (std::is_same_v<Member, Value>)
      member = value;
    else if constexpr (std::is_same_v<Member, bool> || std::is_same_v<Member, double> ||
                       std::is_same_v<Member, std::string>)
      member = std::get<Member>(value);
    else
      member = static_cast<Member>(std::get<std::int64_t>(value));
  };
  return {.name = name,
          .help = help,
          .accepts = std::move(accepts),
          .fallback = std::move(fallback),
          .owner = options_id<Options>(),
          .store = store};
}

/// The value in its one form for this kind (1e6 is the whole number 1000000), or ConfigError that names key, value, and
/// what is accepted. `where` (a file with its line, "command line"; may be empty) becomes part of the message.
Value checked(const Key& key, const Value& value, std::string_view where = {});

/// The value that a text on the command line means for this key.
Value value_from_text(const Key& key, std::string_view text);

/// As TOML: quoted where it is a word or a text; numbers by shortest round trip.
std::string value_text(const Key& key, const Value& value);
/// The same without quotes: for people and for directory names.
std::string plain_text(const Key& key, const Value& value);

/// "a whole number from 2 to 1000", "one of none, all, rows", ...
std::string accepted(const Key& key);

/// "a, b or c".
std::string joined(const std::vector<std::string_view>& words);

}  // namespace politex::inline settings
