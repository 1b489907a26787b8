#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/evaluate/log_evaluation.hpp"

namespace politex::inline evaluate {
namespace {

constexpr std::array<std::string_view, 5> log_columns = {"state", "action", "cost", "next", "propensity"};

std::vector<std::string_view> split(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t comma = line.find(',');
    std::string_view cell = line.substr(0, comma);
    while (cell.starts_with(' ')) cell.remove_prefix(1);
    while (cell.ends_with(' ')) cell.remove_suffix(1);
    cells.push_back(cell);
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

class LogReader {
 public:
  LogReader(std::string origin, int states, int actions)
      : origin_(std::move(origin)), states_(states), actions_(actions) {}

  std::vector<LogRow> read(std::string_view text) {
    std::vector<LogRow> rows;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(text.size(), end + 1));
      ++line_;
      if (line_ == 1) {
        read_header(split(line));
      } else if (!line.empty() && line != "\r") {
        rows.push_back(row(split(line)));
      }
    }
    if (line_ == 0) refuse("is empty; accepted: a first line with the columns state, action, cost, next, propensity");
    if (rows.empty()) refuse("has no lines after the first; accepted: one line per step");
    return rows;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const { throw ConfigError{"--log", origin_ + ": " + what}; }
  [[noreturn]] void refuse_line(const std::string& what) const {
    throw ConfigError{"--log", fmt::format("{}:{}: {}", origin_, line_, what)};
  }

  void read_header(const std::vector<std::string_view>& names) {
    width_ = names.size();
    for (std::size_t k = 0; k < log_columns.size(); ++k) {
      const auto found = std::ranges::find(names, log_columns[k]);
      if (found != names.end()) place_[k] = static_cast<std::size_t>(found - names.begin());
    }
    for (std::size_t k = 0; k < 4; ++k)
      if (!place_[k])
        refuse_line(fmt::format("the first line has no column \"{}\"; accepted: {} (propensity may be missing)",
                                log_columns[k], fmt::join(log_columns, ", ")));
  }

  LogRow row(const std::vector<std::string_view>& cells) const {
    if (cells.size() != width_)
      refuse_line(fmt::format("{} values, but the first line has {} columns", cells.size(), width_));
    const LogRow out{.state = index(cells, 0, states_),
                     .action = index(cells, 1, actions_),
                     .next = index(cells, 3, states_),
                     .cost = number(cells, 2)};
    if (!std::isfinite(out.cost))
      refuse_line(fmt::format("cost \"{}\" is not a number; accepted: a finite number", cell(cells, 2)));
    if (place_[4]) {
      if (const double p = number(cells, 4); !(p > 0.0 && p <= 1.0))
        refuse_line(
            fmt::format("propensity \"{}\"; accepted: above 0 and at most 1 (the action was taken, so its "
                        "probability was not 0)",
                        cell(cells, 4)));
    }
    return out;
  }

  std::string_view cell(const std::vector<std::string_view>& cells, std::size_t column) const {
    return cells[*place_[column]];
  }
  int index(const std::vector<std::string_view>& cells, std::size_t column, int count) const {
    const std::string_view text = cell(cells, column);
    int value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value >= count)
      refuse_line(fmt::format("{} \"{}\" is out of range; accepted: 0 to {}", log_columns[column], text, count - 1));
    return value;
  }
  double number(const std::vector<std::string_view>& cells, std::size_t column) const {
    const std::string_view text = cell(cells, column);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() ? value : std::nan("");
  }

  std::string origin_;
  int states_, actions_;
  std::int64_t line_ = 0;
  std::size_t width_ = 0;
  std::array<std::optional<std::size_t>, 5> place_;
};

}  // namespace

std::vector<LogRow> parse_log(std::string_view text, const std::string& origin, int states, int actions) {
  return LogReader(origin, states, actions).read(text);
}

std::vector<LogRow> read_log(const std::string& file, int states, int actions) {
  return parse_log(read_file("--log", file), file, states, actions);
}

}  // namespace politex::inline evaluate
