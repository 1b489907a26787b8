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
  /// `numbers` above 0: of an observation, instead of states.
  LogReader(std::string origin, int states, int actions, int numbers = 0)
      : origin_(std::move(origin)), states_(states), actions_(actions), numbers_(numbers) {}

  std::vector<LogRow> read(std::string_view text) {
    std::vector<LogRow> rows;
    read_lines(text, [&](const std::vector<std::string_view>& cells) { rows.push_back(row(cells)); });
    return rows;
  }

  ObservationLog read_observations(std::string_view text) {
    ObservationLog log{.numbers = static_cast<std::size_t>(numbers_)};
    read_lines(text, [&](const std::vector<std::string_view>& cells) {
      log.action.push_back(index(cells, 1, actions_));
      log.cost.push_back(finite(cells, *place_[2], "cost"));
      check_propensity(cells);
      for (std::size_t k = 0; k < log.numbers; ++k)
        log.before.push_back(finite(cells, before_[k], fmt::format("observation_{}", k)));
      for (std::size_t k = 0; k < log.numbers; ++k)
        log.after.push_back(finite(cells, after_[k], fmt::format("next_{}", k)));
    });
    return log;
  }

 private:
  template <class Take>
  void read_lines(std::string_view text, Take take) {
    std::int64_t lines = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(text.size(), end + 1));
      ++line_;
      if (line_ == 1) {
        read_header(split(line));
      } else if (!line.empty() && line != "\r") {
        const auto cells = split(line);
        if (cells.size() != width_)
          refuse_line(fmt::format("{} values, but the first line has {} columns", cells.size(), width_));
        take(cells);
        ++lines;
      }
    }
    if (line_ == 0) refuse(fmt::format("is empty; accepted: a first line with the columns {}", accepted_columns()));
    if (lines == 0) refuse("has no lines after the first; accepted: one line per step");
  }

  std::string accepted_columns() const {
    if (numbers_ == 0) return fmt::format("{}", fmt::join(log_columns, ", "));
    return fmt::format("observation_0 to observation_{0}, action, cost, next_0 to next_{0}, propensity", numbers_ - 1);
  }
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
      if (!place_[k] && (numbers_ == 0 || k == 1 || k == 2)) no_column(log_columns[k]);
    for (int k = 0; k < numbers_; ++k) {
      before_.push_back(place_of(names, fmt::format("observation_{}", k)));
      after_.push_back(place_of(names, fmt::format("next_{}", k)));
    }
  }
  std::size_t place_of(const std::vector<std::string_view>& names, const std::string& name) const {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) no_column(name);
    return static_cast<std::size_t>(found - names.begin());
  }
  [[noreturn]] void no_column(std::string_view name) const {
    refuse_line(fmt::format("the first line has no column \"{}\"; accepted: {} (propensity may be missing)", name,
                            accepted_columns()));
  }

  LogRow row(const std::vector<std::string_view>& cells) const {
    const LogRow out{.state = index(cells, 0, states_),
                     .action = index(cells, 1, actions_),
                     .next = index(cells, 3, states_),
                     .cost = finite(cells, *place_[2], "cost")};
    check_propensity(cells);
    return out;
  }

  void check_propensity(const std::vector<std::string_view>& cells) const {
    if (place_[4]) {
      if (const double p = number(cells[*place_[4]]); !(p > 0.0 && p <= 1.0))
        refuse_line(
            fmt::format("propensity \"{}\"; accepted: above 0 and at most 1 (the action was taken, so its "
                        "probability was not 0)",
                        cell(cells, 4)));
    }
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
  double finite(const std::vector<std::string_view>& cells, std::size_t place, std::string_view name) const {
    const double value = number(cells[place]);
    if (!std::isfinite(value))
      refuse_line(fmt::format("{} \"{}\" is not a number; accepted: a finite number", name, cells[place]));
    return value;
  }
  static double number(std::string_view text) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() ? value : std::nan("");
  }

  std::string origin_;
  int states_, actions_, numbers_;
  std::int64_t line_ = 0;
  std::size_t width_ = 0;
  std::array<std::optional<std::size_t>, 5> place_;
  std::vector<std::size_t> before_, after_;  // the columns of the observations
};

}  // namespace

std::vector<LogRow> parse_log(std::string_view text, const std::string& origin, int states, int actions) {
  return LogReader(origin, states, actions).read(text);
}

ObservationLog parse_observation_log(std::string_view text, const std::string& origin, int numbers, int actions) {
  return LogReader(origin, 0, actions, numbers).read_observations(text);
}

ObservationLog read_observation_log(const std::string& file, int numbers, int actions) {
  return parse_observation_log(read_file("--log", file), file, numbers, actions);
}

std::vector<LogRow> read_log(const std::string& file, int states, int actions) {
  return parse_log(read_file("--log", file), file, states, actions);
}

}  // namespace politex::inline evaluate
