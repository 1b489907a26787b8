#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "politex/evaluate/comparison.hpp"

namespace politex::inline evaluate {
namespace {

using Json = nlohmann::ordered_json;

Json bounds(const Interval& interval) {
  if (!std::isfinite(interval.low)) return nullptr;
  return {interval.low, interval.high};
}

std::string line(std::string_view name, const std::string& value) { return fmt::format("{:<22} {}\n", name, value); }

std::string with_interval(const Interval& interval) {
  if (!std::isfinite(interval.low)) return fmt::format("{:.6g}, no interval", interval.mean);
  return fmt::format("{:.6g}  [{:.6g}, {:.6g}]", interval.mean, interval.low, interval.high);
}

std::string average_line(std::string_view name, const AverageCost& average) {
  return line(name, fmt::format("{}  {}{}", with_interval(average.interval), average.method,
                                average.steps > 0 ? fmt::format(", {} steps", average.steps) : ""));
}

}  // namespace

std::string comparison_json(const Comparison& comparison, const std::string& facts) {
  Json out = Json::parse("{" + facts + "}");
  out["average_cost"] = comparison.policy.interval.mean;
  out["interval"] = bounds(comparison.policy.interval);
  out["steps"] = comparison.policy.steps;
  out["method"] = comparison.policy.method;
  Json notes = Json::array();
  if (!comparison.policy.refusal.empty()) notes.push_back(comparison.policy.refusal);
  if (comparison.reference) {
    out["against_average_cost"] = comparison.reference->interval.mean;
    out["against_interval"] = bounds(comparison.reference->interval);
    if (!comparison.reference->refusal.empty()) notes.push_back("against: " + comparison.reference->refusal);
  }
  if (comparison.difference) {
    out["difference"] = comparison.difference->interval.mean;
    out["difference_interval"] = bounds(comparison.difference->interval);
    out["verdict"] = verdict_name(comparison.difference->verdict);
    if (!comparison.difference->refusal.empty()) notes.push_back("difference: " + comparison.difference->refusal);
  }
  out["notes"] = notes;
  return out.dump() + "\n";
}

std::string comparison_text(const Comparison& comparison, const std::string& policy, const std::string& reference) {
  std::string text = average_line("average cost", comparison.policy);
  if (!comparison.policy.refusal.empty()) text += line("note", comparison.policy.refusal);
  if (comparison.reference) text += average_line("    of the other one", *comparison.reference);
  if (!comparison.difference) return text;
  const Difference& difference = *comparison.difference;
  text += line("difference", with_interval(difference.interval));
  if (!difference.refusal.empty()) text += line("note", difference.refusal);
  const std::string sentence =
      difference.verdict == Verdict::better  ? fmt::format("better: {} costs less than {}", policy, reference)
      : difference.verdict == Verdict::worse ? fmt::format("worse: {} costs more than {}", policy, reference)
                                             : std::string("not yet: the interval contains 0");
  return text + line("verdict", sentence);
}

}  // namespace politex::inline evaluate
