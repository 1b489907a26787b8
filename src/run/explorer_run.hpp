// An explorer that learns alone in a finite environment, every step its own (politex explore).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "politex/algorithm/learning_explorer.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/run/run.hpp"

namespace politex::inline run {

/// Its policy file has the explorer's own shares of actions in every state: followed as a fixed policy, they visit
/// about the same pairs. (The greedy policy of the end would walk to one goal and stay there.)
class ExplorerRun final : public Run {
 public:
  ExplorerRun(const Config& config, FiniteModel model, Features features, std::unique_ptr<LearningExplorer> explorer);

  bool done() const override { return steps_ == config_.steps; }
  /// Segments of the explorer, each with its probe, until a row is due.
  void advance() override;
  std::int64_t steps_done() const override { return steps_; }
  double average_cost() const override { return cost_ / static_cast<double>(steps_); }
  std::vector<std::string> columns() const override { return {"known_pairs", "untried_pairs"}; }
  void row(std::vector<double>& into) const override { into = row_; }
  std::string policy_file() const override;
  /// explorer.policy, when the run is done.
  void write_files(const std::filesystem::path& directory) const override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;
  Summary summary() override;

 private:
  void segment();
  Here here();
  void step(Action action, std::int64_t& count);

  Config config_;
  TableEnvironment environment_;
  Features features_;
  std::unique_ptr<LearningExplorer> explorer_;
  Rng explorer_rng_, probe_rng_, transitions_;
  std::int32_t state_, pair_ = 0;
  double observation_ = 0.0;
  std::int64_t steps_ = 0, explorer_steps_ = 0, probe_steps_ = 0, rows_ = 0;
  double cost_ = 0.0, cost_before_last_tenth_ = 0.0;
  std::vector<double> taken_;  // by pair
  std::vector<double> row_;
};

/// Whether `politex explore` can let the explorer of this configuration learn alone.
bool explorer_learns_alone(const Config& config);
/// Throws ConfigError where the environment is not finite, or the explorer does not learn.
std::unique_ptr<Run> make_explorer_run(const Config& config);

}  // namespace politex::inline run
