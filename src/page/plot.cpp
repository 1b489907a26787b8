#include "politex/page/plot.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <deque>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "politex/base/duration.hpp"
#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/base/pool.hpp"
#include "politex/page/plain_drawing.hpp"

extern char** environ;

namespace politex::inline page {

namespace {

/// A gnuplot string: inside single quotes only the quote itself is special.
std::string gnuplot_string(std::string_view text) {
  std::string result(1, '\'');
  for (const char c : text) {
    if (c == '\'') result += '\'';
    result += c == '\n' ? ' ' : c;
  }
  result += '\'';
  return result;
}

std::string gnuplot_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "NaN"; }

void append_data(std::string& script, const std::string& name, const std::vector<std::vector<double>>& columns) {
  script += fmt::format("${} << END_OF_DATA\n", name);
  for (std::size_t row = 0; row < columns.front().size(); ++row) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      if (column > 0) script += ' ';
      script += gnuplot_number(columns[column][row]);
    }
    script += '\n';
  }
  script += "END_OF_DATA\n";
}

std::string range(const char* axis, double low, double high) {
  if (low < high) return fmt::format("set {}range [{}:{}]\n", axis, low, high);
  return fmt::format("set {}range [*:*]\n", axis);
}

/// Long names next to the curves would take their space.
bool key_is_below(const Plot& plot) {
  constexpr std::size_t longest_at_the_side = 40;
  return std::ranges::any_of(plot.series, [](const Series& one) { return one.label.size() > longest_at_the_side; });
}

int whole_height(const Plot& plot) {
  constexpr int line = 20;
  return plot.height + (key_is_below(plot) ? line * static_cast<int>(plot.series.size()) : 0);
}

/// Large numbers as "200k" and "1.5M", which have room next to each other; none for small ones and for logarithms.
std::vector<Tick> ticks_of_steps(const Plot& plot) {
  double most = plot.x_high;
  for (const Series& one : plot.series)
    for (const double x : one.x) most = std::max(most, x);
  if (plot.log_x || most < 1e4 || plot.x_low < 0.0) return {};
  double step = std::pow(10.0, std::floor(std::log10(most / 5.0)));
  for (const double factor : {2.0, 2.5, 2.0})
    if (most / step > 6.0) step *= factor;
  std::vector<Tick> ticks;
  for (int i = 0; i * step <= most * (1.0 + 1e-9); ++i)
    ticks.push_back({.at = i * step, .label = i == 0 ? "0" : short_count(i * step)});
  return ticks;
}

/// Two words below each other: side by side they meet those of the next tick.
std::string tick_string(std::string_view label) {
  const auto space = label.find(' ');
  if (space == std::string_view::npos || label.find_first_of("\"\\`$") != std::string_view::npos)
    return gnuplot_string(label);
  return fmt::format("\"{}\\n{}\"", label.substr(0, space), label.substr(space + 1));
}

std::string axes(const Plot& plot) {
  std::string script;
  if (!plot.title.empty()) script += fmt::format("set title {} noenhanced\n", gnuplot_string(plot.title));
  script += fmt::format("set xlabel {} noenhanced\n", gnuplot_string(plot.x_label));
  script += fmt::format("set ylabel {} noenhanced\n", gnuplot_string(plot.y_label));
  if (plot.log_x) script += "set logscale x\n";
  if (plot.log_y) script += "set logscale y\n";
  script += range("x", plot.x_low, plot.x_high) + range("y", plot.y_low, plot.y_high);
  const std::vector<Tick> ticks = plot.x_ticks.empty() ? ticks_of_steps(plot) : plot.x_ticks;
  if (!ticks.empty()) {
    script += "set xtics (";
    for (std::size_t i = 0; i < ticks.size(); ++i)
      script += fmt::format("{}{} {}", i == 0 ? "" : ", ", tick_string(ticks[i].label), ticks[i].at);
    script += ")\n";
    const bool two_lines =
        std::ranges::any_of(ticks, [](const Tick& tick) { return tick.label.find(' ') != std::string::npos; });
    if (two_lines) script += "set xlabel offset 0,-0.5\n";
  }
  script +=
      "set border 3 linecolor rgb '#444444'\nset tics nomirror textcolor rgb '#222222'\n"
      "set grid ytics linecolor rgb '#e4e4e4' linetype 1 linewidth 0.6\n"
      "set errorbars small\n";
  script += fmt::format("set key outside {} vertical Left reverse noenhanced samplen 2.6 spacing 1.25\n",
                        key_is_below(plot) ? "below left maxcols 1" : "right top");
  // Space between the axis and the names, and for half of the last number of the axis.
  if (key_is_below(plot)) script += "set key title ' ' font ',6'\nset rmargin 5\n";
  return script;
}

