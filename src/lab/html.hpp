// Building blocks of self-contained reports: one HTML file, no network, readable on a phone and in the dark.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace politex::lab {

/// A piece of HTML. Text becomes HTML by escaping; markup has to be asked for by name.
class Html {
 public:
  Html() = default;
  Html(std::string_view text) { append_escaped(text); }            // NOLINT(google-explicit-constructor)
  Html(const char* text) : Html(std::string_view(text)) {}         // NOLINT(google-explicit-constructor)
  Html(const std::string& text) : Html(std::string_view(text)) {}  // NOLINT(google-explicit-constructor)
  static Html markup(std::string markup);
  /// <tag>content</tag>, with a class when one is given.
  static Html tag(std::string_view name, const Html& content, std::string_view css_class = "");

  Html& operator+=(const Html& other);
  friend Html operator+(Html left, const Html& right) { return left += right; }
  const std::string& text() const noexcept { return markup_; }

 private:
  void append_escaped(std::string_view text);

  std::string markup_;
};

/// The first column names its row; the others are numbers, aligned to the right, unless `words` says otherwise.
struct HtmlTable {
  std::string caption;
  std::vector<Html> header;
  std::vector<std::vector<Html>> rows;
  bool words = false;
};

class HtmlPage {
 public:
  explicit HtmlPage(std::string title) : title_(std::move(title)) {}

  void heading(const Html& text);
  void paragraph(const Html& text);
  void list(const std::vector<Html>& items);
  void table(const HtmlTable& table);
  /// A drawing by gnuplot, put into the page; the caption stands below it.
  void figure(std::string_view svg, const Html& caption);
  void code(std::string_view text);
  void add(const Html& block);
  /// Content that a reader opens when wanted.
  void details(const Html& summary, const Html& content);

  /// The whole document. `head` is added to it as it is: scripts and styles of a page that has more than words.
  std::string text(std::string_view head = "") const;

 private:
  std::string title_;
  std::string body_;
};

Html table_html(const HtmlTable& table);
/// A list of name and value, for settings.
Html definitions_html(const std::vector<std::pair<std::string, std::string>>& pairs);
/// A short word on a coloured ground; `kind` is good, mixed or bad. The word itself carries the meaning.
Html badge(std::string_view text, std::string_view kind);
/// The <svg> element of an SVG file, without its prologue.
std::string inline_svg(std::string_view svg_file);

}  // namespace politex::lab
