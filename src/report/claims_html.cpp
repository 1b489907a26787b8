#include "politex/report/claims_html.hpp"

namespace politex::inline report {

namespace {

std::string_view badge_kind(Finding finding) {
  if (finding == Finding::holds) return "good";
  return finding == Finding::fails ? "bad" : "mixed";
}

Html checks_table(const std::vector<Check>& checks, bool judged) {
  HtmlTable table{.caption = "", .header = {"", "where", "measured"}, .rows = {}, .words = true};
  if (judged) table.header.emplace_back("as claimed?");
  for (const Check& check : checks) {
    table.rows.push_back({check.subject, check.where, check.measured});
    if (judged) table.rows.back().emplace_back(to_text(check.answer));
  }
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
  content += checks_table(claim.checks, true);
  if (!claim.also_measured.empty()) {
    content += Html::tag("details", Html::tag("summary", "Also measured, not part of the verdict") +
                                        checks_table(claim.also_measured, false));
  }
  return Html::tag("section", content, "claim");
}

}  // namespace politex::inline report
