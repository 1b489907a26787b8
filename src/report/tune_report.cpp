#include "politex/report/tune_report.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/base/picture.hpp"
#include "politex/record/run_record.hpp"
#include "politex/report/claims.hpp"

namespace politex::inline report {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t most_sensitivity_figures = 12;

std::vector<std::string> split(std::string_view line, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(at, begin), line.size());
    parts.emplace_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

Html with_interval(const std::vector<std::string>& cells, std::size_t at) {
  const auto number = [&](std::size_t i) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(cells[i].data(), cells[i].data() + cells[i].size(), value);
    return error == std::errc{} ? number_text(value, 3) : std::string("–");
  };
  if (cells[at].empty()) return "–";
  return Html(number(at)) + Html::tag("small", fmt::format(" [{}, {}]", number(at + 1), number(at + 2)));
}

HtmlTable tried_table(const std::string& csv) {
  HtmlTable table{.caption =
                      "Every algorithm got the same number of settings, drawn from the grid before any run. The best "
                      "setting on the tuning seeds was run again on fresh seeds; only these runs count as the result. "
                      "Mean average cost with 95% interval over seeds (Student's t).",
                  .header = {"", "settings", "tuning seeds", "chosen", "fresh seeds"},
                  .rows = {},
                  .words = true};
  const std::vector<std::string> lines = split(csv, '\n');
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = split(lines[i], ',');
    if (cells.size() != 11) continue;
    table.rows.push_back(
        {cells[0], cells[1], with_interval(cells, 4), cells[7] == "1" ? "chosen" : "", with_interval(cells, 8)});
  }
  return table;
}

// Symbolic links are refused: they could expose other files, since reports are served.
bool is_plain_file(const fs::path& file) {
  std::error_code failure;
  return fs::symlink_status(file, failure).type() == fs::file_type::regular;
}

// The tunings at or below the directory, as paths relative to it.
std::set<fs::path> tunings_below(const fs::path& directory) {
  std::set<fs::path> sweeps;
  SweepStages stages;
  for (const fs::path& run : find_run_directories(directory))
    if (const fs::path inner = run.lexically_relative(directory);  // SWEEP/runs/NAME
        inner.has_parent_path() && !stages.of(run).empty())
      sweeps.insert(inner.parent_path().parent_path());
  return sweeps;
}

std::vector<fs::path> drawings_in(const fs::path& sweep) {
  std::vector<fs::path> drawings;
  for (const fs::path& file : entries_of(sweep))
    if (file.filename().string().starts_with("sensitivity-") && file.extension() == ".svg" && is_plain_file(file))
      drawings.push_back(file);
  std::ranges::sort(drawings);
  drawings.resize(std::min(drawings.size(), most_sensitivity_figures));
  return drawings;
}

// Empty if the file is incomplete or not a drawing.
std::string whole_drawing(const fs::path& file) {
  constexpr std::uint64_t largest = 1 << 22;
  try {
    std::string text = read_file("figure", file.string(), largest);
    return text.find("<svg") != std::string::npos && text.find("</svg>") != std::string::npos ? text : std::string();
  } catch (const Error&) {
    return {};
  }
}

// As an image, not as markup: what is in a file of the directory must not become a part of the page.
Html image_of(const std::string& svg, const std::string& caption) {
  const Html image = Html::markup(
      fmt::format("<img alt=\"average cost by setting\" src=\"data:image/svg+xml;base64,{}\">", base64(svg)));
  return Html::tag("figure", Html::tag("div", image, "drawing") + Html::tag("figcaption", caption));
}

}  // namespace

void add_tuning(HtmlPage& page, const fs::path& directory) {
  for (const fs::path& inner : tunings_below(directory)) {
    const fs::path sweep = (directory / inner).lexically_normal();
    page.heading("How the settings were chosen" + (inner.empty() ? "" : " in " + inner.string()));
    if (!is_plain_file(sweep / "tuning.csv")) {
      page.paragraph(
          "This tuning is not finished. Its runs on the tuning seeds choose a setting for every algorithm; the results "
          "are those of the chosen settings on fresh seeds.");
      continue;
    }
    page.table(tried_table(read_file("tuning.csv", (sweep / "tuning.csv").string())));
    for (const fs::path& drawing : drawings_in(sweep))
      if (const std::string text = whole_drawing(drawing); !text.empty())
        page.add(image_of(text, fmt::format("{}; also as PNG in {}.", drawing.filename().string(), sweep.string())));
  }
}

}  // namespace politex::inline report
