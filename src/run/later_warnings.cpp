#include "politex/run/later_warnings.hpp"

#include <fmt/format.h>

#include "politex/run/linear_run.hpp"

namespace politex::inline run {
namespace {

constexpr std::int64_t enough_phases = 5;
constexpr std::int64_t steps_for_coverage = 1000;

}  // namespace

std::function<std::string()> constant_cost_warning(const BlockCollector& collector, const std::string& name) {
  return [&collector, name]() -> std::string {
    if (!collector.constant_cost()) return {};
    std::string ends;
    if (collector.terminations() == 0)
      ends = collector.truncations() == 0 ? ", and no episode terminated"
                                          : ", and no episode terminated (the time limit ended all of them)";
    const std::string costs =
        fmt::format("every step of {} cost {:g} so far{}: with equal costs all policies have the same average", name,
                    collector.lowest_cost(), ends);
    if (collector.restart_cost().open())
      return fmt::format(
          "{}, so nothing can be learned before an episode terminates, which then costs {:g} more "
          "(restart_cost): take more steps, or give an exploration policy that reaches an end",
          costs, -collector.lowest_cost());
    return costs +
           "; to learn to avoid the end of an episode set a positive restart_cost, to learn to reach it a "
           "negative one";
  };
}

std::function<std::string()> restart_cost_warning(const BlockCollector& collector, const std::string& name) {
  return [&collector, name]() -> std::string {
    const RestartCost& found = collector.restart_cost();
    if (!found.found()) return {};
    return fmt::format(
        "every step of {} cost {:g} until an episode terminated: with equal costs all policies have the "
        "same average, so a termination now costs {:g} more (restart_cost; 0 switches this off)",
        name, -found.value(), found.value());
  };
}

std::function<std::string()> nothing_learned_warning(const LinearRun& run, std::int64_t phase) {
  return [&run, phase]() -> std::string {
    if (run.steps_done() >= phase) return {};
    return fmt::format("the first phase takes {} steps: nothing is learned before its end", phase);
  };
}

std::function<std::string()> few_phases_warning(const LinearRun& run) {
  return [&run]() -> std::string {
    const std::int64_t phases = run.loop().phases();
    if (phases >= enough_phases) return {};
    return fmt::format("{} steps are {} phases, and the policy is improved once per phase: take more steps",
                       run.steps_done(), phases);
  };
}

std::function<std::string()> features_remark(const BlockCollector& collector) {
  return [&collector] { return collector.map().remark(); };
}

std::function<std::string()> one_cell_warning(const BlockCollector& collector, const std::string& name) {
  return [&collector, name]() -> std::string {
    const Exploration* exploration = collector.exploration();
    if (exploration == nullptr || collector.map().cells() < 1 || exploration->steps() < steps_for_coverage) return {};
    if (exploration->explorer().coverage().features > collector.actions()) return {};
    return fmt::format(
        "the explorer cannot distinguish the observations of {}: all are in one cell of its grid, so it covers "
        "nothing; "
        "give narrower ranges of the observation (in Python: ranges=), or more cells (features.bins)",
        name);
  };
}

}  // namespace politex::inline run
