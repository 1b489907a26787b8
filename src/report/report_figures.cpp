#include "politex/report/report_figures.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "politex/report/curves.hpp"

namespace politex::inline report {

namespace {

// gnuplot needs 0.1 s per sheet, so of very many sheets only the first are drawn.
constexpr std::size_t most_sheets = 12;
constexpr std::size_t sample_of_sheets = 4;
constexpr std::size_t most_over_time = 6;

/// Groups of one task that share a figure, at most as many as there are looks.
struct Sheet {
  std::size_t first = 0, count = 0;
};

std::vector<Sheet> sheets_of(std::span<const RunGroup> groups) {
  std::vector<Sheet> sheets;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (sheets.empty() || sheets.back().count == different_looks || groups[i].task != groups[i - 1].task)
      sheets.push_back({.first = i, .count = 0});
    ++sheets.back().count;
  }
  return sheets;
}

std::size_t sheets_drawn(std::span<const Sheet> sheets) {
  return sheets.size() > most_sheets ? sample_of_sheets : sheets.size();
}

/// The metrics to draw: only one kind of regret, preferably that to the simulated comparator.
std::vector<std::string> drawn_metrics(const std::vector<std::string>& all) {
  const auto has = [&](const char* name) { return std::ranges::find(all, name) != all.end(); };
  std::vector<std::string> drawn{"average_cost", "recent_cost"};
  for (const char* regret : {"regret", "regret_to_gain"}) {
    if (has(regret)) {
      drawn.emplace_back(regret);
      break;
    }
  }
  for (const char* term : regret_terms)
    if (has(term)) drawn.emplace_back(term);
  return drawn;
}

class Figures {
 public:
  Figures(std::span<const RunRecord> runs, std::span<const RunGroup> groups, const Comparison& comparison)
      : groups_(groups),
        comparison_(comparison),
        sheets_(sheets_of(groups)),
        drawn_(sheets_drawn(sheets_)),
        metrics_(drawn_metrics(metrics_of(runs))),
        curves_(common_curves(runs, metrics_)) {}

  std::vector<Drawing> all() {
    for (const std::string& metric : metrics_) {
      const bool is_term = std::ranges::find(regret_terms, metric) != regret_terms.end();
      if (!is_term)
        each_sheet(metric, [&](std::span<const RunGroup> groups, const Sheet& sheet) {
          // As on the page, which numbers the groups of all tasks; beyond that number it has looks of its own.
          const std::size_t first_look = sheet.first + sheet.count <= different_looks ? sheet.first : 0;
          return curve_plot(curves_, groups, metric, groups.front().task, first_look);
        });
    }
    each_sheet("regret_terms", [&](std::span<const RunGroup> groups, const Sheet& sheet) {
      return final_terms_plot(groups, std::span(comparison_.terms).subspan(sheet.first, sheet.count));
    });
    for (std::size_t i = 0; i < std::min(groups_.size(), most_over_time); ++i)
      add(groups_.size() == 1 ? "regret_terms_over_time" : fmt::format("regret_terms_over_time-{}", i + 1),
          terms_plot(curves_, groups_[i]));
    return std::move(figures_);
  }

 private:
  template <class MakePlot>
  void each_sheet(const std::string& name, const MakePlot& make) {
    for (std::size_t s = 0; s < drawn_; ++s)
      add(sheets_.size() == 1 ? name : fmt::format("{}-{}", name, s + 1),
          make(groups_.subspan(sheets_[s].first, sheets_[s].count), sheets_[s]));
  }

  void add(const std::string& name, Plot plot) {
    if (!plot.series.empty()) figures_.push_back({.name = name, .plot = std::move(plot)});
  }

  std::span<const RunGroup> groups_;
  const Comparison& comparison_;
  std::vector<Sheet> sheets_;
  std::size_t drawn_;
  std::vector<std::string> metrics_;
  CommonCurves curves_;
  std::vector<Drawing> figures_;
};

}  // namespace

Plot final_terms_plot(std::span<const RunGroup> groups, std::span<const std::optional<TermStatistics>> terms) {
  Plot plot;
  plot.title = groups.front().task;
  plot.x_label = "term of the regret";
  plot.y_label = "at the end of the run";
  plot.x_low = 0.5;
  plot.x_high = static_cast<double>(regret_terms.size()) + 0.5;
  for (std::size_t i = 0; i < regret_terms.size(); ++i) {
    std::string label = regret_terms[i];  // gnuplot would print the letter after an underscore as a subscript
    std::ranges::replace(label, '_', ' ');
    plot.x_ticks.push_back({.at = static_cast<double>(i + 1), .label = label});
  }
  plot.references.push_back({.label = "", .x = {plot.x_low, plot.x_high}, .y = {0.0, 0.0}});
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!terms[g]) continue;
    Series series;
    series.label = groups[g].learner;
    series.look = look(plot.series.size());
    series.joined = false;
    // Shifted, so that no interval hides another.
    const double shift = 0.7 * ((static_cast<double>(g) + 0.5) / static_cast<double>(groups.size()) - 0.5);
    for (std::size_t i = 0; i < regret_terms.size(); ++i) {
      const Interval& term = terms[g]->drawn[i];
      series.x.push_back(static_cast<double>(i + 1) + shift);
      series.y.push_back(term.mean);
      series.low.push_back(term.low);
      series.high.push_back(term.high);
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

std::size_t groups_drawn(std::span<const RunGroup> groups) {
  const std::vector<Sheet> sheets = sheets_of(groups);
  if (sheets.empty()) return 0;
  const Sheet& last = sheets[sheets_drawn(sheets) - 1];
  return last.first + last.count;
}

std::vector<std::string> draw_figures(std::span<const RunRecord> runs, std::span<const RunGroup> groups,
                                      const Comparison& comparison, const std::filesystem::path& directory) {
  const std::vector<Drawing> figures = Figures(runs, groups, comparison).all();
  draw_all(figures, directory);
  std::vector<std::string> names;
  for (const Drawing& figure : figures) names.push_back(figure.name);
  return names;
}

}  // namespace politex::inline report