/// The bands of all lines, drawn below every line; more bands are fainter.
std::string bands(const std::vector<Series>& all) {
  std::string clauses;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].markers || all[i].low.empty()) continue;
    clauses += fmt::format(
        "$series{} using 1:3:4 with filledcurves linecolor rgb '{}' fillstyle transparent solid {:.2f} noborder "
        "notitle, \\\n     ",
        i, all[i].look.colour, std::min(0.15, 0.6 / static_cast<double>(all.size())));
  }
  return clauses;
}

/// The seeds of all means, drawn below the means.
std::string seed_clauses(const std::vector<Series>& all) {
  std::string clauses;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < all[i].each.size(); ++k)
      clauses +=
          fmt::format("$series{} using 1:{} with lines linecolor rgb '{}' linewidth 0.6 dashtype {} notitle, \\\n     ",
                      i, k + (all[i].low.empty() ? 3 : 5), all[i].look.colour, all[i].look.dashed ? "(7,4)" : "solid");
  return clauses;
}

std::string series_clauses(const Series& series, std::size_t index) {
  const Look& style = series.look;
  const std::string line = fmt::format("linecolor rgb '{}' linewidth {} dashtype {}", style.colour, style.width,
                                       style.dashed ? "(7,4)" : "solid");
  const std::string title = gnuplot_string(series.label);
  const bool intervals = !series.low.empty();
  if (!series.markers) return fmt::format("$series{} using 1:2 with lines {} title {}", index, line, title);
  std::string clauses;
  if (intervals) {
    clauses =
        fmt::format("$series{} using 1:2:3:4 with yerrorbars linecolor rgb '{}' linewidth 1.1 pointtype -1 notitle, ",
                    index, style.colour);
  }
  if (!series.joined)
    return clauses + fmt::format("$series{} using 1:2 with points linecolor rgb '{}' pointtype {} pointsize 1 title {}",
                                 index, style.colour, style.marker, title);
  return clauses + fmt::format("$series{} using 1:2 with linespoints {} pointtype {} pointsize 0.75 title {}", index,
                               line, style.marker, title);
}

/// The same picture at 100 pixels an inch, with fonts and lines of the SVG.
std::string pdf_terminal(int width, int height) {
  return fmt::format(
      "set terminal pdfcairo size {:.2f}in,{:.2f}in enhanced font 'DejaVu Sans,12' fontscale 0.68 linewidth 1.6 "
      "pointscale "
      "0.9 background rgb '#ffffff'\n",
      width / 100.0, height / 100.0);
}

void check(const Series& series) {
  const bool intervals = !series.low.empty() || !series.high.empty();
  if (series.x.empty() || series.x.size() != series.y.size() ||
      (intervals && (series.low.size() != series.x.size() || series.high.size() != series.x.size())) ||
      std::ranges::any_of(series.each, [&](const auto& one) { return one.size() != series.x.size(); })) {
    throw Error(fmt::format("plot: the columns of '{}' are empty or differ in length", series.label));
  }
}

