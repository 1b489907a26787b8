#include "politex/run/config.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "politex/algorithm/schedule.hpp"
#include "politex/base/error.hpp"
#include "politex/run/catalogue.hpp"

namespace politex::inline run {
namespace {

const Key& required(const Config& config, std::string_view name) {
  if (const Key* found = config.find(name)) return *found;
  // Of an entry that is not chosen: its default.
  if (const KnownKey* known = find_key(name)) return known->key();
  throw Error(fmt::format("the program asks for a key \"{}\" that does not exist", name));
}

}  // namespace

const Key* Config::find(std::string_view name) const {
  const auto all = keys();
  const auto found = std::ranges::find(all, name, &Key::name);
  return found == all.end() ? nullptr : *found;
}

Value Config::value(const Key& key) const {
  if (key.name == "steps") return steps;
  if (key.name == "seed") return static_cast<std::int64_t>(seed);
  // The name of the learner decides on presets, so it has none itself.
  if (values.has(key) || key.name == "algorithm.name") return values.of(key);
  const auto& presets = learner_of(*this).presets;
  const auto preset = std::ranges::find(presets, key.name, &Preset::key);
  return preset == presets.end() ? values.of(key) : Value(std::string(preset->value));
}

std::string Config::text(std::string_view name) const {
  const Key& found = required(*this, name);
  return plain_text(found, value(found));
}
std::int64_t Config::whole(std::string_view name) const { return std::get<std::int64_t>(value(required(*this, name))); }
double Config::number(std::string_view name) const { return std::get<double>(value(required(*this, name))); }
bool Config::flag(std::string_view name) const { return std::get<bool>(value(required(*this, name))); }
Length Config::length(std::string_view name) const { return Length::parse(name, text(name)); }

Config& Config::set(std::string_view name, const Value& given) {
  const Key* found = find(name);
  store(found != nullptr ? *found : resolve_key(name).key(), given, {});
  return *this;
}

void Config::store(const Key& key, const Value& given, std::string_view where) {
  Value good = checked(key, given, where);
  if (key.name == "steps")
    steps = std::get<std::int64_t>(good);
  else if (key.name == "seed")
    seed = static_cast<std::uint64_t>(std::get<std::int64_t>(good));
  else
    values.set(key, std::move(good));
}

bool applies(const Key& key, const Config& config) {
  const Key* active = config.find(key.name);
  if (active == nullptr) return false;
  return std::ranges::all_of(active->when, [&](const When& when) {
    const Key* other = config.find(when.key);
    return other != nullptr && applies(*other, config) &&
           std::ranges::find(when.values, plain_text(*other, config.value(*other))) != when.values.end();
  });
}

Config default_config(std::string_view environment) {
  return Config().set("environment.name", std::string(environment));
}

Keys general_keys() {
  return schedule_kind_keys() +
         Keys{key<&GeneralOptions::path>("algorithm.path", "which loop steps the environment",
                                         word({{"auto", "compiled where the environment is finite"},
                                               {"compiled", "flat tables; finite environments only"},
                                               {"generic", "the environment's own rules"}}))};
}

Keys exact_keys() {
  return {key<&ExactOptions::every>("exact.every",
                                    "phases between exact evaluations: regret terms and their parts, errors "
                                    "of Q, bounds; 0: regret terms at the end only",
                                    whole(0, 1'000'000'000))};
}

}  // namespace politex::inline run
