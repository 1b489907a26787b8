// Training a goal-conditioned exploration policy (politex explore, algorithm.name = "goals").
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "politex/policy/goal_explorer.hpp"
#include "politex/policy/goal_trainer.hpp"
#include "politex/run/run.hpp"
#include "politex/value/learner_entry.hpp"

namespace politex::inline run {

/// The keys of [goal], and those shared with other learners.
struct GoalOptions {
  GoalSettings settings = [] {
    GoalSettings usual;
    usual.epsilon = 0.05;
    return usual;
  }();
  int environments = 16;
  std::int64_t measure = 16'000;  // steps for which every policy is measured at the end; 0: not measured
};

const LearnerEntry& goals_entry();

class GoalRun final : public Run {
 public:
  /// Environments first .. first+count-1 of the configuration.
  using Maker = std::function<std::unique_ptr<EnvironmentBlock>(int first, int count)>;

  /// Throws ConfigError before anything is played.
  GoalRun(const Config& config, Maker maker);

  bool done() const override { return trainer_.steps() >= config_.steps; }
  void advance() override;
  std::int64_t steps_done() const override { return trainer_.steps(); }
  double average_cost() const override;
  std::vector<std::string> columns() const override { return {"goals_reached", "places", "cells"}; }
  void row(std::vector<double>& into) const override { into = row_; }
  /// explorer.policy, when the run is done.
  void write_files(const std::filesystem::path& directory) const override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;
  /// Measures the frozen policy and random ones, in environments that were not used for training.
  Summary summary() override;

  /// What has been learned so far, frozen.
  GoalPolicy policy() const;
  /// A file for explorer.file.
  std::string policy_file() const override;

 private:
  Config config_;
  Maker maker_;
  GoalOptions options_;
  GoalTrainer trainer_;
  std::vector<double> row_;
  std::int64_t rows_ = 0;
  double cost_before_last_tenth_ = 0.0;
};

/// The run that a configuration describes; throws ConfigError before anything is played.
std::unique_ptr<Run> make_goal_run(const Config& config, const RunOptions& options, RunParts parts);

}  // namespace politex::inline run
