#include "politex/run/own_environments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/run/catalogue.hpp"

namespace politex::inline run {
namespace {

/// What is brought and whether the catalogue was read: written at most once, before any other thread reads it.
struct Brought {
  std::vector<const EnvironmentEntry*> entries;
  bool read = false;
};
Brought& brought() {
  static Brought all;
  return all;
}

bool is_name(std::string_view name) {
  return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

void check_brought(const EnvironmentEntry& entry, std::span<const EnvironmentEntry* const> before) {
  const std::string key = fmt::format("environment \"{}\"", entry.name);
  if (!is_name(entry.name)) throw ConfigError(key, "accepted: a name of small letters, digits and _");
  if (std::ranges::any_of(before, [&](const auto* other) { return other->name == entry.name; }))
    throw ConfigError(key, "there is one of this name already; give yours another name");
  if (entry.help.empty()) throw ConfigError(key, "has no help text");
  if ((entry.model == nullptr) == (entry.block == nullptr))
    throw ConfigError(key, "accepted: either `model` (a finite environment) or `block`");
  if (entry.space == nullptr && !entry.external) throw ConfigError(key, "`space` is missing");
  for (const Keys* keys : {&entry.keys, &entry.keys_with_networks})
    for (const Key& each : *keys)
      if (each.table() != "environment")
        throw ConfigError(key, fmt::format("has the key \"{}\"; accepted: keys \"environment...\"", each.name));
}

}  // namespace

void check_own_environments(std::span<const EnvironmentEntry* const> entries) {
  std::vector<const EnvironmentEntry*> all(shipped_environments().begin(), shipped_environments().end());
  for (const EnvironmentEntry* entry : entries) {
    check_brought(*entry, all);
    all.push_back(entry);
  }
}

void bring_environments(std::span<const EnvironmentEntry* const> entries) {
  if (brought().read) throw Error("environments were brought after the catalogue was read; call main_with() first");
  check_own_environments(entries);
  brought().entries.assign(entries.begin(), entries.end());
}

std::span<const EnvironmentEntry* const> environments() {
  static const std::vector<const EnvironmentEntry*> all = [] {
    std::vector<const EnvironmentEntry*> entries(shipped_environments().begin(), shipped_environments().end());
    entries.insert(entries.end(), brought().entries.begin(), brought().entries.end());
    brought().read = true;
    return entries;
  }();
  return all;
}

}  // namespace politex::inline run
