// The learned explorer where states are not listed: it goes where the features are known least. It never sees a cost.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "politex/algorithm/learning_explorer.hpp"
#include "politex/value/inverse_gram.hpp"
#include "politex/value/stored_walk.hpp"

namespace politex::inline discovery {

/// The bonus of a pair is b(x, a) = psi' P psi with P the inverse Gram matrix of the action, and b(x) = max_a b(x, a).
/// The value of continuing, Q(x, a) = g E max(b(x'), max_a' Q(x', a')), is fitted to the stored transitions: Q = g B +
/// w_a . phi with B the largest stored bonus and w . phi at most 0, so that what was never seen looks as good as the
/// best. A segment goes greedily and ends where b(x) is at least the value of continuing.
class FeatureExplorer final : public LearningExplorer {
 public:
  struct Options {
    double ridge = 0.01;
    std::int64_t transitions = 20'000;
    int sweeps = 60;
    double discount = 0.99;
  };
  FeatureExplorer(const FeatureStructure& structure, int actions, const Options& options);

  void observe(const Trace& trace) override;
  void begin_phase() override { planned_ = false; }
  void begin(const Here& here, Rng& rng) override;
  std::optional<Action> act(const Here& here, Rng& rng) override;
  std::optional<Action> probe(const Here& here, Rng& rng) override;
  Coverage coverage() const override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;

  const InverseGram& information() const noexcept { return information_; }
  const StoredWalk& walk() const noexcept { return walk_; }
  /// b(x, a) of a pair of these features, and b(x) of a slot.
  double bonus(const Features& features, std::int32_t pair) const noexcept {
    return information_.bonus(features.row(pair));
  }
  double largest_bonus(const Features& features, std::int32_t slot) const noexcept;
  /// Q(x, a) as planned last, between 0 and g B.
  double continuing(const Features& features, std::int32_t pair) const noexcept;
  /// Fits Q to the stored transitions.
  void plan();

 private:
  struct Fit;
  void excite(const FeatureRow& psi) noexcept;
  std::int64_t affordable(const Features& features, std::int32_t slot) const;

  FeatureStructure structure_;
  int actions_;
  Options options_;
  InverseGram information_;
  StoredWalk walk_;
  std::vector<std::uint8_t> excited_;  // by column of the dimension
  std::int64_t untried_;
  std::vector<double> weights_;  // of Q / B - g
  double largest_ = 0.0;         // B
  std::int64_t steps_ = 0, planned_at_ = 0;
  bool planned_ = false;
};

/// Throws ConfigError where there are too many features.
std::unique_ptr<LearningExplorer> make_feature_explorer(const LearningRequest& request);
/// The largest number of features of an action for which Gram matrices are inverted. Throws ConfigError above it.
void check_columns(const FeatureStructure& structure);

}  // namespace politex::inline discovery
