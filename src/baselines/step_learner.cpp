#include "politex/baselines/step_learner.hpp"

#include <fmt/format.h>

#include <cmath>

#include "politex/algorithm/schedule.hpp"
#include "politex/base/error.hpp"
#include "politex/features/cells.hpp"
#include "politex/features/features_entry.hpp"
#include "politex/features/tabular.hpp"

namespace politex::inline baselines {
namespace {

/// A learner that learned already when its phase ends. Its collector saves it.
class LearnerInside final : public Learner {
 public:
  explicit LearnerInside(const StepCollector& collector) : collector_(&collector) {}
  void learn(const Phase& /*phase*/) override {}
  std::span<const double> weights() const override { return collector_->weights(); }
  Rule rule() const override { return collector_->rule(); }
  void restart(double /*phases*/) override { throw Error("a learner that learns in every step is not restarted"); }
  void save(ByteWriter& /*to*/) const override {}
  void restore(ByteReader& /*from*/) override {}

 private:
  const StepCollector* collector_;
};

}  // namespace

std::unique_ptr<Learner> StepCollector::learner() const { return std::make_unique<LearnerInside>(*this); }

int table_states(const StepParts& parts, const LearnerEntry& entry) {
  if (parts.states > 0) return parts.states;
  throw ConfigError{
      "features.name",
      fmt::format("\"{}\" is not a partition of the observations of {}, and {} learns a table with one "
                  "row per state or cell; accepted: {} (listed states), {}",
                  parts.features_name, parts.environment, entry.name, tabular_entry().name, cells_entry().name)};
}

int model_states(const StepParts& parts, const LearnerEntry& entry) {
  if (!parts.listed)
    throw ConfigError{"environment.name",
                      fmt::format("the observations of {} are vectors of numbers, and {} learns a model with one row "
                                  "per state and action; accepted: environments that list their states",
                                  parts.environment, entry.name)};
  return table_states(parts, entry);
}

CostScale cost_scale(const StepParts& parts, const LearnerEntry& entry) {
  if (std::isnan(parts.lowest_cost) || std::isnan(parts.highest_cost))
    throw ConfigError{"environment.name",
                      fmt::format("the range of the costs of {} is not known before it runs, and {} scales its steps "
                                  "with it; accepted: finite environments of this program",
                                  parts.environment, entry.name)};
  const double range = parts.highest_cost - parts.lowest_cost;
  return {.lowest = parts.lowest_cost, .range = range > 0.0 ? range : 1.0};
}

Keys block_keys() { return schedule_keys(); }

std::vector<Preset> block_presets() { return {{"schedule.kind", "anytime"}, {"features.name", cells_entry().name}}; }

void check_blocks(const Values& values) {
  using Kind = ScheduleOptions::Kind;
  const Keys keys = schedule_kind_keys();
  if (!values.has(keys.front())) return;
  const Kind kind = read<ScheduleLengths>(keys, values).kind;
  if (kind != Kind::fixed && kind != Kind::anytime)
    throw ConfigError{"schedule.kind",
                      fmt::format("\"{}\" is for learners with phases, and this one learns in every step; accepted: "
                                  "anytime, fixed",
                                  plain_text(keys.front(), values.of(keys.front())))};
}

}  // namespace politex::inline baselines
