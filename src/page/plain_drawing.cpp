#include "politex/page/plain_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "politex/base/duration.hpp"

#include "politex/page/html.hpp"

namespace politex::inline page {
namespace {

/// From values to pixels along one axis.
struct PlainAxis {
  double low = 0.0, high = 1.0, from = 0.0, to = 1.0;
  bool logarithmic = false;

  bool shows(double value) const { return std::isfinite(value) && (!logarithmic || value > 0.0); }
  double operator()(double value) const {
    const auto place = [&](double v) { return logarithmic ? std::log10(v) : v; };
    return from + (to - from) * (place(value) - place(low)) / (place(high) - place(low));
  }
};

/// The range of all `columns` unless one is given (`low` < `high`).
PlainAxis fitted(const std::vector<const std::vector<double>*>& columns, double low, double high, bool logarithmic) {
  PlainAxis axis{.low = low, .high = high, .logarithmic = logarithmic};
  if (low < high && (!logarithmic || low > 0.0)) return axis;
  axis.low = std::numeric_limits<double>::infinity();
  axis.high = -axis.low;
  for (const std::vector<double>* column : columns)
    for (const double value : *column)
      if (axis.shows(value)) {
        axis.low = std::min(axis.low, value);
        axis.high = std::max(axis.high, value);
      }
  if (axis.low > axis.high) axis.low = axis.high = 1.0;
  if (axis.low == axis.high) {
    const double half = std::max(0.5 * std::abs(axis.low), 1e-3);
    axis.low = logarithmic ? axis.low / 2.0 : axis.low - half;
    axis.high = logarithmic ? axis.high * 2.0 : axis.high + half;
  } else if (!logarithmic) {
    const double margin = 0.04 * (axis.high - axis.low);
    axis.low -= margin;
    axis.high += margin;
  }
  return axis;
}

std::string svg_text(double x, double y, std::string_view words, std::string_view anchor, int size = 12,
                     std::string_view more = {}) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\"{}>{}</text>\n", x, y, anchor,
                     size, more, Html(words).text());
}

/// The points of a curve as pieces without gaps, each "x,y x,y ...".
std::vector<std::string> pieces(const PlainAxis& x, const PlainAxis& y, const std::vector<double>& at,
                                const std::vector<double>& values) {
  std::vector<std::string> found(1);
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (x.shows(at[i]) && y.shows(values[i]))
      found.back() += fmt::format("{:.1f},{:.1f} ", x(at[i]), y(values[i]));
    else if (!found.back().empty())
      found.emplace_back();
  }
  return found;
}

std::string polyline(const PlainAxis& x, const PlainAxis& y, const std::vector<double>& at,
                     const std::vector<double>& values, const Look& style, double width) {
  std::string text;
  for (const std::string& points : pieces(x, y, at, values))
    if (!points.empty())
      text += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", points,
                          style.colour, width, style.dashed ? " stroke-dasharray=\"7 4\"" : "");
  return text;
}

std::string drawn_series(const PlainAxis& x, const PlainAxis& y, const Series& one) {
  std::string text;
  for (std::size_t i = 0; i < one.low.size(); ++i)
    if (one.markers && x.shows(one.x[i]) && y.shows(one.low[i]) && y.shows(one.high[i]))
      text += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\"/>\n",
                          x(one.x[i]), y(one.low[i]), y(one.high[i]), one.look.colour);
  for (const std::vector<double>& seed : one.each) text += polyline(x, y, one.x, seed, one.look, 0.6);
  if (one.joined) text += polyline(x, y, one.x, one.y, one.look, one.look.width);
  for (std::size_t i = 0; i < one.x.size(); ++i)
    if ((one.markers || !one.joined) && x.shows(one.x[i]) && y.shows(one.y[i]))
      text += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x(one.x[i]), y(one.y[i]),
                          one.look.colour);
  return text;
}

