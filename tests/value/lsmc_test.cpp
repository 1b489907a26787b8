// LSMC against the textbook: every regression row written out from the recorded rollouts, dense least squares.
#include "politex/value/lsmc.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "value/recorded.hpp"

namespace politex {
namespace {

using namespace politex::testing;

struct Rows {
  std::vector<Vector> psi;
  std::vector<double> target;
  std::vector<int> pair;
};

/// The identity of a visit: the pair, or the feature vector if every step has a separate slot.
std::vector<double> identity(const Recorded& data, int pair) {
  if (data.slots_are_states) return {static_cast<double>(pair)};
  const Vector psi = dense_psi(data.features, pair);
  return {psi.begin(), psi.end()};
}

/// phi(x): the mean over the actions of psi(x, a), folded onto the columns of one block.
Vector dense_phi(const Recorded& data, int pair) {
  const int actions = data.features.actions, columns = data.features.rows.columns, state = pair / actions;
  Vector phi = Vector::Zero(columns);
  for (int a = 0; a < actions; ++a) {
    const Vector psi = dense_psi(data.features, state * actions + a);
    for (Eigen::Index k = 0; k < psi.size(); ++k) phi[k % columns] += psi[k] / actions;
  }
  return phi;
}

/// mean: every target less their mean g. state: less g + the ridge(.01) fit of target - g on phi(x), all actions
/// together.
void subtract_baseline(const Recorded& data, const LsmcOptions& options, Rows& rows) {
  if (options.baseline == Baseline::none || rows.target.empty()) return;
  Eigen::Map<Vector> y(rows.target.data(), static_cast<Eigen::Index>(rows.target.size()));
  y.array() -= y.mean();
  if (options.baseline == Baseline::mean) return;
  std::vector<Vector> phi;
  for (const int pair : rows.pair) phi.push_back(dense_phi(data, pair));
  const Matrix x = stack(phi, data.features.rows.columns);
  y -= (x * ridge_regression(x, y, 0.01)).eval();
}

/// contract.md, "What the words mean", read literally.
Rows textbook_rows(const Recorded& data, const LsmcOptions& options) {
  double phase_total = 0.0;
  for (std::size_t t = 0; t < data.costs.size(); ++t)
    if (data.is_target(t)) phase_total += data.costs[t];
  const auto s = static_cast<double>(data.lengths.follow);
  const double phase_mean = phase_total / (static_cast<double>(data.lengths.rollouts) * s);

  Rows rows;
  for (std::int64_t j = 0; j < data.lengths.rollouts; ++j) {
    const auto first = static_cast<std::size_t>(j * data.lengths.rollout() + data.lengths.explore);
    const auto end = static_cast<std::size_t>((j + 1) * data.lengths.rollout());
    double own_total = 0.0;
    for (std::size_t t = first + static_cast<std::size_t>(data.lengths.probe); t < end; ++t) own_total += data.costs[t];
    const double lambda = options.average == Average::phase     ? phase_mean
                          : options.average == Average::rollout ? own_total / s
                                                                : data.costs[end - 1];
    std::set<std::vector<double>> seen;
    for (std::size_t t = first; t < end; ++t) {
      const bool is_new = seen.insert(identity(data, data.pairs[t])).second;
      if (options.visits == Visits::one && t > first) continue;
      if (options.visits == Visits::first && !is_new) continue;
      const bool whole = options.visits == Visits::one || options.horizon == 0;
      const std::size_t stop = whole ? end : t + static_cast<std::size_t>(options.horizon);
      if (stop > end) continue;
      double value = 0.0;
      for (std::size_t k = t; k < stop; ++k) value += data.costs[k] - lambda;
      rows.psi.push_back(dense_psi(data.features, data.pairs[t]));
      rows.target.push_back(value);
      rows.pair.push_back(data.pairs[t]);
    }
  }
  subtract_baseline(data, options, rows);
  return rows;
}

Vector textbook(const Recorded& data, const LsmcOptions& options) {
  const Rows rows = textbook_rows(data, options);
  const Eigen::Map<const Vector> y(rows.target.data(), static_cast<Eigen::Index>(rows.target.size()));
  double ridge = options.ridge;
  if (options.ridge_by_count) {
    double entries = 0.0;
    for (const Vector& psi : rows.psi) entries += static_cast<double>((psi.array() != 0.0).count());
    ridge = entries / static_cast<double>(data.features.dimension());
  }
  return ridge_regression(stack(rows.psi, data.features.dimension()), y, ridge);
}

std::vector<LsmcOptions> all_options() {
  std::vector<LsmcOptions> all;
  for (const Visits visits : {Visits::one, Visits::first, Visits::every})
    for (const Average average : {Average::phase, Average::rollout, Average::last_cost})
      for (const std::int64_t horizon : {0, 1, 6})
        for (const Baseline baseline : {Baseline::none, Baseline::mean, Baseline::state})
          for (const double ridge : {0.01, 0.0, -1.0})
            all.push_back({.visits = visits,
                           .average = average,
                           .horizon = horizon,
                           .ridge = std::max(ridge, 0.0),
                           .baseline = baseline,
                           .ridge_by_count = ridge < 0.0});
  return all;
}

std::string describe(const LsmcOptions& options) {
  return fmt::format("visits {}, average {}, horizon {}, ridge {}, baseline {}", static_cast<int>(options.visits),
                     static_cast<int>(options.average), options.horizon,
                     options.ridge_by_count ? "count" : fmt::format("{}", options.ridge),
                     static_cast<int>(options.baseline));
}

TEST(Lsmc, EveryVariantMatchesTheTextbookRegression) {
  for (const auto& [name, data] : recorded_phases())
    for (const LsmcOptions& options : all_options()) {
      Lsmc lsmc(options, data.features.structure());
      std::vector<double> w(static_cast<std::size_t>(data.features.dimension()));
      lsmc.estimate(data.phase(), w);
      EXPECT_LT(distance(w, textbook(data, options)), 1e-9) << name << ": " << describe(options);
    }
}

/// The phase with every action replaced by `action`: all others are unseen.
Recorded with_one_action(Recorded data, int action) {
  for (auto& pair : data.pairs) pair = pair - pair % data.features.actions + action;
  return data;
}

// Features of 40 random columns and 17 steps: fewer rows than columns, in every block.
TEST(Lsmc, EveryVariantMatchesTheTextbookWhereTheRankIsDeficient) {
  const FiniteModel garnet = aliased_garnet(4);
  for (const bool per_pair : {false, true})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Recorded data = record(garnet, random_features(garnet, 40, per_pair, seed),
                                   {.rollouts = 1, .explore = 2, .probe = 1, .follow = 16}, seed);
      for (const LsmcOptions& options : all_options()) {
        Lsmc lsmc(options, data.features.structure());
        std::vector<double> w(static_cast<std::size_t>(data.features.dimension()));
        lsmc.estimate(data.phase(), w);
        EXPECT_LT(distance(w, textbook(data, options)), 1e-7) << "per pair " << per_pair << ": " << describe(options);
      }
    }
}

TEST(Lsmc, AnActionThatWasNotSeenHasTheValueOfItsState) {
  for (const Case& each : cases()) {
    if (!each.features.replicated) continue;
    const Recorded data = with_one_action(
        record(each.model, each.features, {.rollouts = 4, .explore = 2, .probe = 1, .follow = 20}, 5), 1);
    for (const bool count : {false, true}) {
      const LsmcOptions options{.horizon = 6, .baseline = Baseline::state, .ridge_by_count = count};
      Lsmc lsmc(options, each.features.structure());
      std::vector<double> w(static_cast<std::size_t>(data.features.dimension()), 7.0);
      lsmc.estimate(data.phase(), w);
      const auto columns = static_cast<std::size_t>(data.features.rows.columns);
      for (std::size_t k = 0; k < w.size(); ++k)
        if (k / columns != 1) {
          EXPECT_EQ(w[k], 0.0) << each.name << ", weight " << k;
        }
      EXPECT_LT(distance(w, textbook(data, options)), 1e-9) << each.name;
    }
  }
}

// A phase whose horizon leaves no row teaches nothing.
TEST(Lsmc, WithoutRowsTheWeightsAreZero) {
  const Case each = cases().front();
  const Recorded data = record(each.model, each.features, {.rollouts = 3, .explore = 1, .probe = 1, .follow = 5}, 5);
  for (const Baseline baseline : {Baseline::none, Baseline::mean, Baseline::state})
    for (const bool count : {false, true}) {
      Lsmc lsmc({.horizon = 50, .baseline = baseline, .ridge_by_count = count}, each.features.structure());
      std::vector<double> w(static_cast<std::size_t>(data.features.dimension()), 7.0);
      lsmc.estimate(data.phase(), w);
      EXPECT_EQ(w, std::vector<double>(w.size(), 0.0));
    }
}

// Returns over a fixed horizon contain a fixed multiple of lambda, which every baseline removes.
TEST(Lsmc, WithAHorizonABaselineRemovesTheAverageCost) {
  const Case each = cases().front();
  const Lengths lengths{.rollouts = 5, .explore = 3, .probe = 1, .follow = 30};
  const Recorded data = record(each.model, each.features, lengths, 3);
  Recorded dearer = data;
  for (double& cost : dearer.costs) cost += 5.0;
  for (const Baseline baseline : {Baseline::mean, Baseline::state}) {
    Lsmc lsmc({.horizon = 8, .baseline = baseline}, each.features.structure());
    std::vector<double> w(static_cast<std::size_t>(data.features.dimension())), shifted(w);
    lsmc.estimate(data.phase(), w);
    lsmc.estimate(dearer.phase(), shifted);
    EXPECT_LT(distance(shifted, Eigen::Map<const Vector>(w.data(), static_cast<Eigen::Index>(w.size()))), 1e-10);
  }
}

TEST(Lsmc, PhasesDoNotAffectEachOther) {
  for (const Case& each : cases()) {
    const Lengths lengths{.rollouts = 4, .explore = 2, .probe = 1, .follow = 9};
    for (const Visits visits : {Visits::one, Visits::first, Visits::every}) {
      const LsmcOptions options{
          .visits = visits, .horizon = 4, .baseline = Baseline::state, .ridge_by_count = visits == Visits::first};
      Lsmc kept(options, each.features.structure());
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const Recorded data = record(each.model, each.features, lengths, seed);
        Lsmc fresh(options, each.features.structure());
        std::vector<double> again(static_cast<std::size_t>(data.features.dimension())), once(again);
        kept.estimate(data.phase(), again);
        fresh.estimate(data.phase(), once);
        EXPECT_EQ(again, once) << each.name;
      }
    }
  }
}

