// The texts of the report: infinite, vacuous, exceeded, and premises that do not hold.
#include "politex/report/bounds_section.hpp"

#include <gtest/gtest.h>

namespace politex {
namespace {

RunRecord record() {
  RunRecord run;
  run.settings = {{"algorithm.eta", "0.1"}, {"exact.every", "1"}, {"seed", "1"}};
  run.finished = true;
  for (const char* term : {"V", "W", "V_explore", "W_explore"}) {
    const std::string name = term;
    run.numbers["regret_terms." + name] = -50.0;
    run.numbers["regret_split." + name + ".transient"] = -60.0;
    run.numbers["regret_split." + name + ".martingale"] = 10.0;
    run.numbers["bounds." + name + ".corrected"] = 80.0;
  }
  for (const char* printed : {"V.printed_main_text", "V.printed_appendix", "V.printed_appendix_proof", "W.printed"})
    run.numbers[std::string("bounds.") + printed] = 40.0;
  run.numbers.merge(std::map<std::string, double>{{"steps", 1000.0},
                                                  {"segments.explorer.steps", 100.0},
                                                  {"bounds.delta", 0.05},
                                                  {"bounds.cost_range", 2.0},
                                                  {"bounds.tau", 0.5},
                                                  {"bounds.kappa", 1.44},
                                                  {"bounds.sigma", 0.02},
                                                  {"bounds.bias_premise", 10.0},
                                                  {"bounds.theory_eta", 0.003},
                                                  {"bounds.PR.pseudo_regret", 100.0},
                                                  {"bounds.PR.sure", 900.0},
                                                  {"bounds.PR.printed", 9000.0}});
  return run;
}

std::string page_of(const RunRecord& run) {
  const std::vector<RunRecord> runs = {run};
  HtmlPage page("test");
  add_bounds(page, runs, group_runs(runs));
  return page.text();
}

bool says(const std::string& page, const std::string& words) { return page.find(words) != std::string::npos; }

TEST(BoundsSection, ShowsEveryBound) {
  const std::string page = page_of(record());
  EXPECT_TRUE(says(page, "80; holds"));
  EXPECT_TRUE(says(page, "40; exceeded in 1 of 1"));
  EXPECT_TRUE(says(page, "9e+03; vacuous"));
  EXPECT_TRUE(says(page, "900; holds"));
  EXPECT_TRUE(says(page, "not computed"));  // Q_max of the paper is missing from this record
  EXPECT_TRUE(says(page, "A2 (mixing) holds"));
  EXPECT_TRUE(says(page, "which would be 0.003 here"));
  EXPECT_FALSE(says(page, "premise of the bias lemma does not hold"));
  EXPECT_FALSE(says(page, "Only every"));
  for (const char* version : {"line 346", "line 478", "line 507"}) EXPECT_TRUE(says(page, version));
}

TEST(BoundsSection, StatesWhichAssumptionsFail) {
  RunRecord run = record();
  run.numbers["bounds.tau"] = 1.0;
  run.numbers["bounds.sigma"] = 0.0;
  run.numbers["bounds.sigma_on_span"] = 0.01;
  run.numbers["bounds.bias_premise"] = 1e7;
  run.settings = {{"algorithm.eta", "theory"}, {"exact.every", "5"}};
  const std::string page = page_of(run);
  EXPECT_TRUE(says(page, "A2 (mixing) fails"));
  EXPECT_TRUE(says(page, "infinite: A2 fails"));
  EXPECT_TRUE(says(page, "0 under"));
  EXPECT_TRUE(says(page, "premise of the bias lemma does not hold"));
  EXPECT_TRUE(says(page, "Only every 5th phase"));
  EXPECT_FALSE(says(page, "which would be"));
}

TEST(BoundsSection, LearnersWithoutAStepSizeHaveNone) {
  RunRecord run = record();
  run.settings = {{"exact.every", "1"}};
  run.numbers.erase("bounds.theory_eta");
  const std::string page = page_of(run);
  EXPECT_TRUE(says(page, "this learner has no η"));
  EXPECT_TRUE(says(page, "ε₀ over the policies of the run: not computed"));
  EXPECT_FALSE(says(page, "nan"));
  EXPECT_FALSE(says(page, "η = ."));
}

TEST(BoundsSection, RunsWithoutExactQuantitiesHaveNoSuchSection) {
  RunRecord run = record();
  run.numbers.erase("bounds.delta");
  EXPECT_FALSE(says(page_of(run), "bounds"));
}

}  // namespace
}  // namespace politex
