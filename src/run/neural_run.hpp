// Runs of the neural learners, from a configuration.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "politex/neural/neural_politex.hpp"
#include "politex/run/run.hpp"

namespace politex::inline run {

class NeuralRun final : public Run {
 public:
  /// Throws ConfigError before anything is computed. `explorer`: nullptr: the one that the configuration names.
  /// `environment`: its name in the summary and in policy files; empty: environment.name.
  NeuralRun(const Config& config, const neural::BlockMaker& maker, Fleet* fleet = nullptr,
            std::shared_ptr<const Explorer> explorer = nullptr, std::string environment = {});

  bool done() const override { return agent_.done(); }
  void advance() override;
  std::int64_t steps_done() const override { return agent_.steps_done(); }
  double average_cost() const override;
  std::vector<std::string> columns() const override;
  void row(std::vector<double>& into) const override;
  bool row_due() const override { return agent_.phase_ended() || agent_.done(); }
  void write_files(const std::filesystem::path& directory) const override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;
  void extend(std::int64_t steps) override;
  Summary summary() override;

  const neural::NeuralPolitex& agent() const noexcept { return agent_; }
  neural::NeuralPolitex& agent() noexcept { return agent_; }
  /// The newest network as an exploration policy: a file for explorer.file.
  std::string policy_file() const override;
  /// Every episode that ended so far: step,by,reward.
  std::string episodes_csv() const;
  /// One episode of the present policy, in an environment and with draws of its own: step,action,reward and the
  /// observations.
  std::string sample_episode_csv() const;

 private:
  Config config_;
  std::string environment_;
  neural::BlockMaker maker_;
  neural::NeuralPolitex agent_;
  std::vector<double> row_;
  std::size_t episodes_recorded_ = 0;
  double cost_recorded_ = 0.0;
  std::int64_t steps_recorded_ = 0;
};

std::unique_ptr<Run> make_neural_run(const Config& config, const RunOptions& options, RunParts parts);

/// The part of a rank that acts in a neural run that rank 0 learns in. Throws ConfigError as NeuralRun does.
std::unique_ptr<neural::ActingRank> make_acting_rank(const Config& config, Fleet& fleet);

/// The environments that a neural run acts in.
neural::BlockMaker block_maker(const Config& config, const Fleet* fleet = nullptr);
/// How many of them are stepped as one: those of another process share a message.
int environments_together(const Config& config);

}  // namespace politex::inline run