/// A gnuplot process that runs one script.
class Gnuplot {
 public:
  /// Throws Error if it cannot be started.
  Gnuplot(const std::filesystem::path& directory, std::string argument) {
    std::array<int, 2> ends{};
    // Closed on exec, so that another gnuplot started meanwhile does not keep this pipe open.
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
      throw Error(fmt::format("cannot create a pipe for gnuplot: {}", std::strerror(errno)));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    // -d: ignores the user's start-up file, which could change the bytes.
    std::array<std::string, 3> words{"gnuplot", "-d", std::move(argument)};
    std::array<char*, 4> arguments{words[0].data(), words[1].data(), words[2].data(), nullptr};
    const int failure = posix_spawnp(&child_, "gnuplot", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    output_ = ends[0];
    if (failure == 0) return;
    close(output_);
    throw Error(fmt::format("cannot start gnuplot, which draws the figures ({}); install the package gnuplot-nox",
                            std::strerror(failure)));
  }
  ~Gnuplot() {
    if (child_ > 0) wait();
  }
  Gnuplot(Gnuplot&& other) noexcept : child_(std::exchange(other.child_, 0)), output_(other.output_) {}
  Gnuplot& operator=(Gnuplot&&) = delete;

  /// Waits for its end; throws Error with its message if it failed.
  void finish() {
    std::string words;
    std::array<char, 4096> block{};
    for (ssize_t count = 0; (count = ::read(output_, block.data(), block.size())) != 0;) {
      if (count < 0 && errno != EINTR) break;
      if (count > 0) words.append(block.data(), static_cast<std::size_t>(count));
    }
    const int status = wait();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw Error(fmt::format("gnuplot failed: {}", words));
  }

 private:
  int wait() noexcept {
    close(output_);
    int status = 0;
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = 0;
    return status;
  }

  pid_t child_ = 0;
  int output_ = -1;
};

}  // namespace

Look look(std::size_t index) {
  static const std::array<Look, different_looks> looks{{
      {.colour = "#0072B2", .marker = 7},                   // blue, circle
      {.colour = "#56B4E9", .marker = 5},                   // sky blue, square
      {.colour = "#009E73", .marker = 9},                   // green, triangle
      {.colour = "#E69F00", .marker = 11},                  // orange, triangle down
      {.colour = "#D55E00", .marker = 13},                  // vermillion, diamond
      {.colour = "#CC79A7", .marker = 15},                  // purple, pentagon
      {.colour = "#7F7F7F", .marker = 4},                   // grey, open square
      {.colour = "#000000", .marker = 6, .dashed = true},   // black dashed, open circle
      {.colour = "#000000", .marker = 3, .width = 2.4},     // black, star
      {.colour = "#009E73", .marker = 8, .dashed = true},   // green dashed, open triangle
      {.colour = "#E69F00", .marker = 10, .dashed = true},  // orange dashed, open triangle down
  }};
  return looks[index % looks.size()];
}

namespace {

void append_map(std::string& script, const std::string& name, const std::vector<std::vector<double>>& map) {
  script += fmt::format("${} << END_OF_DATA\n", name);
  for (const std::vector<double>& row : map) {
    for (const double value : row) script += gnuplot_number(value) + ' ';
    script += '\n';
  }
  script += "END_OF_DATA\n";
}

constexpr std::string_view map_colours =
    "unset colorbox\nset palette defined (0 '#f4f7fb', 0.25 '#a9cbe6', 0.6 '#2f7fb8', 1 '#08306b')\n"
    "set datafile missing 'NaN'\n";

std::string map_script(const Plot& panel, const std::string& data) {
  return fmt::format(
      "set title {} noenhanced font ',10'\nset xlabel {} noenhanced font ',9'\nunset tics\n"
      "set size ratio -1\nset autoscale fix\nset yrange [*:*] reverse\n{}plot ${} matrix with image notitle\n",
      gnuplot_string(panel.title), gnuplot_string(panel.x_label), map_colours, data);
}

/// A map over two quantities, with the series of the panel drawn over it.
std::string map_over_axes_script(const Plot& panel, std::size_t index) {
  const double wide = (panel.x_high - panel.x_low) / static_cast<double>(panel.map.front().size());
  const double tall = (panel.y_high - panel.y_low) / static_cast<double>(panel.map.size());
  std::string script = fmt::format(
      "set title {} noenhanced font ',10'\nset xlabel {} noenhanced font ',9'\nset ylabel {} noenhanced font ',9'\n"
      "set tics out nomirror font ',9'\nset size ratio 0.75\n{}{}{}"
      "plot $panel{} matrix using ({}+{}*$1):({}-{}*$2):3 with image notitle",
      gnuplot_string(panel.title), gnuplot_string(panel.x_label), gnuplot_string(panel.y_label),
      range("x", panel.x_low, panel.x_high), range("y", panel.y_low, panel.y_high), map_colours, index,
      panel.x_low + 0.5 * wide, wide, panel.y_high - 0.5 * tall, tall);
  for (std::size_t i = 0; i < panel.series.size(); ++i)
    script += fmt::format(", \\\n     $panel{}_{} using 1:2 with lines linewidth {} linecolor rgb '{}' notitle", index,
                          i, panel.series[i].look.width, panel.series[i].look.colour);
  return script + "\n";
}

std::string panel_script(const Plot& panel, std::size_t index) {
  std::string script = axes(panel) +
                       "unset key\nset format x '10^{%T}'\nset tics font ',9'\nset xlabel font ',9' offset 0,0.6\n"
                       "set ylabel font ',9' offset 1.2,0\nset title font ',10' offset 0,-0.6\n";
  if (panel.log_y) script += "set format y '%g'\n";
  std::string clauses;
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    const Series& series = panel.series[i];
    const std::string how = series.joined ? fmt::format("lines linewidth {} dashtype {}", series.look.width,
                                                        series.look.dashed ? "(7,4)" : "solid")
                                          : std::string("points pointtype 7 pointsize 0.22");
    clauses += fmt::format("{}$panel{}_{} using 1:2 with {} linecolor rgb '{}' notitle", i == 0 ? "" : ", \\\n     ",
                           index, i, how, series.look.colour);
  }
  return script + "plot " + clauses + "\n";
}

