#include "politex/discovery/feature_explorer.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"

namespace politex::inline discovery {
namespace {

constexpr int most_columns = 2000;
/// Multiplications that the bonuses of a plan may take, and entries that may be stored: dense features keep fewer
/// transitions.
constexpr double most_work = 5e8, most_entries = 4e6;
constexpr std::int64_t fewest_transitions = 200;
/// Ridge of the fit: small, so that a transition that was seen counts, and positive, so that others are 0.
constexpr double fit_ridge = 0.01;
/// Ties, relative to the largest bonus.
constexpr double close = 1e-12;

using BlockMatrix = Eigen::MatrixXd;

}  // namespace

FeatureExplorer::FeatureExplorer(const FeatureStructure& structure, int actions, const Options& options)
    : structure_(structure),
      actions_(actions),
      options_(options),
      information_(structure.blocks, structure.width, options.ridge),
      walk_(structure, actions, options.transitions),
      excited_(static_cast<std::size_t>(structure.dimension()), 0),
      untried_(structure.dimension()),
      weights_(excited_.size(), 0.0) {}

std::int64_t FeatureExplorer::affordable(const Features& features, std::int32_t slot) const {
  double entries = 1.0;
  for (Action a = 0; a < actions_; ++a)
    entries = std::max(entries, static_cast<double>(features.row(slot * actions_ + a).indices.size()));
  const double most = std::min(most_work / (entries * entries * actions_),
                               most_entries / (entries * (structure_.blocks == actions_ ? 1 : actions_)));
  return std::max(fewest_transitions, std::min(options_.transitions, static_cast<std::int64_t>(most)));
}

void FeatureExplorer::excite(const FeatureRow& psi) noexcept {
  for (std::size_t k = 0; k < psi.indices.size(); ++k) {
    std::uint8_t& mark = excited_[static_cast<std::size_t>(psi.offset) + static_cast<std::size_t>(psi.indices[k])];
    if (mark != 0 || psi.values[k] == 0.0) continue;
    mark = 1;
    --untried_;
  }
}

void FeatureExplorer::observe(const Trace& trace) {
  if (trace.pairs.empty()) return;
  const Features& features = *trace.features;
  if (steps_ == 0) walk_.keep(affordable(features, trace.pairs[0] / actions_));
  // A step that the time limit ended is not stored: the walk ends before it, and a new one begins after it.
  std::size_t begin = 0;
  for (std::size_t t = 0; t <= trace.pairs.size(); ++t) {
    const bool end = t == trace.pairs.size();
    if (!end && !trace.was_truncated(t)) continue;
    if (t > begin)
      walk_.add(features, trace.pairs.subspan(begin, t - begin), end ? trace.last_slot : trace.pairs[t] / actions_);
    begin = t + 1;
  }
  for (const std::int32_t pair : trace.pairs) {
    const FeatureRow psi = features.row(pair);
    excite(psi);
    information_.add(psi);
  }
  steps_ += static_cast<std::int64_t>(trace.pairs.size());
}

double FeatureExplorer::largest_bonus(const Features& features, std::int32_t slot) const noexcept {
  double most = 0.0;
  for (Action a = 0; a < actions_; ++a) most = std::max(most, bonus(features, slot * actions_ + a));
  return most;
}

double FeatureExplorer::continuing(const Features& features, std::int32_t pair) const noexcept {
  const double share = options_.discount + features.dot(pair, weights_);
  return largest_ * std::clamp(share, 0.0, options_.discount);
}

/// The least squares of a plan: one factor per block, and targets that change from sweep to sweep.
struct FeatureExplorer::Fit {
  const Features& features;
  FeatureStructure structure;
  std::vector<Eigen::LLT<BlockMatrix>> factors;
  std::vector<double> right;

