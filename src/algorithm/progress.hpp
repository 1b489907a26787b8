// What a run has done so far: its steps, phases, costs and signature.
#pragma once

#include <cstdint>
#include <span>

#include "politex/algorithm/cost_ledger.hpp"
#include "politex/base/bytes.hpp"

namespace politex::inline algorithm {

class Progress {
 public:
  explicit Progress(std::int64_t total_steps) : costs_(total_steps) {}

  /// Adds a phase; `weights` are the learner's after it. Throws Error if a cost or a weight is not finite.
  void add(const Phase& phase, std::span<const double> weights);

  std::int64_t steps() const noexcept { return steps_; }
  std::int64_t phases() const noexcept { return phases_; }
  const CostLedger& costs() const noexcept { return costs_; }
  CostLedger& costs() noexcept { return costs_; }
  const Signature& signature() const noexcept { return signature_; }

  /// A copy of everything, to return to.
  struct Mark {
    std::int64_t steps = 0, phases = 0;
    std::uint64_t signature = 0;
    CostLedger::Mark costs;
    /// Whether this progress can have come after the mark.
    bool fits(const Progress& later) const noexcept;
  };
  Mark mark() const noexcept { return {steps_, phases_, signature_.value(), costs_.mark()}; }
  /// Removes what was added since the mark.
  void rewind(const Mark& mark);

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  std::int64_t steps_ = 0, phases_ = 0;
  CostLedger costs_;
  Signature signature_;
};

}  // namespace politex::inline algorithm
