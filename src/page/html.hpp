// Building blocks of self-contained reports: one HTML file without network access, for small screens and dark mode too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace politex::inline page {

/// A piece of HTML. Conversion from text escapes it; markup() does not.
class Html {
 public:
  Html() = default;
  Html(std::string_view text) { append_escaped(text); }            // NOLINT(google-explicit-constructor)
  Html(const char* text) : Html(std::string_view(text)) {}         // NOLINT(google-explicit-constructor)
  Html(const std::string& text) : Html(std::string_view(text)) {}  // NOLINT(google-explicit-constructor)
  static Html markup(std::string markup);
  /// <tag>content</tag>, with an optional class.
  static Html tag(std::string_view name, const Html& content, std::string_view css_class = "");

  Html& operator+=(const Html& other);
  friend Html operator+(Html left, const Html& right) { return left += right; }
  const std::string& text() const noexcept { return markup_; }

 private:
  void append_escaped(std::string_view text);

  std::string markup_;
};

/// The first column names the row; the others are right-aligned numbers, or text if `words` is set.
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
  /// Embeds a drawing by gnuplot, with the caption below it.
  void figure(std::string_view svg, const Html& caption);
  void code(std::string_view text);
  void add(const Html& block);
  /// Everything on another page but its title.
  void append(const HtmlPage& part) { body_ += part.body_; }
  /// Content that the reader can unfold.
  void details(const Html& summary, const Html& content);

  /// The whole document. `head` is inserted without escaping, for scripts and styles.
  std::string text(std::string_view head = "") const;

 private:
  std::string title_;
  std::string body_;
};

Html table_html(const HtmlTable& table);
/// A list of name and value, for settings.
Html definitions_html(const std::vector<std::pair<std::string, std::string>>& pairs);
/// A short word on a coloured background; `kind` is good, mixed or bad. The colour adds no information.
Html badge(std::string_view text, std::string_view kind);
/// The <svg> element of an SVG file, without its prologue.
std::string inline_svg(std::string_view svg_file);

}  // namespace politex::inline page
