// The page of every figure.
#include <fmt/format.h>

#include <cmath>

#include "politex/base/files.hpp"
#include "politex/figures/figure.hpp"
#include "politex/report/assets.hpp"
#include "politex/report/claims_html.hpp"

namespace politex::inline figures {
namespace {

namespace fs = std::filesystem;

void add_pictures(HtmlPage& page, const FigureReport& report, const fs::path& directory, bool after_claims) {
  for (const FigurePicture& picture : report.pictures) {
    if (picture.after_claims != after_claims) continue;
    const std::string svg = picture.name + ".svg";
    page.figure(read_file(svg, (directory / svg).string()),
                fs::exists(directory / (picture.name + ".png"))
                    ? fmt::format("{} ({}, {}.png)", picture.caption, svg, picture.name)
                    : fmt::format("{} ({})", picture.caption, svg));
  }
}

std::string page_text(const FigureReport& report, const fs::path& directory, const std::string& command) {
  HtmlPage page(report.title);
  page.paragraph(report.introduction);
  if (!report.notice.empty()) page.add(Html::tag("div", report.notice, "notice"));
  if (!report.verdicts.text().empty())
    page.add(report.verdicts);
  else if (!report.claims.empty())
    page.list(verdict_items(report.claims));
  add_pictures(page, report, directory, false);
  page.append(report.results);
  if (!report.claims.empty()) {
    page.heading("The claims, check by check");
    page.paragraph(verdict_rule(report.intervals_over));
    for (const Claim& claim : report.claims) page.add(claim_html(claim));
  }
  add_pictures(page, report, directory, true);
  page.append(report.notes);
  page.heading("How it was made");
  page.code(fmt::format("{}\n\n# one of its runs\n{}", command, report.example));
  page.paragraph(
      fmt::format("{} runs/ has one directory per run: rerun the same command to finish missing runs. politex {}.",
                  report.contents, POLITEX_VERSION));
  return page.text(csp_meta({cartpole_js()}) +
                   (report.style.empty() ? "" : fmt::format("<style>{}</style>\n", report.style)));
}

}  // namespace

void write_report(const FigureReport& report, const fs::path& directory, const std::string& command) {
  for (const FigureFile& file : report.files) write_file((directory / file.name).string(), file.bytes);
  std::vector<Drawing> drawings;
  for (const FigurePicture& picture : report.pictures) drawings.push_back({picture.name, picture.plot});
  draw_all(drawings, directory);
  write_file((directory / "report.html").string(), page_text(report, directory, command));
}

HtmlTable new_table(std::string caption, std::vector<Html> header) {
  return {.caption = std::move(caption), .header = std::move(header), .rows = {}, .words = false};
}

Claim new_claim(std::string name, std::string statement, std::string criterion) {
  return {std::move(name), std::move(statement), std::move(criterion), {}, {}};
}

std::string csv_text(double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); }

}  // namespace politex::inline figures
