#include "politex/report/list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/shipped.hpp"
#include "politex/settings/nearest.hpp"

namespace politex::inline report {
namespace {

struct Topic {
  std::string_view name;
  std::string_view key;                  // whose choices are the topic's names
  std::vector<std::string_view> tables;  // whose keys are its options
};

const std::array<Topic, 5>& topics() {
  static const std::array<Topic, 5> all = {
      Topic{"environments", "environment.name", {"environment"}},
      Topic{
          "algorithms",
          "algorithm.name",
          {"", "algorithm", "schedule", "network", "replay", "learner", "actors", "policy", "goal", "exact", "guard"}},
      Topic{"explorers", "explorer.name", {"explorer"}}, Topic{"heuristics", "explorer.policy", {}},
      Topic{"features", "features.name", {"features"}}};
  return all;
}

void check_topic(std::string_view topic) {
  const auto known = list_topics();
  if (topic.empty() || std::ranges::find(known, topic) != known.end()) return;
  throw ConfigError{std::string(topic), fmt::format("unknown topic; did you mean {}? accepted: {}",
                                                    nearest(topic, known), fmt::join(known, ", "))};
}

/// Owners that agree in default, range and help are one line.
struct Variant {
  const Key* key;
  std::vector<std::string_view> names;
};

std::vector<Variant> variants_of(const KnownKey& known) {
  std::vector<Variant> all;
  for (const KeyOwner& owner : known.owners) {
    const auto same = std::ranges::find_if(all, [&](const Variant& one) {
      return one.key->help == owner.key->help && accepted(*one.key) == accepted(*owner.key) &&
             one.key->fallback == owner.key->fallback;
    });
    if (same == all.end())
      all.push_back({owner.key, {owner.name}});
    else
      same->names.push_back(owner.name);
  }
  return all;
}

std::string describe(const KnownKey& known) {
  std::string text;
  const auto variants = variants_of(known);
  for (const Variant& one : variants) {
    const Key& key = *one.key;
    text += fmt::format("  {:<26} {} (default {})\n", key.name, key.help, value_text(key, key.fallback));
    if (key.accepts.choices.empty() || key.accepts.kind != Kind::word)
      text += fmt::format("  {:<26}   {}\n", "", accepted(key));
    for (const Choice& choice : key.accepts.choices)
      text += fmt::format("  {:<26}   {:<12} {}\n", "", choice.name, choice.help);
    if (variants.size() > 1) text += fmt::format("  {:<26}   in {}\n", "", fmt::join(one.names, ", "));
  }
  const std::string where = where_it_applies(known);
  if (!where.empty()) text += fmt::format("  {:<26}   only where {}\n", "", where);
  return text;
}

std::string topic_text(const Topic& topic) {
  std::string text = fmt::format("{}\n", topic.name);
  for (const Choice& choice : find_key(topic.key)->key().accepts.choices)
    text += fmt::format("  {:<12} {}\n", choice.name, choice.help);
  if (!topic.tables.empty()) text += "\n  options\n";
  for (const std::string_view table : topic.tables)
    for (const KnownKey& known : known_keys())
      if (known.table() == table) text += describe(known);
  return text;
}

// The first comment line of an experiment says what it is.
std::string_view first_comment(std::string_view text) {
  if (!text.starts_with("# ")) return {};
  return text.substr(2, text.find('\n') - 2);
}

std::string experiments_text(std::span<const Choice> figures) {
  std::string text = "experiments (politex run NAME; no file is needed)\n";
  for (const Experiment& one : experiments()) text += fmt::format("  {:<26} {}\n", one.name, first_comment(one.text));
  text += "\n  figures (politex reproduce FIGURE)\n";
  for (const Choice& figure : figures) text += fmt::format("  {:<26} {}\n", figure.name, figure.help);
  return text;
}

std::string_view type_name(Kind kind) {
  switch (kind) {
    case Kind::whole:
      return "whole";
    case Kind::number:
      return "number";
    case Kind::flag:
      return "flag";
    case Kind::word:
      return "word";
    case Kind::text:
      return "text";
    case Kind::file:
      return "file";
    case Kind::length:
      return "length";
    case Kind::number_or_word:
      return "number_or_word";
  }
  return "";
}

nlohmann::ordered_json key_json(const KnownKey& known) {
  const Key& key = known.key();
  nlohmann::ordered_json choices = nlohmann::ordered_json::object();
  for (const Choice& choice : key.accepts.choices) choices[std::string(choice.name)] = choice.help;
  return {{"key", key.name},
          {"type", type_name(key.accepts.kind)},
          {"default", plain_text(key, key.fallback)},
          {"accepted", accepted(key)},
          {"choices", choices},
          {"help", key.help},
          {"applies", where_it_applies(known)}};
}

}  // namespace

std::span<const std::string_view> list_topics() {
  static constexpr std::array<std::string_view, 6> all = {"environments", "algorithms", "explorers",
                                                          "heuristics",   "features",   "experiments"};
  return all;
}

std::string list_text(std::string_view topic, std::span<const Choice> figures) {
  check_topic(topic);
  std::string text;
  for (const Topic& one : topics())
    if (topic.empty() || topic == one.name) text += topic_text(one) + (topic.empty() ? "\n" : "");
  if (topic.empty() || topic == "experiments") text += experiments_text(figures);
  return text;
}

std::string list_json(std::string_view topic, std::span<const Choice> figures) {
  check_topic(topic);
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const Topic& one : topics()) {
    if (!topic.empty() && topic != one.name) continue;
    nlohmann::ordered_json names = nlohmann::ordered_json::object();
    for (const Choice& choice : find_key(one.key)->key().accepts.choices) names[std::string(choice.name)] = choice.help;
    out[std::string(one.name)] = names;
    for (const std::string_view table : one.tables)
      for (const KnownKey& known : known_keys()) {
        if (known.table() != table) continue;
        if (!out.contains("keys")) out["keys"] = nlohmann::ordered_json::array();
        out["keys"].push_back(key_json(known));
      }
  }
  if (topic.empty() || topic == "experiments") {
    auto all = nlohmann::ordered_json::array(), helps = nlohmann::ordered_json::object();
    for (const Experiment& one : experiments()) all.push_back(one.name);
    for (const Choice& figure : figures) helps[std::string(figure.name)] = figure.help;
    out["experiments"] = std::move(all);
    out["figures"] = std::move(helps);
  }
  return out.dump(2);
}

}  // namespace politex::inline report
