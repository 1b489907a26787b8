#include "politex/page/html.hpp"

#include <gtest/gtest.h>

#include "politex/base/error.hpp"

namespace politex {
namespace {

TEST(Html, TextIsEscapedAndMarkupIsNot) {
  EXPECT_EQ(Html("a<b & \"c\" 'd'>").text(), "a&lt;b &amp; &quot;c&quot; &#39;d&#39;&gt;");
  EXPECT_EQ(Html::tag("b", "x<y").text(), "<b>x&lt;y</b>");
  EXPECT_EQ((Html("1<2") + Html::markup("<br>")).text(), "1&lt;2<br>");
  EXPECT_EQ(badge("holds", "good").text(), "<span class=\"badge good\">holds</span>");
}

TEST(Html, TableCellsAreEscaped) {
  HtmlTable table{.caption = "c<d", .header = {"", "N=2"}, .rows = {{"<script>", "-1.5"}}, .words = false};
  const std::string text = table_html(table).text();
  EXPECT_EQ(text.find("<script>"), std::string::npos);
  EXPECT_NE(text.find("<th scope=\"row\">&lt;script&gt;</th><td>-1.5</td>"), std::string::npos);
}

TEST(Html, PageNeedsNoNetwork) {
  HtmlPage page("T & U");
  page.heading("one");
  page.figure("<?xml version='1.0'?>\n<!DOCTYPE svg>\n<svg width='1'></svg>", "caption");
  const std::string text = page.text();
  EXPECT_NE(text.find("<title>T &amp; U</title>"), std::string::npos);
  EXPECT_EQ(text.find("<?xml"), std::string::npos);
  EXPECT_EQ(text.find("src="), std::string::npos);
  EXPECT_EQ(text.find("http"), std::string::npos);
  EXPECT_NE(text.find("prefers-color-scheme: dark"), std::string::npos);
  EXPECT_THROW(page.figure("not a drawing", ""), Error);
}

}  // namespace
}  // namespace politex