std::string band(const PlainAxis& x, const PlainAxis& y, const Series& one, std::size_t count) {
  if (one.markers || one.low.empty()) return {};
  std::vector<double> at = one.x, values = one.high;
  at.insert(at.end(), one.x.rbegin(), one.x.rend());
  values.insert(values.end(), one.low.rbegin(), one.low.rend());
  std::string points;
  for (const std::string& piece : pieces(x, y, at, values)) points += piece;
  return fmt::format("<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"{:.2f}\"/>\n", points, one.look.colour,
                     std::min(0.15, 0.6 / static_cast<double>(count)));
}

std::string ticks_text(const Plot& plot, const PlainAxis& x, const PlainAxis& y) {
  std::string text;
  for (const double at : round_ticks(y.low, y.high, y.logarithmic)) {
    text += fmt::format("<path d=\"M{:.1f},{:.1f}H{:.1f}\" stroke=\"#e4e4e4\"/>\n", x.from, y(at), x.to);
    text += svg_text(x.from - 6, y(at) + 4, fmt::format("{:g}", at), "end");
  }
  std::vector<Tick> ticks = plot.x_ticks;
  if (ticks.empty())
    for (const double at : round_ticks(x.low, x.high, x.logarithmic))
      ticks.push_back({at, at < 1e4 ? fmt::format("{:g}", at) : short_count(at)});
  for (const Tick& tick : ticks)
    if (x.shows(tick.at) && tick.at >= x.low && tick.at <= x.high) {
      text += fmt::format("<path d=\"M{:.1f},{:.1f}v5\" stroke=\"#444\"/>\n", x(tick.at), y.from);
      text += svg_text(x(tick.at), y.from + 18, tick.label, "middle");
    }
  return text + fmt::format("<path d=\"M{0:.1f},{1:.1f}V{2:.1f}H{3:.1f}\" fill=\"none\" stroke=\"#444\"/>\n", x.from,
                            y.to, y.from, x.to);
}

std::string legend(const std::vector<Series>& all, double x, double y) {
  std::string text;
  for (const Series& one : all) {
    if (one.label.empty()) continue;
    text += fmt::format("<path d=\"M{:.1f},{:.1f}h24\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", x, y - 4,
                        one.look.colour, one.look.dashed ? " stroke-dasharray=\"7 4\"" : "");
    text += svg_text(x + 30, y, one.label, "start");
    y += 18;
  }
  return text;
}

std::string map_cells(const Plot& plot, double width, double height) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  std::size_t columns = 1;
  for (const auto& row : plot.map) {
    columns = std::max(columns, row.size());
    for (const double value : row)
      if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  }
  const double side =
      std::min((width - 20) / static_cast<double>(columns), (height - 50) / static_cast<double>(plot.map.size()));
  std::string text = svg_text(width / 2, 18, plot.title, "middle");
  for (std::size_t i = 0; i < plot.map.size(); ++i)
    for (std::size_t k = 0; k < plot.map[i].size(); ++k)
      if (std::isfinite(plot.map[i][k]))
        text += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"#08306b\" "
            "fill-opacity=\"{:.3f}\"/>\n",
            10 + side * static_cast<double>(k), 28 + side * static_cast<double>(i), side, side,
            high > low ? 0.04 + 0.96 * (plot.map[i][k] - low) / (high - low) : 0.5);
  return text + svg_text(width / 2, height - 6, plot.x_label, "middle");
}

