#include "politex/report/claims.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "figures/deep_sea_synthetic.hpp"
#include "politex/base/error.hpp"
#include "politex/figures/deep_sea/figure.hpp"

namespace politex {
namespace {

TEST(Claims, AnswersUseTheWholeInterval) {
  EXPECT_EQ(is_below({-1.4, -1.45, -1.36}, -1.35), Answer::yes);
  EXPECT_EQ(is_below({-1.4, -1.45, -1.34}, -1.35), Answer::undecided);
  EXPECT_EQ(is_below({-1.2, -1.25, -1.15}, -1.35), Answer::no);
  EXPECT_EQ(is_above({0.2, 0.1, 0.3}, 0.0), Answer::yes);
  EXPECT_EQ(is_above({0.0, 0.0, 0.0}, 0.0), Answer::no);
  EXPECT_EQ(is_above({0.1, -0.1, 0.3}, 0.0), Answer::undecided);
  EXPECT_EQ(is_within({0.0, -0.1, 0.1}, -0.15, 0.15), Answer::yes);
  EXPECT_EQ(is_within({0.1, -0.1, 0.3}, -0.15, 0.15), Answer::undecided);
  EXPECT_EQ(is_within({-0.3, -0.4, -0.2}, -0.15, 0.15), Answer::no);
  EXPECT_EQ(both(Answer::yes, Answer::undecided), Answer::undecided);
  EXPECT_EQ(both(Answer::no, Answer::undecided), Answer::no);
}

TEST(Claims, VerdictCountsTheChecks) {
  const auto verdict = [](std::vector<Answer> answers) {
    Claim claim;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      claim.checks.push_back({std::string(1, static_cast<char>('A' + i)), "", "", answers[i]});
    }
    return judge(claim).text();
  };
  using enum Answer;
  EXPECT_EQ(verdict({yes, yes, yes}), "holds");
  EXPECT_EQ(verdict({yes, no, yes}), "holds except B");
  EXPECT_EQ(verdict({yes, undecided, no, yes, yes}), "holds except B (undecided); C");
  EXPECT_EQ(verdict({yes, no}), "fails: 1 of 2 checks are as claimed");
  EXPECT_EQ(verdict({undecided}), "not established: 0 of 1 checks are as claimed");
  EXPECT_EQ(verdict({yes, undecided}), "not established: 1 of 2 checks are as claimed");
  EXPECT_EQ(verdict({undecided, no}), "fails: 0 of 2 checks are as claimed");
  EXPECT_THROW(judge(Claim{}), Error);

  Claim claim;
  claim.checks = {{"RLSVI", "N=20", "", undecided},
                  {"RLSVI", "N=30", "", yes},
                  {"RLSVI", "N=50", "", no},
                  {"LSPI", "N=20", "", yes},
                  {"LSPI", "N=30", "", yes},
                  {"LSPI", "N=50", "", no},
                  {"LSPE", "", "", yes}};
  EXPECT_EQ(judge(claim).text(), "holds except RLSVI at N=20 (undecided), N=50; LSPI at N=50");
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
  EXPECT_EQ(findings([](DeepSeaData& data) { set_cost(data, {DeepSeaCurve::one_visit}, {2}, -1.14); })[0],
            holds_except);
  // A mean on the right side whose interval crosses the border is an exception too.
  EXPECT_EQ(findings([](DeepSeaData& data) { set_cost(data, {DeepSeaCurve::one_visit}, {2}, -1.36, 0.5); })[0],
            holds_except);
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
  EXPECT_EQ(findings([](DeepSeaData& data) { set_cost(data, {DeepSeaCurve::rlsvi}, {20}, -0.5); })[1], holds_except);
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
  EXPECT_EQ(findings([](DeepSeaData& data) { set_cost(data, {DeepSeaCurve::rlsvi}, {50}, 0.4); })[1], holds_except);
}

TEST(DeepSeaClaims, KeepingTheTreasureCanFail) {
  EXPECT_EQ(findings([](DeepSeaData& data) { set_cost(data, {DeepSeaCurve::first_visit}, {50}, -0.2); })[2],
            holds_except);
  EXPECT_EQ(findings([](DeepSeaData& data) { set_cost(data, {DeepSeaCurve::every_visit}, {50}, -0.8, 1.2); })[2],
            holds_except);
  EXPECT_EQ(findings([](DeepSeaData& data) {
              set_cost(data, {DeepSeaCurve::first_visit, DeepSeaCurve::every_visit}, upper_half, -0.1);
            })[2],
            fails);
}

TEST(DeepSeaClaims, OneVisitDeterioratingCanFail) {
  const std::vector<DeepSeaCurve> judged{DeepSeaCurve::one_visit_coprime, DeepSeaCurve::one_visit_own_mean_coprime};
  EXPECT_EQ(findings([&](DeepSeaData& data) { set_cost(data, {judged[0]}, upper_half, -0.1); })[3], holds_except);
  EXPECT_EQ(findings([&](DeepSeaData& data) { set_cost(data, judged, upper_half, -0.1); })[3], fails);
  // Positive from the start and falling: not a deterioration.
  EXPECT_EQ(findings([&](DeepSeaData& data) {
              set_cost(data, judged, every_size, 0.4);
              set_cost(data, judged, upper_half, 0.3);
            })[3],
            holds_except);
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
  const Interval slope = cost_per_doubling(data, DeepSeaCurve::rlsvi, data.grid.sizes);
  EXPECT_NEAR(slope.mean, 0.25, 1e-12);
  EXPECT_NEAR(slope.half_width(), 0.0, 1e-12);  // every seed has the same slope, although the seeds differ in level
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
