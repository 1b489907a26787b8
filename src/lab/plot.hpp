// Figures for print, drawn by gnuplot: described as data, written as SVG and PNG. The same plot gives the same bytes.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace politex::lab {

/// How a curve looks. Colours are Okabe and Ito's, which colour-blind readers can tell apart; curves that share a
/// colour differ in dash and marker.
struct Look {
  std::string colour = "#000000";
  int marker = 7;  // gnuplot's point type
  bool dashed = false;
  double width = 1.8;
};

/// The i-th of the looks that differ in colour or dash, and in marker; wraps around.
Look look(std::size_t index);
inline constexpr std::size_t different_looks = 11;

/// A curve; `low` and `high` (both or neither) draw an interval at every point.
struct Series {
  std::string label;
  std::vector<double> x, y, low, high;
  Look look;
  bool markers = true;  // false: a line (with a band when it has intervals)
  bool joined = true;   // false: markers that no line joins
};

/// A thin grey line with its name written beside its right end.
struct Reference {
  std::string label;
  std::vector<double> x, y;
};

struct Tick {
  double at = 0.0;
  std::string label;
};

struct Plot {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  std::vector<Tick> x_ticks;                                    // empty: gnuplot's choice
  double x_low = 0.0, x_high = 0.0, y_low = 0.0, y_high = 0.0;  // equal: fitted to the data
  std::vector<Reference> references;
  std::vector<Series> series;
  int width = 860, height = 560;  // of the SVG, in pixels; the PNG has twice as many
};

/// The script that draws `<name>.svg` and `<name>.png` into its working directory; it holds all its data.
std::string gnuplot_script(const Plot& plot, const std::string& name);

/// Throws Error that says what to install when gnuplot cannot be started.
void require_gnuplot();

struct Drawing {
  std::string name;
  Plot plot;
};

/// Writes `<name>.gp`, `<name>.svg` and `<name>.png` of each, as many at a time as there are cores, into a directory
/// that exists; throws Error with gnuplot's own words.
void draw_all(std::span<const Drawing> figures, const std::filesystem::path& directory);
void draw(const Plot& plot, const std::filesystem::path& directory, const std::string& name);

}  // namespace politex::lab
