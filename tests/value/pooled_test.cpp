// Learners that pool the transitions of all phases: the store, RLSVI and LSPI against dense computations.
#include <gtest/gtest.h>

#include <map>

#include "politex/value/lspi.hpp"
#include "politex/value/rlsvi.hpp"
#include "politex/value/transitions.hpp"
#include "value/recorded.hpp"

namespace politex {
namespace {

using namespace politex::testing;

constexpr Lengths plain{.rollouts = 3, .explore = 0, .probe = 0, .follow = 15};

/// One transition with dense features.
struct Dense {
  Vector psi;
  Matrix next;  // a row per action
  double cost = 0.0;
};

std::vector<Dense> dense_transitions(const std::vector<Recorded>& phases) {
  std::vector<Dense> all;
  for (const Recorded& data : phases)
    for (std::size_t t = 0; t < data.pairs.size(); ++t) {
      std::vector<Vector> next;
      for (int a = 0; a < data.features.actions; ++a)
        next.push_back(dense_psi(data.features, data.slot_after(t) * data.features.actions + a));
      all.push_back({dense_psi(data.features, data.pairs[t]), stack(next, data.features.dimension()), data.costs[t]});
    }
  return all;
}

/// Three phases of every case, slots by state and by step.
std::vector<std::pair<std::string, std::vector<Recorded>>> histories() {
  std::vector<std::pair<std::string, std::vector<Recorded>>> all;
  for (const Case& each : cases()) {
    std::vector<Recorded> states, steps;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      states.push_back(record(each.model, each.features, plain, seed));
      steps.push_back(with_slots_by_step(states.back()));
    }
    all.emplace_back(each.name, states);
    all.emplace_back(each.name + " by step", steps);
  }
  return all;
}

Vector arbitrary(int size, std::uint64_t seed) {
  Rng rng(seed);
  Vector w(size);
  for (double& each : w) each = 2.0 * rng.uniform() - 1.0;
  return w;
}

TEST(Transitions, CountsEveryPairAndSuccessor) {
  for (const Case& each : cases()) {
    Transitions store(10);  // the capacity is for kept transitions only
    std::map<std::pair<int, int>, std::pair<double, double>> expected;
    std::vector<Recorded> phases;
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
      phases.push_back(
          record(each.model, each.features, {.rollouts = 9, .explore = 2, .probe = 1, .follow = 40}, seed));
    for (const Recorded& data : phases) {
      store.add(data.phase());
      for (std::size_t t = 0; t < data.pairs.size(); ++t) {
        auto& [count, cost] = expected[{data.pairs[t], data.slot_after(t)}];
        count += 1.0;
        cost += data.costs[t];
      }
    }
    ASSERT_EQ(store.entries().size(), expected.size());
    for (const auto& entry : store.entries()) {
      const auto& [count, cost] = expected.at({entry.pair, entry.next});
      EXPECT_EQ(entry.count, count);
      EXPECT_NEAR(entry.cost, cost, 1e-12);
    }
    EXPECT_EQ(&store.features(), &phases.back().features);
  }
}

TEST(Transitions, ManyDifferentOnesAreDistinguished) {
  const FiniteModel model = garnet_model({.states = 300, .actions = 3, .branching = 9, .model_seed = 1});
  const Recorded data =
      record(model, tabular_features(model), {.rollouts = 1, .explore = 0, .probe = 0, .follow = 20'000}, 1);
  std::map<std::pair<int, int>, double> expected;
  for (std::size_t t = 0; t < data.pairs.size(); ++t) expected[{data.pairs[t], data.slot_after(t)}] += 1.0;
  ASSERT_GT(expected.size(), 4096u);  // the index has grown more than once
  Transitions store(1);
  store.add(data.phase());
  ASSERT_EQ(store.entries().size(), expected.size());
  for (const auto& entry : store.entries()) EXPECT_EQ(entry.count, expected.at({entry.pair, entry.next}));
}

/// The store holds exactly the last `count` of these.
void expect_last(const Transitions& store, const std::vector<Dense>& all, std::size_t count) {
  ASSERT_EQ(store.entries().size(), count);
  const Features& features = store.features();
  for (std::size_t k = 0; k < count; ++k) {
    const auto& entry = store.entries()[k];
    const Dense& expected = all[all.size() - count + k];
    EXPECT_EQ(entry.count, 1.0);
    EXPECT_EQ(entry.cost, expected.cost);
    EXPECT_EQ(dense_psi(features, entry.pair), expected.psi);
    for (int a = 0; a < features.actions; ++a)
      EXPECT_EQ(dense_psi(features, entry.next * features.actions + a), expected.next.row(a).transpose());
  }
}

TEST(Transitions, WithoutFiniteStatesTheLastOnesAreKept) {
  for (const Case& each : cases())
    for (const std::int64_t capacity : {10, 45, 100, 1000}) {
      Transitions store(capacity);
      std::vector<Recorded> phases;
      for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        phases.push_back(with_slots_by_step(record(each.model, each.features, plain, seed)));
        store.add(phases.back().phase());
        const std::vector<Dense> all = dense_transitions(phases);
        const std::size_t kept = store.entries().size(), most = static_cast<std::size_t>(capacity);
        EXPECT_LE(kept, most);
        EXPECT_GE(kept, std::min(all.size(), most / 2)) << each.name << ", capacity " << capacity;
        expect_last(store, all, kept);
      }
    }
}

TEST(Transitions, RestoringContinuesIdentically) {
  for (const auto& [name, phases] : histories()) {
    Transitions store(70), restored(70);
    store.add(phases[0].phase());
    store.add(phases[1].phase());
    ByteWriter bytes;
    store.save(bytes);
    ByteReader reader(bytes.bytes());
    const Features& features = phases[1].features;
    restored.restore(reader, phases[1].phase().slots_are_states ? &features : nullptr, features.structure(),
                     features.actions);
    EXPECT_TRUE(reader.empty());
    for (int more = 0; more < 2; ++more) {
      ASSERT_EQ(store.entries().size(), restored.entries().size()) << name;
      for (std::size_t k = 0; k < store.entries().size(); ++k) {
        const auto &one = store.entries()[k], &other = restored.entries()[k];
        EXPECT_TRUE(one.pair == other.pair && one.next == other.next && one.count == other.count &&
                    one.cost == other.cost)
            << name << ", entry " << k;
        EXPECT_EQ(dense_psi(store.features(), one.pair), dense_psi(restored.features(), other.pair));
        EXPECT_EQ(dense_psi(store.features(), one.next * store.features().actions),
                  dense_psi(restored.features(), other.next * restored.features().actions));
      }
      EXPECT_EQ(restored.features().dimension(), store.features().dimension());
      store.add(phases[2].phase());
      restored.add(phases[2].phase());
    }
  }
}

TEST(Transitions, ATruncatedSaveIsAnError) {
  const auto phases = histories()[1].second;
  Transitions store(70), restored(70);
  store.add(phases[0].phase());
  ByteWriter bytes;
  store.save(bytes);
  ByteReader reader(std::span(bytes.bytes()).first(bytes.bytes().size() / 2));
  EXPECT_THROW(restored.restore(reader, nullptr, {}, 1), DamagedState);
}

TEST(Rlsvi, UpdateMatchesTheExplicitPosteriorSample) {
  for (const auto& [name, phases] : histories()) {
    const RlsviOptions options{.prior = 0.7, .noise = 1.5};
    const FeatureStructure structure = phases[0].features.structure();
    const int d = structure.dimension();
    Rlsvi rlsvi(options, structure);
    Transitions store(1000);
    for (const Recorded& data : phases) store.add(data.phase());
    const Vector before = arbitrary(d, 4);
    const double average = 0.3, origin = -0.2;

    Matrix precision = 0.7 * Matrix::Identity(d, d);
    Vector right = Vector::Zero(d);
    for (const Dense& each : dense_transitions(phases)) {
      precision += each.psi * each.psi.transpose() / (1.5 * 1.5);
      right += each.psi * (each.cost - average + (each.next * before).minCoeff() - origin) / (1.5 * 1.5);
    }
    Rng rng(9), same(9);
    Vector normals(d);
    for (double& each : normals) each = same.normal();
    // w = mean + L'^-1 z, L the Cholesky factor of the precision.
    const Vector expected = precision.fullPivLu().solve(right) + Eigen::LLT<Matrix>(precision).matrixU().solve(normals);

    std::vector<double> w(before.begin(), before.end());
    rlsvi.update(store, average, origin, rng, w);
    EXPECT_LT(distance(w, expected), 1e-9) << name;
  }
}

TEST(Rlsvi, LeastValueIsTheMinimumOverActions) {
  const Case each = cases()[5];
  const Vector w = arbitrary(each.features.dimension(), 3);
  for (int x = 0; x < each.model.states; ++x) {
    double least = 1e300;
    for (int a = 0; a < each.model.actions; ++a)
      least = std::min(least, dense_psi(each.features, each.model.pair(x, a)).dot(w));
    EXPECT_NEAR(least_value(each.features, x, std::span(w.data(), static_cast<std::size_t>(w.size()))), least, 1e-13);
  }
}

TEST(Lspi, UpdateMatchesTheDenseSolutionForTheEpsilonGreedyPolicy) {
  for (const auto& [name, phases] : histories())
    for (const TdSolve solve : {TdSolve::ridge, TdSolve::min_norm})
      for (const double epsilon : {0.0, 0.3}) {
        const FeatureStructure structure = phases[0].features.structure();
        const int d = structure.dimension();
        Lspi lspi({.solve = solve, .ridge = 0.05, .epsilon = epsilon}, structure);
        Transitions store(1000);
        for (const Recorded& data : phases) store.add(data.phase());
        const Vector before = arbitrary(d, 5);

        Matrix a = Matrix::Zero(d + 1, d + 1);  // the last unknown is the average cost
        Vector b = Vector::Zero(d + 1);
        for (const Dense& each : dense_transitions(phases)) {
          Eigen::Index greedy = 0;
          (each.next * before).minCoeff(&greedy);
          const Vector after =
              (1.0 - epsilon) * each.next.row(greedy).transpose() + epsilon * each.next.colwise().mean().transpose();
          Vector instrument(d + 1), unknown(d + 1);
          instrument << each.psi, 1.0;
          unknown << each.psi - after, 1.0;
          a += instrument * unknown.transpose();
          b += instrument * each.cost;
        }
        if (solve == TdSolve::ridge) a.diagonal().head(d).array() += 0.05;
        const Eigen::JacobiSVD<Matrix> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
        const Vector expected = svd.solve(b);
        std::vector<double> w(before.begin(), before.end());
        EXPECT_NEAR(lspi.update(store, w), expected[d], 1e-9) << name << ' ' << epsilon;
        EXPECT_LT(distance(w, expected.head(d)), 1e-8) << name << ' ' << epsilon;
      }
}

// Costs shifted by a constant shift the average cost by it and leave Q alone: the mean cost of one phase did not.
TEST(Lspi, AConstantInTheCostsGoesIntoTheAverageCostOnly) {
  for (const auto& [name, phases] : histories()) {
    const FeatureStructure structure = phases[0].features.structure();
    Lspi lspi({.solve = TdSolve::ridge, .ridge = 0.05, .epsilon = 0.1}, structure);
    std::vector<double> q[2];
    double average[2];
    for (int shifted = 0; shifted < 2; ++shifted) {
      Transitions store(1000);
      std::vector<Recorded> moved = phases;
      for (Recorded& data : moved) {
        for (double& cost : data.costs) cost += 7.0 * shifted;
        store.add(data.phase());
      }
      q[shifted].assign(static_cast<std::size_t>(structure.dimension()), 0.0);
      average[shifted] = lspi.update(store, q[shifted]);
    }
    EXPECT_NEAR(average[1], average[0] + 7.0, 1e-9) << name;
    for (std::size_t k = 0; k < q[0].size(); ++k) EXPECT_NEAR(q[1][k], q[0][k], 1e-8) << name;
  }
}

/// Every phase says that the last action is impossible where (state + action) is odd.
std::vector<std::uint8_t> flags_of(const Recorded& data, int slots) {
  std::vector<std::uint8_t> flags;
  const int actions = data.features.actions;
  for (int slot = 0; slot < slots; ++slot)
    for (int a = 0; a < actions; ++a) flags.push_back(a + 1 == actions && (slot + a) % 2 == 1 && actions > 1 ? 0 : 1);
  return flags;
}

// What is impossible in the next state has no part in its value and its policy: with one feature per pair, the weights
// of masked pairs before the update do not matter, and those of possible ones do.
TEST(Transitions, MaskedActionsOfTheNextStateDoNotMatter) {
  const Case each = cases()[2];
  const Recorded data = record(each.model, each.features, plain, 1);
  const std::vector<std::uint8_t> flags = flags_of(data, each.model.states);
  Phase phase = data.phase();
  phase.possible = flags;
  Transitions store(10, true), plain_store(10);
  store.add(phase);
  plain_store.add(data.phase());
  const FeatureStructure structure = data.features.structure();
  const auto updated = [&](const Transitions& from, double of_masked, bool lspi) {
    std::vector<double> w(static_cast<std::size_t>(structure.dimension()), 0.0);
    for (int x = 0; x < each.model.states; ++x)
      for (int a = 0; a < each.model.actions; ++a) {
        const auto row = data.features.row(each.model.pair(x, a));
        const bool masked = flags[static_cast<std::size_t>(each.model.pair(x, a))] == 0;
        w[static_cast<std::size_t>(row.offset + row.indices[0])] = masked ? of_masked : 0.1 * x - 0.3 * a;
      }
    Rng rng(9);
    if (lspi)
      Lspi({.solve = TdSolve::ridge, .ridge = 0.05, .epsilon = 0.2}, structure).update(from, w);
    else
      Rlsvi({.prior = 0.7, .noise = 1.5}, structure).update(from, 0.3, 0.0, rng, w);
    return w;
  };
  for (const bool lspi : {false, true}) {
    EXPECT_EQ(updated(store, -5.0, lspi), updated(store, 5.0, lspi));
    EXPECT_NE(updated(plain_store, -5.0, lspi), updated(plain_store, 5.0, lspi));
  }
  const std::span<const std::uint8_t> first = store.possible(0);
  EXPECT_EQ(std::vector(first.begin(), first.end()), std::vector(flags.begin(), flags.begin() + each.model.actions));
  EXPECT_TRUE(plain_store.possible(0).empty());
}

// Kept transitions have the flags of their own slots, also after old ones were dropped and after a restart.
TEST(Transitions, KeptOnesHaveTheFlagsOfTheirSlots) {
  const Case each = cases()[0];
  Transitions store(70, true), restored(70, true);
  const auto add = [&](std::uint64_t seed, Transitions& to) {
    const Recorded data = with_slots_by_step(record(each.model, each.features, plain, seed));
    const std::vector<std::uint8_t> flags = flags_of(data, data.last_slot + 1);
    Phase phase = data.phase();
    phase.possible = flags;
    to.add(phase);
    const auto actions = static_cast<std::size_t>(each.model.actions), newest = to.entries().size() - 1;
    const std::span<const std::uint8_t> found = to.possible(to.entries()[newest].next);
    EXPECT_EQ(std::vector(found.begin(), found.end()),
              std::vector(flags.end() - static_cast<std::ptrdiff_t>(actions), flags.end()));
  };
  for (const std::uint64_t seed : {1, 2, 3}) add(seed, store);
  ByteWriter bytes;
  store.save(bytes);
  ByteReader reader(bytes.bytes());
  restored.restore(reader, nullptr, each.features.structure(), each.features.actions);
  EXPECT_TRUE(reader.empty());
  for (std::int32_t slot = 0; slot < store.features().slots(); ++slot)
    EXPECT_TRUE(std::ranges::equal(store.possible(slot), restored.possible(slot)));
  add(4, restored);
}

}  // namespace
}  // namespace politex