TEST(Lsmc, PhasesMayDifferInLength) {
  const Case each = cases().front();
  Lsmc lsmc({.visits = Visits::first}, each.features.structure());
  for (const std::int64_t follow : {5, 20, 3, 33}) {
    const Recorded data =
        record(each.model, each.features, {.rollouts = 3, .explore = follow / 2, .probe = 1, .follow = follow}, 2);
    for (const Recorded& recorded : {data, with_slots_by_step(data)}) {
      std::vector<double> w(static_cast<std::size_t>(data.features.dimension()));
      lsmc.estimate(recorded.phase(), w);
      EXPECT_LT(distance(w, textbook(recorded, {.visits = Visits::first})), 1e-9) << follow;
    }
  }
}

TEST(Lsmc, ReportsTheAverageOfThePhase) {
  const Case each = cases()[2];
  const Recorded data = record(each.model, each.features, {.rollouts = 4, .explore = 3, .probe = 1, .follow = 8}, 4);
  double total = 0.0;
  for (std::size_t t = 0; t < data.costs.size(); ++t) total += data.is_target(t) ? data.costs[t] : 0.0;
  Lsmc lsmc({}, each.features.structure());
  std::vector<double> w(static_cast<std::size_t>(data.features.dimension()));
  lsmc.estimate(data.phase(), w);
  EXPECT_NEAR(lsmc.average(), total / 32.0, 1e-14);
  EXPECT_NEAR(mean_target_cost(data.phase()), total / 32.0, 1e-14);
}