  Fit(const StoredWalk& walk, const FeatureStructure& of)
      : features(walk.features()), structure(of), right(static_cast<std::size_t>(of.dimension())) {
    std::vector<BlockMatrix> grams(static_cast<std::size_t>(of.blocks),
                                   fit_ridge * BlockMatrix::Identity(of.width, of.width));
    for (int x = 0; x < walk.states(); ++x) {
      if (walk.taken(x) < 0) continue;
      const FeatureRow psi = features.row(x * features.actions + walk.taken(x));
      BlockMatrix& gram = grams[static_cast<std::size_t>(psi.offset / of.width)];
      for (std::size_t i = 0; i < psi.indices.size(); ++i)
        for (std::size_t k = 0; k < psi.indices.size(); ++k)
          gram(psi.indices[k], psi.indices[i]) += psi.values[i] * psi.values[k];
    }
    for (const BlockMatrix& gram : grams) factors.emplace_back(gram);
  }
  void begin() { std::ranges::fill(right, 0.0); }
  void add(std::int32_t pair, double target) {
    const FeatureRow psi = features.row(pair);
    for (std::size_t k = 0; k < psi.indices.size(); ++k)
      right[static_cast<std::size_t>(psi.offset) + static_cast<std::size_t>(psi.indices[k])] += psi.values[k] * target;
  }
  void solve(std::vector<double>& weights) const {
    for (std::size_t b = 0; b < factors.size(); ++b) {
      const auto at = static_cast<std::ptrdiff_t>(b) * structure.width;
      Eigen::Map<Eigen::VectorXd>(weights.data() + at, structure.width) =
          factors[b].solve(Eigen::Map<const Eigen::VectorXd>(right.data() + at, structure.width));
    }
  }
};

void FeatureExplorer::plan() {
  const Features& features = walk_.features();
  const int states = walk_.states();
  std::vector<double> own(static_cast<std::size_t>(states));
  largest_ = 0.0;
  for (int x = 0; x < states; ++x)
    largest_ = std::max(largest_, own[static_cast<std::size_t>(x)] = largest_bonus(features, x));
  if (largest_ <= 0.0) return;
  Fit fit(walk_, structure_);
  const double discount = options_.discount;
  for (int sweep = 0; sweep < options_.sweeps; ++sweep) {
    fit.begin();
    for (int x = 0; x + 1 < states; ++x) {
      if (walk_.taken(x) < 0) continue;
      double ahead = own[static_cast<std::size_t>(x) + 1] / largest_;
      // The first sweep knows bonuses only: values rise to their fixed point, one step of the way per sweep.
      for (Action a = 0; a < actions_ && sweep > 0; ++a)
        ahead = std::max(ahead, continuing(features, (x + 1) * actions_ + a) / largest_);
      fit.add(x * actions_ + walk_.taken(x), discount * (ahead - 1.0));
    }
    fit.solve(weights_);
  }
}

void FeatureExplorer::begin(const Here&, Rng&) {
  // Phases may be short: a plan reads every stored transition.
  constexpr std::int64_t growth = 20, least = 100;
  const bool due = planned_at_ == 0 || steps_ >= planned_at_ + std::max(least, planned_at_ / growth);
  if (planned_ || !due || steps_ == 0) return;
  plan();
  planned_ = true;
  planned_at_ = steps_;
}

std::optional<Action> FeatureExplorer::act(const Here& here, Rng& rng) {
  const double tie = close * largest_;
  const BestAction best =
      best_action(actions_, tie, rng, [&](Action a) { return continuing(*here.features, here.slot * actions_ + a); });
  if (largest_bonus(*here.features, here.slot) >= best.value - tie) return std::nullopt;
  return best.action;
}

std::optional<Action> FeatureExplorer::probe(const Here& here, Rng& rng) {
  return best_action(actions_, close * largest_, rng,
                     [&](Action a) { return bonus(*here.features, here.slot * actions_ + a); })
      .action;
}

Coverage FeatureExplorer::coverage() const {
  return {.known = structure_.dimension(), .untried = untried_, .features = structure_.width};
}

void FeatureExplorer::save(ByteWriter& to) const {
  information_.save(to);
  walk_.save(to);
  to.put(excited_);
  to.put(weights_);
  to.put(largest_);
  to.put(steps_);
  to.put(planned_at_);
  to.put(planned_);
}

void FeatureExplorer::restore(ByteReader& from) {
  information_.restore(from);
  walk_.restore(from);
  from.get_again(excited_, "features of the explorer");
  from.get_again(weights_, "weights of the explorer");
  from.get_finite(largest_, "bonuses of the explorer");
  from.get_count(steps_, "steps of the explorer");
  from.get_count(planned_at_, "steps of the explorer");
  from.get(planned_);
  untried_ = std::ranges::count(excited_, 0);
}

void check_columns(const FeatureStructure& structure) {
  if (structure.width > most_columns)
    throw ConfigError{
        "features.name",
        fmt::format("{} features are too many for an explorer that inverts their Gram matrices; accepted: "
                    "at most {}, or features.name = \"cells\", which are counted instead",
                    structure.width, most_columns)};
}

std::unique_ptr<LearningExplorer> make_feature_explorer(const LearningRequest& request) {
  check_columns(request.structure);
  return std::make_unique<FeatureExplorer>(request.structure, request.actions, FeatureExplorer::Options{});
}

}  // namespace politex::inline discovery
