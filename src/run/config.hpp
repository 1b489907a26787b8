// The configuration of a run: the number of steps, the seed, and the values of all other keys. Which keys there are is
// decided by the chosen environment, learner, explorer and feature map, each of which lists its own
// (run/catalogue.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "politex/settings/values.hpp"

namespace politex::inline run {

struct Config {
  std::int64_t steps = 1'000'000;
  std::uint64_t seed = 1;
  Values values;
  /// The caller of make_run brings the environment (RunParts): it has no keys, and environment.name chooses none.
  bool brings_environment = false;

  /// The value of a key that applies to this configuration. A misspelt key is a programmer's error.
  std::string text(std::string_view name) const;
  std::int64_t whole(std::string_view name) const;
  double number(std::string_view name) const;
  bool flag(std::string_view name) const;
  Length length(std::string_view name) const;

  /// As if given on the command line: throws ConfigError where the key does not exist or the value is not accepted.
  Config& set(std::string_view name, const Value& given);

  /// The options of an owner, from the keys that apply.
  template <class Options>
  Options read() const {
    Options options{};
    for (const Key* each : keys())
      if (each->owner == options_id<Options>()) each->store(*each, &options, value(*each));
    return options;
  }

  /// The keys that the chosen environment, learner, explorer and feature map have, in the order of tables. Some may
  /// have no effect (applies()).
  std::vector<const Key*> keys() const;
  /// The key of that name among keys(), or nullptr.
  const Key* find(std::string_view name) const;
  Value value(const Key& key) const;
  /// Checks the value and keeps it; `where` becomes part of the message.
  void store(const Key& key, const Value& given, std::string_view where);
};

/// Whether the key has an effect: its owner is chosen, and the values that it depends on are as they must be.
bool applies(const Key& key, const Config& config);

/// A configuration of this environment with defaults.
Config default_config(std::string_view environment);

/// algorithm.path: which loop walks through the environment.
enum class Path { automatic, compiled, generic };
struct GeneralOptions {
  Path path = Path::automatic;
};
/// exact.every.
struct ExactOptions {
  std::int64_t every = 0;
};
/// Keys that every learner has: schedule.kind, algorithm.path.
Keys general_keys();
Keys exact_keys();

}  // namespace politex::inline run
