#include "politex/page/html.hpp"

#include <utility>

#include <fmt/format.h>

#include "politex/base/error.hpp"

namespace politex::inline page {

namespace {

constexpr std::string_view style = R"css(
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1c1e21; --soft: #5b6270; --line: #d9dce1; --panel: #f4f5f7;
  --accent: #0b5c96; --good: #0a6b4f; --mixed: #8a5a00; --bad: #a3330a; }
@media (prefers-color-scheme: dark) { :root { --ground: #15171a; --ink: #e6e8eb; --soft: #a2a9b4; --line: #363b43;
  --panel: #1f2328; --accent: #6cb6ec; --good: #1f9c76; --mixed: #b67a0a; --bad: #d4572a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 104rem; padding: 1rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, "DejaVu Sans", sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .6rem 0 .4rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p, ul { margin: .5rem 0; } ul { padding-left: 1.3rem; }
a { color: var(--accent); }
figure { margin: 1rem 0; }
.drawing { background: #ffffff; border: 1px solid var(--line); border-radius: 6px; padding: .4rem; overflow-x: auto; }
.drawing svg, .drawing img { display: block; width: 100%; min-width: 34rem; height: auto; }
figcaption, .caption { color: var(--soft); font-size: .9rem; text-align: left; }
figcaption, .caption { margin-top: .4rem; }
.scroll { overflow-x: auto; margin: .8rem 0 .4rem; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { border-bottom: 2px solid var(--line); text-align: right; vertical-align: bottom; }
td { text-align: right; white-space: nowrap; }
tbody th, thead th:first-child { text-align: left; font-weight: 600; }
tbody th { min-width: 8rem; max-width: 22rem; position: sticky; left: 0; background: var(--ground); }
.words td, .words thead th { text-align: left; white-space: normal; }
small { color: var(--soft); font-size: .82em; }
pre, code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .86rem; }
pre { background: var(--panel); border-radius: 6px; padding: .7rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.badge { display: inline-block; border-radius: 4px; padding: .05rem .5rem; color: #ffffff; font-weight: 600;
  font-size: .9rem; background: var(--soft); }
.badge.good { background: var(--good); } .badge.mixed { background: var(--mixed); } .badge.bad { background: var(--bad); }
.claim { border: 1px solid var(--line); border-radius: 6px; padding: .6rem .9rem; margin: .8rem 0; }
.claim h3 { margin-top: .1rem; }
.notice { background: var(--panel); border-left: 4px solid var(--mixed); padding: .5rem .8rem; margin: .8rem 0; }
details { margin: .6rem 0; } summary { cursor: pointer; color: var(--accent); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .6rem 0; font-size: .92rem; }
dt { color: var(--soft); } dd { margin: 0; }
p, ul, dl, pre, figure, .caption, .claim, .notice { max-width: 62rem; }
table.cards thead th[role] { cursor: pointer; } thead th[aria-sort=ascending]::after { content: " \2191"; }
thead th[aria-sort=descending]::after { content: " \2193"; }
.find-rows { font: inherit; font-size: .9rem; width: min(26rem, 100%); margin-top: .8rem; }
@media (max-width: 40rem) { table.cards, .cards tbody, .cards tr, .cards th, .cards td { display: block; }
  .cards thead { display: none; } .cards tr { padding: .4rem 0; border-bottom: 2px solid var(--line); }
  .cards tr[hidden] { display: none; } .cards tbody th { position: static; max-width: none; border: 0; }
  .cards td { display: flex; justify-content: flex-end; gap: .4rem; border: 0; padding: .1rem .6rem; white-space: normal; }
  .cards td::before { content: attr(data-label); color: var(--soft); text-align: left; margin-right: auto; } }
@media (min-width: 40rem) and (max-width: 96rem) { .wide td small { display: block; } }
@media (max-width: 40rem) { body { padding: .7rem; } h1 { font-size: 1.3rem; } dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .4rem; } }
@media print { .drawing { border: 0; } }
)css";

}  // namespace

void Html::append_escaped(std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '&':
        markup_ += "&amp;";
        break;
      case '<':
        markup_ += "&lt;";
        break;
      case '>':
        markup_ += "&gt;";
        break;
      case '"':
        markup_ += "&quot;";
        break;
      case '\'':
        markup_ += "&#39;";
        break;
      default:
        markup_ += c;
    }
  }
}

Html Html::markup(std::string markup) {
  Html html;
  html.markup_ = std::move(markup);
  return html;
}

Html Html::tag(std::string_view name, const Html& content, std::string_view css_class) {
  const std::string attribute = css_class.empty() ? "" : fmt::format(" class=\"{}\"", css_class);
  return markup(fmt::format("<{0}{1}>{2}</{0}>", name, attribute, content.text()));
}

Html& Html::operator+=(const Html& other) {
  markup_ += other.markup_;
  return *this;
}

Html table_html(const HtmlTable& table) {
  std::string text = fmt::format("<div class=\"scroll\"><table{}>", table.words ? " class=\"words\"" : "");
  text += "<thead><tr>";
  for (const Html& cell : table.header) text += "<th scope=\"col\">" + cell.text() + "</th>";
  text += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += i == 0 ? "<th scope=\"row\">" + row[i].text() + "</th>" : "<td>" + row[i].text() + "</td>";
    }
    text += "</tr>\n";
  }
  text += "</tbody></table></div>\n";
  // Not part of the scrolling area: a caption as wide as a wide table is hard to read on a phone.
  if (!table.caption.empty()) text += Html::tag("p", table.caption, "caption").text() + "\n";
  return Html::markup(text);
}

Html definitions_html(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Html content;
  for (const auto& [name, value] : pairs) content += Html::tag("dt", name) + Html::tag("dd", value);
  return Html::tag("dl", content);
}

Html badge(std::string_view text, std::string_view kind) {
  return Html::tag("span", text, fmt::format("badge {}", kind));
}

std::string inline_svg(std::string_view svg_file) {
  const auto begin = svg_file.find("<svg");
  if (begin == std::string_view::npos) throw Error("the drawing is not an SVG file");
  return std::string(svg_file.substr(begin));
}

void HtmlPage::heading(const Html& text) { add(Html::tag("h2", text)); }
void HtmlPage::paragraph(const Html& text) { add(Html::tag("p", text)); }
void HtmlPage::table(const HtmlTable& table) { add(table_html(table)); }
void HtmlPage::code(std::string_view text) { add(Html::tag("pre", Html::tag("code", text))); }
void HtmlPage::add(const Html& block) { body_ += block.text() + "\n"; }

void HtmlPage::list(const std::vector<Html>& items) {
  Html content;
  for (const Html& item : items) content += Html::tag("li", item);
  add(Html::tag("ul", content));
}

void HtmlPage::figure(std::string_view svg, const Html& caption) {
  add(Html::tag("figure",
                Html::tag("div", Html::markup(inline_svg(svg)), "drawing") + Html::tag("figcaption", caption)));
}

void HtmlPage::details(const Html& summary, const Html& content) {
  add(Html::tag("details", Html::tag("summary", summary) + content));
}

std::string HtmlPage::text(std::string_view head) const {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<link rel=\"icon\" "
      "href=\"data:,\">\n<style>{1}</style>\n{2}</head>\n<body>\n<h1>{0}</h1>\n{3}"
      "</body>\n</html>\n",
      Html(title_).text(), style, head, body_);
}

}  // namespace politex::inline page
