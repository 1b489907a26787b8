#include "politex/settings/values.hpp"

namespace politex::inline settings {

void Values::reset(std::string_view key) {
  if (const auto found = given_.find(key); found != given_.end()) given_.erase(found);
}

const Value* Values::find(std::string_view key) const {
  const auto found = given_.find(key);
  return found == given_.end() ? nullptr : &found->second;
}

const Value& Values::of(const Key& key) const {
  const Value* given = find(key.name);
  return given == nullptr ? key.fallback : *given;
}

}  // namespace politex::inline settings