// With one indicator per pair the regression is an average: of every return, or of each rollout's first.
TEST(Lsmc, TabularIsTheMeanReturnOfEachPair) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const FiniteModel model = garnet_model({.states = 4, .actions = 2, .branching = 2, .model_seed = seed});
    const Recorded data =
        record(model, tabular_features(model), {.rollouts = 30, .explore = 2, .probe = 1, .follow = 20}, seed);
    for (const Visits visits : {Visits::first, Visits::every}) {
      const LsmcOptions options{.visits = visits, .horizon = 5, .ridge = 0.0};
      const Rows rows = textbook_rows(data, options);
      std::map<int, std::pair<double, int>> sums;
      for (std::size_t r = 0; r < rows.pair.size(); ++r) {
        sums[rows.pair[r]].first += rows.target[r];
        sums[rows.pair[r]].second += 1;
      }
      Lsmc lsmc(options, data.features.structure());
      std::vector<double> w(static_cast<std::size_t>(data.features.dimension()));
      lsmc.estimate(data.phase(), w);
      for (int pair = 0; pair < model.pairs(); ++pair) {
        const double mean = sums.contains(pair) ? sums[pair].first / sums[pair].second : 0.0;
        EXPECT_NEAR(data.features.dot(pair, w), mean, 1e-12) << "seed " << seed << ", pair " << pair;
      }
    }
  }
}

// A pitfall of the one-visit estimate: with the mean of the same rollout only the probe's cost and one lambda remain.
TEST(Lsmc, OneVisitWithTheMeanOfItsRolloutUsesOnlyTheProbe) {
  const Case each = cases()[1];
  const Recorded data = record(each.model, each.features, {.rollouts = 1, .explore = 3, .probe = 1, .follow = 8}, 3);
  Lsmc lsmc({.visits = Visits::one, .average = Average::rollout, .ridge = 0.0}, data.features.structure());
  std::vector<double> w(static_cast<std::size_t>(data.features.dimension()));
  lsmc.estimate(data.phase(), w);
  EXPECT_NEAR(data.features.dot(data.pairs[3], w), data.costs[3] - lsmc.average(), 1e-12);
}

}  // namespace
}  // namespace politex
