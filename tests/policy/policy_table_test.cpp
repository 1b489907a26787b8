// The compiled policy: the same bits as the rule, and the frequencies that its probabilities promise.
#include "politex/policy/policy_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace politex {
namespace {

std::vector<std::uint64_t> bits(std::span<const double> values) {
  std::vector<std::uint64_t> all;
  for (const double value : values) all.push_back(std::bit_cast<std::uint64_t>(value));
  return all;
}

/// Every row is what the rule says, to the bit, and the thresholds are its partial sums.
void expect_same_as_rule(const Rule& rule, int states, int actions, const std::vector<double>& q) {
  PolicyTable table(states, actions);
  table.set(rule, q);
  const auto width = static_cast<std::size_t>(actions);
  std::vector<double> p(width), cumulative(width - 1);
  for (int x = 0; x < states; ++x) {
    const auto row = static_cast<std::size_t>(x);
    rule.probabilities(std::span(q).subspan(row * width, width), p);
    accumulate(p, cumulative);
    ASSERT_EQ(bits(table.probabilities(x)), bits(p)) << "state " << x << " of " << states;
    ASSERT_EQ(bits(std::span(table.cumulative() + row * (width - 1), width - 1)), bits(cumulative));
  }
}

TEST(PolicyTable, TwoActionsComputedTogetherHaveTheBitsOfTheRule) {
  Rng rng(1);
  for (int trial = 0; trial < 300; ++trial) {
    const int states = 1 + static_cast<int>(rng.below(70));  // any remainder after whole vectors
    std::vector<double> q;
    for (int pair = 0; pair < 2 * states; ++pair)
      q.push_back(std::ldexp(rng.uniform() - 0.5, static_cast<int>(rng.below(30)) - 10));
    expect_same_as_rule(Rule::boltzmann(std::ldexp(rng.uniform(), static_cast<int>(rng.below(12)) - 6)), states, 2, q);
  }
}

TEST(PolicyTable, TwoActionsWithExtremeValuesToo) {
  constexpr double most = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min();
  const std::vector<double> values = {0.0,   -0.0,  1.0,   -1.0,  least,  -least, most,   -most, 1e300,
                                      707.0, 708.0, 708.5, 709.0, 1e-300, -708.0, 1416.0, 0.1,   -5.0};
  std::vector<double> q;
  for (const double one : values)
    for (const double other : values) q.insert(q.end(), {one, other});
  for (const double eta : {0.0, 1e-300, 0.1, 0.5, 1.0, 1e300})
    expect_same_as_rule(Rule::boltzmann(eta), static_cast<int>(q.size()) / 2, 2, q);
}

TEST(PolicyTable, OtherRulesAndMoreActions) {
  Rng rng(2);
  for (const int actions : {2, 3, 5})
    for (const Rule& rule : {Rule::boltzmann(0.7), Rule::greedy(0.0), Rule::greedy(0.05)}) {
      std::vector<double> q;
      for (int pair = 0; pair < 33 * actions; ++pair) q.push_back(static_cast<double>(rng.below(5)));  // with ties
      expect_same_as_rule(rule, 33, actions, q);
    }
}

TEST(PolicyTable, UniformGivenAndConstantPolicies) {
  PolicyTable table(3, 4);
  for (const double p : table.probabilities()) EXPECT_EQ(p, 0.25);
  const std::vector<double> given = {0.5, 0.5, 0.0, 0.0, 0.1, 0.2, 0.3, 0.4, 0.0, 0.0, 0.0, 1.0};
  table.set(given);
  EXPECT_EQ(std::vector(table.probabilities().begin(), table.probabilities().end()), given);
  Rng rng(3);
  for (int k = 0; k < 1000; ++k) EXPECT_EQ(table.sample(2, rng), 3);
  for (int action = 0; action < 4; ++action) {
    table.set_always(action);
    for (int k = 0; k < 1000; ++k) EXPECT_EQ(table.sample(k % 3, rng), action);
  }
}

// False-alarm rate: 50 counts, each within 5.5 standard deviations but for a chance of 4e-8 (the normal tail; the
// smallest expected count is 2000, where the binomial's differs little): below 4e-6 in all.
TEST(PolicyTable, SamplesHaveTheProbabilitiesOfTheTable) {
  constexpr int states = 10, actions = 5, draws = 200'000;
  Rng rng(4);
  PolicyTable table(states, actions);
  std::vector<double> p;
  for (int x = 0; x < states; ++x) {
    std::vector<double> row;
    double total = 0.0;
    for (int a = 0; a < actions; ++a) total += row.emplace_back(x == 0 && a == 2 ? 0.0 : 0.1 + rng.uniform());
    for (const double each : row) p.push_back(each / total);
  }
  table.set(p);
  for (int x = 0; x < states; ++x) {
    std::vector<int> counts(actions, 0);
    for (int k = 0; k < draws; ++k) ++counts[static_cast<std::size_t>(table.sample(x, rng))];
    for (int a = 0; a < actions; ++a) {
      const double chance = p[static_cast<std::size_t>(x * actions + a)];
      EXPECT_NEAR(counts[static_cast<std::size_t>(a)], draws * chance, 5.5 * std::sqrt(draws * chance * (1.0 - chance)))
          << "state " << x << ", action " << a;
    }
  }
}

// False-alarm rate: 20 counts at 5.5 standard deviations, below 1e-6.
TEST(PolicyTable, TwoActionsSampledFromARule) {
  constexpr int states = 20, draws = 100'000;
  Rng rng(5);
  std::vector<double> q;
  for (int pair = 0; pair < 2 * states; ++pair) q.push_back(6.0 * rng.uniform());
  PolicyTable table(states, 2);
  table.set(Rule::boltzmann(0.5), q);
  for (int x = 0; x < states; ++x) {
    const auto at = static_cast<std::size_t>(2 * x);
    const double second = 1.0 / (1.0 + std::exp(0.5 * (q[at + 1] - q[at])));
    int count = 0;
    for (int k = 0; k < draws; ++k) count += table.sample(x, rng);
    EXPECT_NEAR(count, draws * second, 5.5 * std::sqrt(draws * second * (1.0 - second))) << "state " << x;
  }
}

}  // namespace
}  // namespace politex
