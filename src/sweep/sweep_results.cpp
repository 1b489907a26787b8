#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "politex/sweep/sweep.hpp"

#include "politex/base/unknown.hpp"

namespace politex::inline sweep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 18> numbers = {"steps",
                                                      "phases",
                                                      "average_cost",
                                                      "average_cost_last_tenth",
                                                      "segments.explorer.average_cost",
                                                      "segments.probe.average_cost",
                                                      "segments.target.average_cost",
                                                      "optimal_gain",
                                                      "final_policy.gain_from_start",
                                                      "final_policy.gain_from_last_state",
                                                      "regret",
                                                      "regret_to_gain",
                                                      "regret_terms.E",
                                                      "regret_terms.PR",
                                                      "regret_terms.V",
                                                      "regret_terms.W",
                                                      "regret_terms.V_explore",
                                                      "regret_terms.W_explore"};

std::string_view state_text(CellResult::State state) {
  switch (state) {
    case CellResult::State::done:
      return "done";
    case CellResult::State::failed:
      return "failed";
    case CellResult::State::stopped:
      return "missing";
  }
  return "";
}

double number_at(const Json& json, std::string_view name) {
  const Json* at = &json;
  while (!name.empty()) {
    const auto dot = std::min(name.find('.'), name.size());
    const auto found = at->is_object() ? at->find(std::string(name.substr(0, dot))) : at->end();
    if (!at->is_object() || found == at->end()) return unknown;
    at = &*found;
    name.remove_prefix(std::min(dot + 1, name.size()));
  }
  return at->is_number() ? at->get<double>() : unknown;
}

std::string text_at(const Json& json, const char* name) {
  return json.is_object() && json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : "";
}

Json parsed(const std::string& summary) { return Json::parse(summary, nullptr, false); }

// Quoted where a comma, a quote or a new line would be misread.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

}  // namespace

double summary_number(const std::string& summary, std::string_view name) { return number_at(parsed(summary), name); }

std::vector<double> summary_numbers(const std::string& summary, std::span<const std::string_view> names) {
  const Json json = parsed(summary);
  std::vector<double> values;
  for (const std::string_view name : names) values.push_back(number_at(json, name));
  return values;
}

std::string summary_word(const std::string& summary, const char* name) { return text_at(parsed(summary), name); }

std::string results_csv(const SweepPlan& plan, std::span<const CellResult> results) {
  const bool staged = std::ranges::any_of(plan.cells, [](const SweepCell& cell) { return !cell.stage.empty(); });
  std::string text = staged ? "stage," : "";
  for (const std::string& key : plan.keys) text += key + ",";
  text += "seed,state,environment,algorithm";
  const auto is_key = [&](std::string_view name) { return std::ranges::find(plan.keys, name) != plan.keys.end(); };
  for (const std::string_view name : numbers)
    if (!is_key(name)) text += fmt::format(",{}", name);
  text += ",signature\n";
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const SweepCell& cell = plan.cells[i];
    const Json json = parsed(results[i].summary);
    if (staged) text += cell.stage + ",";
    for (const std::string& key : plan.keys) text += csv_cell(cell.setting(key)) + ",";
    text += fmt::format("{},{},{},{}", cell.config.seed, state_text(results[i].state),
                        cell.config.text("environment.name"), cell.config.text("algorithm.name"));
    for (const std::string_view name : numbers) {
      if (is_key(name)) continue;
      const double value = number_at(json, name);
      text += std::isnan(value) ? "," : fmt::format(",{}", value);
    }
    text += fmt::format(",{}\n", text_at(json, "signature"));
  }
  return text;
}

std::string sweep_json(const std::string& file, const SweepPlan& plan, std::span<const CellResult> results) {
  Json out = {{"file", file}, {"arguments", plan.arguments}, {"keys", plan.keys}, {"runs", Json::array()}};
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    Json settings = Json::object();
    for (const auto& [key, value] : plan.cells[i].settings) settings[key] = value;
    Json run = {{"name", plan.cells[i].name}, {"settings", settings}, {"seed", plan.cells[i].config.seed}};
    if (!plan.cells[i].stage.empty()) run["stage"] = plan.cells[i].stage;
    const CellResult* result = i < results.size() ? &results[i] : nullptr;
    run["state"] = result != nullptr ? state_text(result->state) : "missing";
    if (result != nullptr && !result->message.empty()) run["message"] = result->message;
    if (result != nullptr && result->state == CellResult::State::done) {
      const Json summary = parsed(result->summary);
      run["average_cost"] = number_at(summary, "average_cost");
      run["signature"] = text_at(summary, "signature");
    }
    out["runs"].push_back(run);
  }
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace politex::inline sweep