std::string curves(const Plot& plot, double width, double height, bool small) {
  std::vector<const std::vector<double>*> xs, ys;
  std::size_t longest = 0, named = 0;
  for (const Series& one : plot.series) {
    xs.push_back(&one.x);
    for (const auto* column : {&one.y, &one.low, &one.high}) ys.push_back(column);
    for (const auto& seed : one.each) ys.push_back(&seed);
    longest = std::max(longest, one.label.size());
    named += one.label.empty() ? 0 : 1;
  }
  for (const Reference& one : plot.references) ys.push_back(&one.y);
  const double legend_width = small || longest > 40 ? 0.0 : 44.0 + 6.6 * static_cast<double>(longest);
  const double below = small || longest <= 40 ? 0.0 : 18.0 * static_cast<double>(named) + 10.0;
  PlainAxis x = fitted(xs, plot.x_low, plot.x_high, plot.log_x);
  PlainAxis y = fitted(ys, plot.y_low, plot.y_high, plot.log_y);
  x.from = 70.0;
  x.to = width - 20.0 - legend_width;
  y.from = height - 48.0 - below;
  y.to = 34.0;
  std::string text = ticks_text(plot, x, y);
  for (const Reference& one : plot.references) {
    text += polyline(x, y, one.x, one.y, {.colour = "#9a9a9a"}, 1.0);
    if (!one.x.empty() && x.shows(one.x.back()) && y.shows(one.y.back()))
      text += svg_text(x(one.x.back()) - 4, y(one.y.back()) - 5, one.label, "end", 11, " fill=\"#666\"");
  }
  for (const Series& one : plot.series) text += band(x, y, one, plot.series.size());
  for (const Series& one : plot.series) text += drawn_series(x, y, one);
  text += svg_text((x.from + x.to) / 2, 20, plot.title, "middle", small ? 12 : 14);
  text += svg_text((x.from + x.to) / 2, y.from + 38, plot.x_label, "middle");
  text += svg_text(16, (y.from + y.to) / 2, plot.y_label, "middle", 12,
                   fmt::format(" transform=\"rotate(-90 16 {:.1f})\"", (y.from + y.to) / 2));
  if (legend_width > 0.0) text += legend(plot.series, x.to + 14, y.to + 10);
  if (below > 0.0) text += legend(plot.series, 16, y.from + 62);
  return text;
}

std::string panels_text(const Plot& plot) {
  const int cells = static_cast<int>(plot.panels.size()) + (plot.series.empty() ? 0 : 1);
  const int columns = std::max(1, plot.columns), rows = (cells + columns - 1) / columns;
  const double width = static_cast<double>(plot.width) / columns;
  const double height = (plot.height - 30.0) / rows;
  std::string text = svg_text(plot.width / 2.0, 20, plot.title, "middle", 14);
  const auto place = [&](int i) {
    const int row = i / columns;
    return fmt::format("<svg x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">\n", width * (i % columns),
                       30.0 + height * row, width, height);
  };
  int index = 0;
  for (const Plot& panel : plot.panels)
    text += place(index++) +
            (panel.map.empty() ? curves(panel, width, height, true) : map_cells(panel, width, height)) + "</svg>\n";
  if (!plot.series.empty()) text += place(index) + legend(plot.series, 10, 20) + "</svg>\n";
  return text;
}

}  // namespace

std::vector<double> round_ticks(double low, double high, bool logarithmic, int wanted) {
  std::vector<double> ticks;
  if (!std::isfinite(low) || !std::isfinite(high) || !(low < high) || (logarithmic && low <= 0.0)) return ticks;
  if (logarithmic) {
    const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    const int step = std::max(1, (last - first) / wanted + 1);
    for (int power = first; power <= last; power += step) ticks.push_back(std::pow(10.0, power));
    if (ticks.size() >= 2) return ticks;
    ticks.clear();  // less than two decades: round numbers
  }
  const double rough = (high - low) / wanted;
  const double unit = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10.0 * unit;
  for (const double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * unit) {
      step = factor * unit;
      break;
    }
  const auto first = static_cast<std::int64_t>(std::ceil(low / step - 1e-9));
  const auto last = static_cast<std::int64_t>(std::floor(high / step + 1e-9));
  for (std::int64_t k = first; k <= last; ++k) ticks.push_back(static_cast<double>(k) * step);
  return ticks;
}

std::string plain_svg(const Plot& plot) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"DejaVu Sans, sans-serif\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{2}</svg>\n",
      plot.width, plot.height,
      !plot.panels.empty() ? panels_text(plot)
      : !plot.map.empty()  ? map_cells(plot, plot.width, plot.height)
                           : curves(plot, plot.width, plot.height, false));
}

}  // namespace politex::inline page