/// The names of the curves, in a panel of their own.
std::string legend_script(const Plot& plot) {
  std::string script =
      "unset border\nunset tics\nset key inside left top vertical Left reverse noenhanced samplen 2.6 spacing 1.3 font "
      "',10'\nset xrange [0:1]\nset yrange [0:1]\nplot NaN notitle";
  for (const Series& series : plot.series)
    script += fmt::format(", \\\n     keyentry with lines linecolor rgb '{}' linewidth {} dashtype {} title {}",
                          series.look.colour, series.look.width + 0.6, series.look.dashed ? "(7,4)" : "solid",
                          gnuplot_string(series.label));
  return script + "\n";
}

std::string panels_script(const Plot& plot, const std::string& name, const std::string& word) {
  std::string script = fmt::format("# Made by politex; `gnuplot {}.gp` draws it again.\nset encoding utf8\n", name);
  std::string drawing;
  for (std::size_t i = 0; i < plot.panels.size(); ++i) {
    const Plot& panel = plot.panels[i];
    drawing += "reset\n";
    const bool over_axes = panel.x_high > panel.x_low && panel.y_high > panel.y_low;
    if (!panel.map.empty()) {
      append_map(script, fmt::format("panel{}", i), panel.map);
      drawing += over_axes ? map_over_axes_script(panel, i) : map_script(panel, fmt::format("panel{}", i));
      if (!over_axes) continue;
    }
    for (std::size_t k = 0; k < panel.series.size(); ++k) {
      check(panel.series[k]);
      append_data(script, fmt::format("panel{}_{}", i, k), {panel.series[k].x, panel.series[k].y});
    }
    if (panel.map.empty()) drawing += panel_script(panel, i);
  }
  if (!plot.series.empty()) drawing += "reset\n" + legend_script(plot);
  const auto cells = static_cast<int>(plot.panels.size()) + (plot.series.empty() ? 0 : 1);
  const std::string multi =
      fmt::format("set multiplot layout {},{} title {} noenhanced font ',13'\n{}unset multiplot\nset output\n",
                  (cells + plot.columns - 1) / plot.columns, plot.columns, gnuplot_string(plot.title), drawing);
  return script +
         fmt::format(
             "set terminal svg size {0},{1} dynamic enhanced font 'DejaVu Sans,12' name {2} background rgb '#ffffff'\n"
             "set output {3}\n{6}"
             "set terminal pngcairo size {4},{5} enhanced font 'DejaVu Sans,12' fontscale 1.5 linewidth 2 pointscale 2 "
             "background rgb '#ffffff'\nset output {7}\n{6}{8}set output {9}\n{6}",
             plot.width, plot.height, gnuplot_string(word), gnuplot_string(name + ".svg"), 2 * plot.width,
             2 * plot.height, multi, gnuplot_string(name + ".png"), pdf_terminal(plot.width, plot.height),
             gnuplot_string(name + ".pdf"));
}

}  // namespace

