// The values that were given for keys, and how an owner reads its options from them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "politex/settings/key.hpp"

namespace politex::inline settings {

/// Full key -> value, checked. A key that is missing has its default.
class Values {
 public:
  void set(const Key& key, Value value) { given_.insert_or_assign(std::string(key.name), std::move(value)); }
  void reset(std::string_view key);
  /// nullptr where it was not given.
  const Value* find(std::string_view key) const;
  const Value& of(const Key& key) const;
  bool has(const Key& key) const { return find(key.name) != nullptr; }

 private:
  std::map<std::string, Value, std::less<>> given_;
};

/// The options struct of an owner: every key of `keys` that sets one of its members is read.
template <class Options>
Options read(const Keys& keys, const Values& values) {
  Options options{};
  for (const Key& each : keys)
    if (each.owner == options_id<Options>()) each.store(each, &options, values.of(each));
  return options;
}

}  // namespace politex::inline settings
