// EE-Politex on DeepSea for a reader who changes settings and looks inside while it learns: what the live page runs.
// The learner, its data and its bits are those of `politex run`; this room only puts them together and counts what
// the page draws.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "politex/algorithm/finite_collector.hpp"
#include "politex/algorithm/phase_loop.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/watch/regret.hpp"

namespace politex::inline live {

/// The settings of a session, in this order. Lengths are steps.
enum class Setting { size, swap, explorer, estimator, eta, rollouts, explore, follow, horizon, ridge, steps, seed };

/// What a setting accepts. Words are numbers from 0 on: swap none, all, rows; explorer none, uniform, always (action
/// 1), learned; estimator every, first, one (visits of LSMC), lspe.
struct SettingRange {
  const char* name;
  double low, high, usual;
  bool whole;
};
inline constexpr std::array<SettingRange, 12> setting_ranges = {{{"size", 2, 50, 20, true},
                                                                 {"swap", 0, 2, 0, true},
                                                                 {"explorer", 0, 3, 2, true},
                                                                 {"estimator", 0, 3, 0, true},
                                                                 {"eta", 1e-6, 100, 0.05, false},
                                                                 {"rollouts", 1, 50, 2, true},
                                                                 {"explore", 0, 400, 19, true},
                                                                 {"follow", 1, 2000, 480, true},
                                                                 {"horizon", 0, 2000, 80, true},
                                                                 {"ridge", 1e-6, 1e6, 1, false},
                                                                 {"steps", 1000, 1e9, 1e6, true},
                                                                 {"seed", 1, 9007199254740991.0, 1, true}}};
using SettingValues = std::array<double, setting_ranges.size()>;

/// The first setting that is not accepted, or -1. A session with accepted settings throws nothing.
int refused_setting(const SettingValues& values) noexcept;

class Session {
 public:
  /// `given` are accepted ones.
  explicit Session(const SettingValues& given);

  /// Plays whole phases until `steps` more steps are done, or the run is. Returns the steps that were played.
  std::int64_t advance(std::int64_t steps);

  bool done() const noexcept { return loop_->done(); }
  std::int64_t steps() const noexcept { return loop_->steps_done(); }
  std::int64_t phases() const noexcept { return loop_->phases(); }
  int states() const noexcept { return environment_->states(); }
  std::string signature() const { return loop_->signature().text(); }
  double cost(By by) const { return loop_->costs().sum(by).cost; }
  std::int64_t steps_of(By by) const { return loop_->costs().sum(by).steps; }
  const RegretLedger& regret() const noexcept { return *regret_; }
  /// The exact average cost of the newest policy that was evaluated, from the start.
  double gain() const noexcept { return regret_->evaluation().gain.empty() ? 0.0 : regret_->evaluation().gain[start_]; }
  /// Of the exploration policy; 0 where it learns.
  double explorer_gain() const noexcept { return learns_ ? 0.0 : regret_->explorer().gain[start_]; }

  /// Visits of the explorer, the probe and the target policy: three numbers per state.
  std::span<const double> visits() const noexcept { return visits_; }
  /// Probabilities of the policy of the next phase, and the sum of all Q: one number per pair.
  std::span<const double> policy();
  std::span<const double> values();
  /// The pairs of the newest phase, and who chose them (By).
  std::span<const std::int32_t> pairs() const noexcept { return pairs_; }
  std::span<const std::uint8_t> players() const noexcept { return players_; }
  const FiniteModel& model() const noexcept { return environment_->model(); }

 private:
  std::unique_ptr<TableEnvironment> environment_;
  std::unique_ptr<PhaseLoop> loop_;
  std::unique_ptr<RegretLedger> regret_;
  const FiniteCollector* collector_ = nullptr;
  std::vector<double> visits_, values_;
  std::vector<std::int32_t> pairs_;
  std::vector<std::uint8_t> players_;
  std::size_t start_ = 0;
  bool learns_ = false;
};

}  // namespace politex::inline live
