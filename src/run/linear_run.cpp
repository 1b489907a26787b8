#include "politex/run/linear_run.hpp"

#include <fmt/format.h>

#include "politex/algorithm/politex_learner.hpp"
#include "politex/base/output_file.hpp"
#include "politex/base/unknown.hpp"
#include "politex/policy/policy_file.hpp"

namespace politex::inline run {
namespace {

SegmentSummary segment(const CostLedger& costs, By by) {
  const CostLedger::Sum& sum = costs.sum(by);
  return {sum.steps, sum.steps > 0 ? sum.cost / static_cast<double>(sum.steps) : unknown};
}

}  // namespace

LinearRun::LinearRun(Config config, std::unique_ptr<PhaseLoop> loop, std::vector<std::string> warnings,
                     std::string path)
    : config_(std::move(config)),
      loop_(std::move(loop)),
      warnings_(std::move(warnings)),
      path_(std::move(path)),
      environment_(config_.text("environment.name")) {
  const auto options = config_.read<PolitexOptions>();
  restarts_ = config_.read<ScheduleLengths>().kind == ScheduleOptions::Kind::doubling;
  theory_ = options.eta == Value(std::string("theory"));
  q_max_ = options.q_max;
}

void LinearRun::write_files(const std::filesystem::path& directory) const {
  if (!done() || !has_policy_file()) return;
  const FiniteModel& model = watch_->model();
  const int states = written_states_ > 0 ? written_states_ : model.states;
  const auto policy = watch_->policy(loop_->learner())
                          .first(static_cast<std::size_t>(states) * static_cast<std::size_t>(model.actions));
  write_atomically(directory / final_policy_file, policy_text(policy, states, model.actions), Wait::for_nothing);
}

Summary LinearRun::summary() {
  const CostLedger& costs = loop_->costs();
  const CostLedger::Sum tenth = costs.last_tenth();
  Summary summary;
  summary.steps = loop_->steps_done();
  summary.seed = config_.seed;
  summary.environment = environment_;
  summary.algorithm = config_.text("algorithm.name");
  summary.average_cost = average_cost();
  summary.average_cost_last_tenth = tenth.cost / static_cast<double>(tenth.steps);
  summary.explorer = segment(costs, By::explorer);
  summary.probe = segment(costs, By::probe);
  summary.target = segment(costs, By::target);
  summary.phases = loop_->phases();
  summary.signature = loop_->signature().text();
  summary.path = path_;
  summary.warnings = warnings_;
  if (theory_ && q_range_ > q_max_)
    summary.warnings.push_back(
        fmt::format("the range of a Q was {:.4g}, above q_max = {:.4g}: the theorem's step size "
                    "needs a larger q_max",
                    q_range_, q_max_));
  for (const auto& warning : later_)
    if (std::string text = warning(); !text.empty()) summary.warnings.push_back(std::move(text));
  if (guard_) summary.guarded_steps = guard_->steps();
  if (loop_->learner().solved() != nullptr) summary.solver = solved_;
  if (watch_) summary.finite = watch_->summary(loop_->learner(), last_state_);
  return summary;
}

}  // namespace politex::inline run
