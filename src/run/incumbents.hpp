// What runs today, as parts of a run: the guard and the prior of a configuration, and how often the guard was on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/env/block.hpp"
#include "politex/guard/finite_guard.hpp"
#include "politex/policy/explorer.hpp"
#include "politex/run/config.hpp"
#include "politex/value/phase.hpp"

namespace politex::inline run {

/// The guard of a configuration on the tables of its environment; std::nullopt where it has none. Throws ConfigError.
std::optional<FiniteGuard> make_finite_guard(const Config& config, const FiniteModel& model);
/// The block itself, or guarded. Throws ConfigError.
std::unique_ptr<EnvironmentBlock> with_guard(const Config& config, std::unique_ptr<EnvironmentBlock> block);
/// A policy of the environment as one of the guarded tables.
std::shared_ptr<const Explorer> with_guard(const FiniteGuard& guard, std::shared_ptr<const Explorer> policy,
                                           const FiniteModel& model);
/// algorithm.incumbent as a policy; null where there is none. Throws ConfigError: it takes a masked action. `model` is
/// null where the environment is not finite.
std::shared_ptr<const Explorer> make_prior(const Config& config, const Space& space, const FiniteModel* model);

/// The steps in which a guard took over.
class GuardCount {
 public:
  /// On the tables of a finite environment: by state, whether the guard is on.
  GuardCount(std::vector<std::uint8_t> guarded, int actions)
      : guarded_(std::move(guarded)), actions_(static_cast<std::size_t>(actions)) {}
  /// The block counts itself.
  explicit GuardCount(const EnvironmentBlock& block) : block_(&block) {}

  /// `continued`: the phase is the last one again, as far as it is played now.
  void add(const Phase& phase, bool continued);
  std::int64_t steps() const { return block_ != nullptr ? block_->guarded_steps() : steps_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  std::vector<std::uint8_t> guarded_;
  std::size_t actions_ = 1;
  const EnvironmentBlock* block_ = nullptr;
  std::int64_t steps_ = 0, before_ = 0;  // before the newest phase
};

}  // namespace politex::inline run
