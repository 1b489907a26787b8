#include "politex/report/claims_html.hpp"

#include <fmt/format.h>

namespace politex::inline report {

namespace {

std::string_view badge_kind(Finding finding) {
  if (finding == Finding::holds) return "good";
  return finding == Finding::fails ? "bad" : "mixed";
}

std::string p_text(double p) { return p < 5e-5 ? "<0.0001" : fmt::format("{:.2g}", p); }

Html checks_table(const Claim& claim) {
  HtmlTable table{.caption = "",
                  .header = {"", "where", "measured", "p if false", "p if true", "as claimed?"},
                  .rows = {},
                  .words = true};
  const std::vector<CheckAnswer> answers = answers_of(claim);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Check& check = claim.checks[i];
    table.rows.push_back({check.subject, check.where, check.measured, p_text(answers[i].p_if_false),
                          p_text(answers[i].p_if_true), to_text(answers[i].answer)});
  }
  return table_html(table);
}

Html measured_table(std::span<const Check> checks) {
  HtmlTable table{.caption = "", .header = {"", "where", "measured"}, .rows = {}, .words = true};
  for (const Check& check : checks) table.rows.push_back({check.subject, check.where, check.measured});
  return table_html(table);
}

}  // namespace

Html verdict_badge(const Verdict& verdict) { return badge(verdict.word, badge_kind(verdict.finding)); }

std::vector<Html> verdict_items(std::span<const Claim> claims) {
  std::vector<Html> items;
  for (const Claim& claim : claims) {
    const Verdict verdict = judge(claim);
    items.push_back(Html(claim.name + " " + claim.statement + " ") + verdict_badge(verdict) +
                    Html::tag("small", " " + verdict.detail));
  }
  return items;
}

Html claim_html(const Claim& claim) {
  const Verdict verdict = judge(claim);
  Html content = Html::tag("h3", Html(claim.name + " ") + Html(claim.statement));
  content += Html::tag("p", verdict_badge(verdict) + Html(" " + verdict.detail));
  content += Html::tag("p", Html::tag("b", "Criterion. ") + Html(claim.criterion));
  content += checks_table(claim);
  if (!claim.also_measured.empty()) {
    content += Html::tag("details", Html::tag("summary", "Also measured, not part of the verdict") +
                                        measured_table(claim.also_measured));
  }
  return Html::tag("section", content, "claim");
}

}  // namespace politex::inline report
