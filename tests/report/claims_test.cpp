#include "politex/report/claims.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "figures/deep_sea_synthetic.hpp"
#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"
#include "politex/figures/deep_sea/figure.hpp"

namespace politex {
namespace {

using Sample = std::vector<double>;

TEST(Claims, EvidenceOfASingleCheckIsThe95PercentInterval) {
  const auto answer = [](const Evidence& evidence) {
    Claim claim;
    claim.checks = {{"A", "", "", evidence}};
    return answers_of(claim)[0].answer;
  };
  const Sample values{1.0, 2.0, 6.0, 3.0};
  const Interval interval = t_interval(values);
  EXPECT_EQ(answer(mean_below(values, interval.high + 1e-6, 0.0)), Answer::yes);
  EXPECT_EQ(answer(mean_below(values, interval.high - 1e-6, 0.0)), Answer::undecided);
  EXPECT_EQ(answer(mean_below(values, interval.low + 1e-6, -9.0)), Answer::undecided);
  EXPECT_EQ(answer(mean_below(values, interval.low - 1e-6, -9.0)), Answer::no);
  EXPECT_EQ(answer(mean_above(values, interval.low - 1e-6, 9.0)), Answer::yes);
  EXPECT_EQ(answer(mean_above(values, interval.high + 1e-6, 9.0)), Answer::no);
  EXPECT_EQ(answer(mean_within(values, interval.low - 0.1, interval.high + 0.1)), Answer::yes);
  // Too narrow a range for this spread: no mean could be established in it.
  EXPECT_EQ(answer(mean_within(values, 2.9, 3.1)), Answer::no_power);
  // Clearly true would be at the limit less 0.1, far below what four such values resolve.
  EXPECT_EQ(answer(mean_below(values, 3.5, 3.4)), Answer::no_power);
  EXPECT_EQ(answer(mean_below(values, 3.5, -9.0)), Answer::undecided);
  EXPECT_EQ(answer(mean_below(Sample{1.0}, 5.0, 0.0)), Answer::no_power);
  EXPECT_EQ(answer(mean_above(Sample{0.0, 0.0, 0.0}, 0.0, 1.0)), Answer::no);  // equal is not above
  EXPECT_EQ(answer(cannot_contradict(mean_below(values, -99.0, -200.0))), Answer::undecided);
  EXPECT_EQ(answer(certain(true)), Answer::yes);
  EXPECT_EQ(answer(certain(false)), Answer::no);
}

// Fair coins: six of six have probability 1/64, five of five 1/32 > .025.
TEST(Claims, CountsAreJudgedByTheBinomialTest) {
  EXPECT_DOUBLE_EQ(most_succeed(6, 6).p_if_false, 1.0 / 64.0);
  EXPECT_DOUBLE_EQ(most_succeed(0, 6).p_if_true, 1.0 / 64.0);
  Claim claim;
  claim.checks = {{"A", "", "", most_succeed(5, 5)}};
  EXPECT_EQ(judge(claim).finding, Finding::no_power);
  claim.checks = {{"A", "", "", most_succeed(6, 6)}};
  EXPECT_EQ(judge(claim).finding, Finding::holds);
  claim.checks = {{"A", "", "", most_succeed(6, 6)}, {"B", "", "", most_succeed(6, 6)}};  // corrected: 2/64
  EXPECT_EQ(judge(claim).finding, Finding::no_power);
  claim.checks = {{"A", "", "", most_succeed(4, 6)}};
  EXPECT_EQ(judge(claim).finding, Finding::not_established);
  EXPECT_EQ(count_text(18, 20), "18 of 20 seeds [68%, 99%]");
}

TEST(Claims, VerdictNamesEveryCheckThatIsNotAsClaimed) {
  const Evidence yes{.p_if_false = 0.0, .p_if_true = 1.0}, no{.p_if_false = 1.0, .p_if_true = 0.0};
  const Evidence undecided{.p_if_false = 0.5, .p_if_true = 0.5},
      powerless{.p_if_false = 0.5, .p_if_true = 0.5, .best_p = 0.4};
  const auto verdict = [](const std::vector<Evidence>& evidence) {
    Claim claim;
    for (std::size_t i = 0; i < evidence.size(); ++i)
      claim.checks.push_back({std::string(1, static_cast<char>('A' + i)), "", "", evidence[i]});
    return judge(claim).text();
  };
  EXPECT_EQ(verdict({yes, yes, yes}), "holds");
  // One contradicted check is enough, however many others hold.
  EXPECT_EQ(verdict({yes, no, yes, yes, yes}), "fails: contradicted by B; 4 of 5 checks are as claimed");
  EXPECT_EQ(verdict({yes, undecided, no, powerless}),
            "fails: contradicted by C; undecided: B; no power: D; 1 of 4 checks are as claimed");
  EXPECT_EQ(verdict({yes, undecided}), "not established: undecided: B; 1 of 2 checks are as claimed");
  EXPECT_EQ(verdict({yes, undecided, powerless}),
            "not established: undecided: B; no power: C; 1 of 3 checks are as claimed");
  EXPECT_EQ(verdict({yes, powerless}), "no power: no power: B; 1 of 2 checks are as claimed");
  EXPECT_THROW(judge(Claim{}), Error);

  Claim claim;
  claim.checks = {{"RLSVI", "N=20", "", undecided},
                  {"RLSVI", "N=30", "", no},
                  {"RLSVI", "N=50", "", no},
                  {"LSPI", "N=50", "", no},
                  {"LSPE", "", "", yes}};
  EXPECT_EQ(judge(claim).text(),
            "fails: contradicted by RLSVI at N=30, N=50; LSPI at N=50; undecided: RLSVI at N=20; 1 of 5 checks are as "
            "claimed");
}

/// Claims with ten checks of ten normal seeds each; how often each finding comes out of 2000.
std::vector<int> findings_of(double mean_of_seeds, double deviation, std::uint64_t seed) {
  std::vector<int> counts(4);
  Rng rng(seed);
  for (int i = 0; i < 2000; ++i) {
    Claim claim;
    for (int j = 0; j < 10; ++j) {
      Sample values;
      for (int k = 0; k < 10; ++k) values.push_back(mean_of_seeds + deviation * rng.normal());
      claim.checks.push_back({"A", "", "", mean_below(values, 1.0, 0.0)});
    }
    ++counts[static_cast<std::size_t>(judge(claim).finding)];
  }
  return counts;
}

// "Below 1", clearly true at 0. On the border some check is answered wrongly, either way, with probability 2.5% at
// most: of 2000 claims 50 expected at most, s.d. 7; 85 is 5 s.d. (false-alarm rate below 1e-6), and the seeds are
// fixed.
TEST(Claims, SyntheticDataGiveHoldsFailsAndNoPower) {
  using enum Finding;
  const auto count = [](const std::vector<int>& counts, Finding finding) {
    return counts[static_cast<std::size_t>(finding)];
  };
  EXPECT_EQ(count(findings_of(0.0, 0.3, 1), holds), 2000);
  EXPECT_EQ(count(findings_of(2.0, 0.3, 2), fails), 2000);
  EXPECT_GT(count(findings_of(0.0, 10.0, 3), no_power), 1900);
  const std::vector<int> border = findings_of(1.0, 0.3, 4);
  EXPECT_LE(count(border, fails), 85);
  EXPECT_EQ(count(border, holds), 0);  // would need all ten to be wrong
  EXPECT_LE(count(findings_of(0.0, 10.0, 5), fails), 85);
}

// Without the correction a claim of ten checks that are all just true would fail with probability 1 - .975^10 = 22%.
TEST(Claims, ManyChecksAreCorrected) {
  Rng rng(6);
  int uncorrected = 0, corrected = 0;
  for (int i = 0; i < 2000; ++i) {
    Claim claim;
    for (int j = 0; j < 10; ++j) {
      Sample values;
      for (int k = 0; k < 10; ++k) values.push_back(rng.normal());
      claim.checks.push_back({"A", "", "", mean_below(values, 0.0, -9.0)});
    }
    uncorrected +=
        std::ranges::any_of(claim.checks, [](const Check& c) { return c.evidence.p_if_true <= claim_alpha; }) ? 1 : 0;
    corrected += judge(claim).finding == Finding::fails ? 1 : 0;
  }
  EXPECT_GT(uncorrected, 350);
  EXPECT_LE(corrected, 85);
}

/// The findings for the four claims after `change` is applied to the data.
std::vector<Finding> findings(const std::function<void(DeepSeaData&)>& change) {
  DeepSeaData data = story();
  change(data);
  std::vector<Finding> result;
  for (const Claim& claim : deep_sea_claims(data)) result.push_back(judge(claim).finding);
  return result;
}

void set_cost(DeepSeaData& data, std::vector<DeepSeaCurve> which, const std::vector<int>& sizes, double cost,
              double spread = 0.01) {
  for (const DeepSeaCurve curve : which) {
    for (const int size : sizes) data.cells[{curve, size}] = constant_cell(cost, spread);
  }
}

const std::vector<int> every_size{2, 5, 10, 20, 30, 50};
const std::vector<int> upper_half{20, 30, 50};
using enum Finding;

TEST(DeepSeaClaims, AllClaimsHoldOnTheDataOfThePaper) {
  EXPECT_EQ(findings([](DeepSeaData&) {}), (std::vector{holds, holds, holds, holds}));
}

TEST(DeepSeaClaims, AllNearTheLowestCostCanFail) {
  EXPECT_EQ(findings([](DeepSeaData& data) { set_cost(data, {DeepSeaCurve::one_visit}, {2}, -1.14); })[0], fails);
  // A median on the right side with nearly half of the seeds on the other is undecided.
  EXPECT_EQ(findings([](DeepSeaData& data) { set_cost(data, {DeepSeaCurve::one_visit}, {2}, -1.36, 0.5); })[0],
            not_established);
  EXPECT_EQ(findings([](DeepSeaData& data) {
              set_cost(data,
                       {DeepSeaCurve::one_visit, DeepSeaCurve::every_visit, DeepSeaCurve::rlsvi, DeepSeaCurve::lspi},
                       {2}, -0.9);
            })[0],
            fails);
  // Other curves change nothing.
  EXPECT_EQ(findings([](DeepSeaData& data) { set_cost(data, {DeepSeaCurve::tuned}, {2}, 0.0); })[0], holds);
}

TEST(DeepSeaClaims, EndingAtAlwaysZeroCanFail) {
  EXPECT_EQ(findings([](DeepSeaData& data) { set_cost(data, {DeepSeaCurve::rlsvi}, {20}, -0.5); })[1], fails);
  EXPECT_EQ(findings([](DeepSeaData& data) {
              set_cost(data, {DeepSeaCurve::politex_lsmc, DeepSeaCurve::politex_lspe}, upper_half, -0.5);
            })[1],
            fails);
  // The average alone is not enough: a final policy that keeps the treasure is not "always action 0".
  EXPECT_EQ(findings([](DeepSeaData& data) {
              for (const int size : upper_half) {
                data.cells[{DeepSeaCurve::rlsvi, size}].gain_from_last_state = constant_cell(-1.5).average_cost;
                data.cells[{DeepSeaCurve::politex_lsmc, size}].gain_from_start = constant_cell(-1.5).average_cost;
              }
            })[1],
            fails);
  // Worse than doing nothing is not always-0 either.
  EXPECT_EQ(findings([](DeepSeaData& data) { set_cost(data, {DeepSeaCurve::rlsvi}, {50}, 0.4); })[1], fails);
  // Two seeds of twenty that keep the treasure do not change what a typical run does.
  EXPECT_EQ(findings([](DeepSeaData& data) {
              DeepSeaCell& cell = data.cells[{DeepSeaCurve::rlsvi, 20}];
              cell.average_cost[0] = cell.average_cost[1] = -1.5;
            })[1],
            holds);
}

TEST(DeepSeaClaims, FewSeedsHaveNoPower) {
  EXPECT_EQ(findings([](DeepSeaData& data) {
              for (auto& [place, cell] : data.cells)
                for (auto* column : {&cell.average_cost, &cell.gain_from_start, &cell.gain_from_last_state})
                  column->resize(5);
            }),
            (std::vector{no_power, no_power, no_power, no_power}));
}

TEST(DeepSeaClaims, KeepingTheTreasureCanFail) {
  EXPECT_EQ(findings([](DeepSeaData& data) { set_cost(data, {DeepSeaCurve::first_visit}, {50}, -0.2); })[2], fails);
  EXPECT_EQ(findings([](DeepSeaData& data) { set_cost(data, {DeepSeaCurve::every_visit}, {50}, -0.8, 1.2); })[2],
            not_established);
  EXPECT_EQ(findings([](DeepSeaData& data) {
              set_cost(data, {DeepSeaCurve::first_visit, DeepSeaCurve::every_visit}, upper_half, -0.1);
            })[2],
            fails);
}

TEST(DeepSeaClaims, OneVisitDeterioratingCanFail) {
  const std::vector<DeepSeaCurve> judged{DeepSeaCurve::one_visit_coprime, DeepSeaCurve::one_visit_own_mean_coprime};
  EXPECT_EQ(findings([&](DeepSeaData& data) { set_cost(data, {judged[0]}, upper_half, -0.1); })[3], fails);
  EXPECT_EQ(findings([&](DeepSeaData& data) { set_cost(data, judged, upper_half, -0.1); })[3], fails);
  // Positive from the start and falling: not a deterioration.
  EXPECT_EQ(findings([&](DeepSeaData& data) {
              set_cost(data, judged, every_size, 0.4);
              set_cost(data, judged, upper_half, 0.3);
            })[3],
            fails);
  // The plain preset is shown but not part of the verdict.
  EXPECT_EQ(findings([](DeepSeaData& data) {
              set_cost(data, {DeepSeaCurve::one_visit, DeepSeaCurve::one_visit_own_mean}, every_size, -1.4);
            })[3],
            holds);
}

TEST(DeepSeaClaims, SlopeIsPerDoublingAndPerSeed) {
  DeepSeaData data = story();
  data.grid.sizes = {2, 4, 8};
  for (int i = 0; i < 3; ++i) data.cells[{DeepSeaCurve::rlsvi, 2 << i}] = constant_cell(-1.0 + 0.25 * i, 0.3);
  // Every seed has the same slope, although the seeds differ in level.
  for (const double slope : costs_per_doubling(data, DeepSeaCurve::rlsvi, data.grid.sizes))
    EXPECT_NEAR(slope, 0.25, 1e-12);
}

TEST(DeepSeaClaims, NumbersAreFormattedForReading) {
  EXPECT_EQ(number_text(-1.434), "−1.43");
  EXPECT_EQ(number_text(-0.001), "0.00");
  EXPECT_EQ(decimals_for(Interval{1.43, 1.22, 1.64}), 2);
  EXPECT_EQ(decimals_for(Interval{1e-5, 0.9e-5, 1.1e-5}), 7);
  EXPECT_EQ(decimals_for(Interval{-1.2, -1.2 - 1e-15, -1.2 + 1e-15}), 7);  // rounding only
  EXPECT_EQ(decimals_for(1e-4), 6);
  EXPECT_EQ(decimals_for(12345.0), 0);
  EXPECT_EQ(interval_text({-1.0, -1.25, -0.75}), "−1.00 ± 0.25");
}

}  // namespace
}  // namespace politex