std::string gnuplot_script(const Plot& plot, const std::string& name) {
  std::string word = name;  // gnuplot accepts only letters, digits and underscores as prefix of ids
  std::ranges::replace_if(
      word, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  if (!plot.panels.empty()) return panels_script(plot, name, word);
  std::string script = fmt::format("# Made by politex; `gnuplot {}.gp` draws it again.\nset encoding utf8\n", name);
  for (std::size_t i = 0; i < plot.references.size(); ++i) {
    append_data(script, fmt::format("reference{}", i), {plot.references[i].x, plot.references[i].y});
  }
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const Series& series = plot.series[i];
    check(series);
    std::vector<std::vector<double>> columns{series.x, series.y};
    if (!series.low.empty()) columns.insert(columns.end(), {series.low, series.high});
    columns.insert(columns.end(), series.each.begin(), series.each.end());
    append_data(script, fmt::format("series{}", i), columns);
  }
  script += axes(plot);
  std::string clauses;
  for (std::size_t i = 0; i < plot.references.size(); ++i) {
    const Reference& reference = plot.references[i];
    script += fmt::format("set label {} noenhanced at {},{} left offset 0.6,0 textcolor rgb '#555555' font ',10'\n",
                          gnuplot_string(reference.label), reference.x.back(), reference.y.back());
    clauses += fmt::format(
        "$reference{} using 1:2 with lines linecolor rgb '#555555' linewidth 1 dashtype (2,3) notitle, \\\n     ", i);
  }
  clauses += bands(plot.series) + seed_clauses(plot.series);
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    clauses += series_clauses(plot.series[i], i) + (i + 1 < plot.series.size() ? ", \\\n     " : "");
  }
  script += fmt::format(
      "set terminal svg size {0},{1} dynamic enhanced font 'DejaVu Sans,12' name {2} background rgb '#ffffff'\n"
      "set output {3}\nplot {6}\n"
      "set terminal pngcairo size {4},{5} enhanced font 'DejaVu Sans,12' fontscale 1.5 linewidth 2 pointscale 2 "
      "background rgb '#ffffff'\n"
      "set output {7}\nreplot\nset output\n{8}set output {9}\nreplot\nset output\n",
      plot.width, whole_height(plot), gnuplot_string(word), gnuplot_string(name + ".svg"), 2 * plot.width,
      2 * whole_height(plot), clauses, gnuplot_string(name + ".png"), pdf_terminal(plot.width, whole_height(plot)),
      gnuplot_string(name + ".pdf"));
  return script;
}

bool has_gnuplot() {
  try {
    Gnuplot(".", "--version").finish();
  } catch (const Error&) {
    return false;
  }
  return true;
}

namespace {

/// The time at which it was drawn becomes a fixed one, so that the same plot gives the same bytes.
void take_time_from_pdf(const std::filesystem::path& file) {
  std::string bytes = read_file("figure", file.string());
  constexpr std::string_view before = "/CreationDate (D:", none = "19700101000000";
  if (const auto at = bytes.find(before); at != std::string::npos && at + before.size() + none.size() <= bytes.size())
    bytes.replace(at + before.size(), none.size(), none);
  write_file(file, bytes);
}

}  // namespace

void draw_all(std::span<const Drawing> figures, const std::filesystem::path& directory) {
  if (!has_gnuplot()) {
    for (const Drawing& figure : figures) {
      write_file(directory / (figure.name + ".gp"), gnuplot_script(figure.plot, figure.name));
      write_file(directory / (figure.name + ".svg"), plain_svg(figure.plot));
    }
    return;
  }
  const auto most = static_cast<std::size_t>(resolve_jobs(0));
  std::deque<std::pair<Gnuplot, const Drawing*>> at_work;
  const auto finish_first = [&] {
    at_work.front().first.finish();
    take_time_from_pdf(directory / (at_work.front().second->name + ".pdf"));
    at_work.pop_front();
  };
  for (const Drawing& figure : figures) {
    write_file(directory / (figure.name + ".gp"), gnuplot_script(figure.plot, figure.name));
    if (at_work.size() == most) finish_first();
    at_work.emplace_back(Gnuplot(directory, figure.name + ".gp"), &figure);
  }
  while (!at_work.empty()) finish_first();
}

void draw(const Plot& plot, const std::filesystem::path& directory, const std::string& name) {
  draw_all(std::vector<Drawing>{{.name = name, .plot = plot}}, directory);
}

}  // namespace politex::inline page
