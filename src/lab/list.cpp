#include "politex/lab/list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "politex/base/error.hpp"
#include "politex/lab/fields.hpp"
#include "politex/lab/nearest.hpp"
#include "politex/lab/reproduce.hpp"

namespace politex::lab {
namespace {

namespace fs = std::filesystem;

struct Topic {
  std::string_view name;
  std::string_view key;                  // whose choices are the topic's names
  std::vector<std::string_view> tables;  // whose keys are its options
};

const std::array<Topic, 4>& topics() {
  static const std::array<Topic, 4> all = {
      Topic{"environments", "environment.name", {"environment"}},
      Topic{"algorithms",
            "algorithm.name",
            {"", "algorithm", "schedule", "network", "replay", "learner", "actors", "policy", "goal", "exact"}},
      Topic{"explorers", "explorer.name", {"explorer"}}, Topic{"features", "features.name", {"features"}}};
  return all;
}

void check_topic(std::string_view topic) {
  const auto known = list_topics();
  if (topic.empty() || std::ranges::find(known, topic) != known.end()) return;
  throw ConfigError{std::string(topic), fmt::format("is nothing that can be listed, nearest: {}; accepted: {}",
                                                    nearest(topic, known), fmt::join(known, ", "))};
}

std::string describe(const Field& field) {
  static const Config defaults = default_config();
  std::string text = fmt::format("  {:<26} {} (default {})\n", field.key, field.help, value_text(field, defaults));
  if (field.choices.empty()) text += fmt::format("  {:<26}   {}\n", "", accepted(field));
  for (const Choice& choice : field.choices)
    text += fmt::format("  {:<26}   {:<12} {}\n", "", choice.name, choice.help);
  const std::string where = where_it_applies(field);
  if (!where.empty()) text += fmt::format("  {:<26}   only where {}\n", "", where);
  return text;
}

std::string topic_text(const Topic& topic) {
  std::string text = fmt::format("{}\n", topic.name);
  for (const Choice& choice : find_field(topic.key)->choices)
    text += fmt::format("  {:<12} {}\n", choice.name, choice.help);
  text += "\n  options\n";
  for (const std::string_view table : topic.tables)
    for (const Field& field : fields())
      if (field.table() == table) text += describe(field);
  return text;
}

// The first comment line of an experiment says what it is.
std::string first_comment(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line) || !line.starts_with("# ")) return {};
  return line.substr(2);
}

std::string experiments_text(const fs::path& directory) {
  std::string text = "experiments\n";
  for (const std::string& name : list_experiments(directory))
    text += fmt::format("  {:<26} {}\n", name, first_comment(directory / name));
  text += "\n  figures (politex reproduce FIGURE)\n";
  for (const Figure& figure : figures()) text += fmt::format("  {:<26} {}\n", figure.name, figure.help);
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
    case Kind::step_size:
      return "step_size";
  }
  return "";
}

nlohmann::ordered_json field_json(const Field& field) {
  nlohmann::ordered_json choices = nlohmann::ordered_json::object();
  for (const Choice& choice : field.choices) choices[std::string(choice.name)] = choice.help;
  return {{"key", field.key},
          {"type", type_name(field.kind)},
          {"default", plain_text(field, default_config())},
          {"accepted", accepted(field)},
          {"choices", choices},
          {"help", field.help},
          {"applies", where_it_applies(field)}};
}

}  // namespace

std::span<const std::string_view> list_topics() {
  static constexpr std::array<std::string_view, 5> all = {"environments", "algorithms", "explorers", "features",
                                                          "experiments"};
  return all;
}

std::string list_text(std::string_view topic, const fs::path& experiments) {
  check_topic(topic);
  std::string text;
  for (const Topic& one : topics())
    if (topic.empty() || topic == one.name) text += topic_text(one) + (topic.empty() ? "\n" : "");
  if (topic.empty() || topic == "experiments") text += experiments_text(experiments);
  return text;
}

std::string list_json(std::string_view topic, const fs::path& experiments) {
  check_topic(topic);
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const Topic& one : topics()) {
    if (!topic.empty() && topic != one.name) continue;
    nlohmann::ordered_json names = nlohmann::ordered_json::object();
    for (const Choice& choice : find_field(one.key)->choices) names[std::string(choice.name)] = choice.help;
    out[std::string(one.name)] = names;
    for (const std::string_view table : one.tables)
      for (const Field& field : fields())
        if (field.table() == table) out["keys"].push_back(field_json(field));
  }
  if (topic.empty() || topic == "experiments") {
    out["experiments"] = list_experiments(experiments);
    for (const Figure& figure : figures()) out["figures"][std::string(figure.name)] = figure.help;
  }
  return out.dump(2);
}

std::vector<std::string> list_experiments(const fs::path& experiments) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::recursive_directory_iterator it(experiments, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".toml") names.push_back(it->path().lexically_relative(experiments).string());
  std::ranges::sort(names);
  return names;
}

}  // namespace politex::lab
