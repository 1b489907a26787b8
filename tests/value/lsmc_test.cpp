// LSMC against the textbook: every regression row written out from the recorded rollouts, dense least squares.
#include "politex/value/lsmc.hpp"

#include <gtest/gtest.h>

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
  if (options.centre) {
    double mean = 0.0;
    for (const double target : rows.target) mean += target / static_cast<double>(rows.target.size());
    for (double& target : rows.target) target -= mean;
  }
  return rows;
}

Vector textbook(const Recorded& data, const LsmcOptions& options) {
  const Rows rows = textbook_rows(data, options);
  const Eigen::Map<const Vector> y(rows.target.data(), static_cast<Eigen::Index>(rows.target.size()));
  return ridge_regression(stack(rows.psi, data.features.dimension()), y, options.ridge);
}

std::vector<LsmcOptions> all_options() {
  std::vector<LsmcOptions> all;
  for (const Visits visits : {Visits::one, Visits::first, Visits::every})
    for (const Average average : {Average::phase, Average::rollout, Average::last_cost})
      for (const std::int64_t horizon : {0, 1, 6})
        for (const bool centre : {false, true})
          for (const double ridge : {0.01, 0.0})
            all.push_back({.visits = visits, .average = average, .horizon = horizon, .ridge = ridge, .centre = centre});
  return all;
}

std::string describe(const LsmcOptions& options) {
  return fmt::format("visits {}, average {}, horizon {}, ridge {}, centre {}", static_cast<int>(options.visits),
                     static_cast<int>(options.average), options.horizon, options.ridge, options.centre);
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

TEST(Lsmc, PhasesDoNotAffectEachOther) {
  for (const Case& each : cases()) {
    const Lengths lengths{.rollouts = 4, .explore = 2, .probe = 1, .follow = 9};
    for (const Visits visits : {Visits::one, Visits::first, Visits::every}) {
      const LsmcOptions options{.visits = visits, .horizon = 4};
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
