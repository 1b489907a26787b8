#include "politex/heuristics/heuristic.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "politex/base/error.hpp"
#include "politex/heuristics/network_rules.hpp"
#include "politex/heuristics/number_rules.hpp"

namespace politex::inline heuristics {

std::span<const HeuristicEntry* const> all_heuristics() {
  // clang-format off
  static const std::array all = {
      &c_mu_entry(),
      &longest_queue_entry(),
      &last_buffer_first_entry(),
      &max_weight_entry(),
      &max_pressure_entry(),
      &threshold_entry(),
      &base_stock_entry(),
      &reorder_point_entry(),
  };
  // clang-format on
  return all;
}

void HeuristicRequest::refuse(std::string_view name, const std::string& why) const {
  throw ConfigError{origin, fmt::format("\"{}\" does not fit {}: {}", name, model.name, why)};
}

namespace {

const HeuristicEntry* heuristic_entry(std::string_view name) {
  const auto found = std::ranges::find(all_heuristics(), name, [](const HeuristicEntry* each) { return each->name; });
  return found == all_heuristics().end() ? nullptr : *found;
}

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t comma = text.find(',');
    parts.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

std::string form_of(const HeuristicEntry& entry) {
  std::vector<std::string> numbers;
  for (const Key& each : entry.keys) {
    std::string word(each.word());
    std::ranges::transform(word, word.begin(), [](unsigned char letter) { return std::toupper(letter); });
    numbers.push_back(std::move(word));
  }
  return numbers.empty() ? std::string(entry.name) : fmt::format("{}:{}", entry.name, fmt::join(numbers, ","));
}

}  // namespace

std::vector<Action> make_heuristic(std::string_view name, const Values& values, const FiniteModel& model) {
  const HeuristicEntry* entry = heuristic_entry(name);
  const std::string origin = "explorer.policy";
  if (entry == nullptr)
    throw ConfigError{origin, fmt::format("\"{}\" is not a heuristic; accepted: {}", name, heuristic_forms())};
  return entry->actions({.model = model, .options = read<HeuristicOptions>(entry->keys, values), .origin = origin});
}

std::optional<std::vector<Action>> named_heuristic(std::string_view text, const FiniteModel& model,
                                                   const std::string& origin) {
  const std::size_t colon = text.find(':');
  const HeuristicEntry* entry = heuristic_entry(text.substr(0, colon));
  if (entry == nullptr) return std::nullopt;
  const auto numbers =
      colon == std::string_view::npos ? std::vector<std::string_view>{} : split_at_commas(text.substr(colon + 1));
  if (numbers.size() != entry->keys.size())
    throw ConfigError{origin,
                      fmt::format("\"{}\" has {} numbers; accepted: {}", text, numbers.size(), form_of(*entry))};
  Values values;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    try {
      values.set(entry->keys[k], checked(entry->keys[k], value_from_text(entry->keys[k], numbers[k])));
    } catch (const ConfigError&) {
      throw ConfigError{origin, fmt::format("\"{}\": \"{}\" is not accepted for {}; accepted: {}", text, numbers[k],
                                            entry->keys[k].word(), accepted(entry->keys[k]))};
    }
  }
  return entry->actions({.model = model, .options = read<HeuristicOptions>(entry->keys, values), .origin = origin});
}

std::string heuristic_forms() {
  std::vector<std::string> forms;
  for (const HeuristicEntry* each : all_heuristics()) forms.push_back(form_of(*each));
  return fmt::format("{}", fmt::join(forms, ", "));
}

}  // namespace politex::inline heuristics
