#include "politex/lab/tune_report.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/lab/deep_sea_claims.hpp"

namespace politex::lab {
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
                      "Every algorithm got the same number of settings, drawn from the grid before anything ran. The "
                      "best on the tuning seeds was run again on fresh seeds, and only that number is its result. Mean "
                      "average cost with 95% interval over seeds.",
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

}  // namespace

void add_tuning(HtmlPage& page, const fs::path& directory) {
  std::error_code failure;
  if (!fs::is_regular_file(directory / "tuning.csv", failure)) return;
  page.heading("How the settings were chosen");
  page.table(tried_table(read_file("tuning.csv", (directory / "tuning.csv").string())));
  std::vector<fs::path> drawings;
  for (fs::directory_iterator it(directory, failure), end; !failure && it != end; it.increment(failure))
    if (it->path().filename().string().starts_with("sensitivity-") && it->path().extension() == ".svg")
      drawings.push_back(it->path());
  std::ranges::sort(drawings);
  drawings.resize(std::min(drawings.size(), most_sensitivity_figures));
  for (const fs::path& drawing : drawings)
    page.figure(read_file("figure", drawing.string()),
                fmt::format("{}; also as PNG beside the report.", drawing.filename().string()));
}

}  // namespace politex::lab
