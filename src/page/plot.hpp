// Figures for print, described as data and drawn by gnuplot as SVG, PNG and PDF. The same plot gives the same bytes.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace politex::inline page {

/// The style of a curve. The colours of Okabe and Ito are safe for colour-blind readers; curves of the same colour
/// differ in dash and marker.
struct Look {
  std::string colour = "#000000";
  int marker = 7;  // gnuplot's point type
  bool dashed = false;
  double width = 1.8;
};

/// The i-th look; all differ in marker and in colour or dash. Wraps around.
Look look(std::size_t index);
inline constexpr std::size_t different_looks = 11;

/// A curve; `low` and `high` (both or neither) give an interval at every point.
struct Series {
  std::string label;
  std::vector<double> x, y, low, high;
  Look look;
  bool markers = true;                         // false: a line (with a band if it has intervals)
  bool joined = true;                          // false: markers without a line
  std::vector<std::vector<double>> each = {};  // further curves over x, drawn thin: the seeds of a mean
};

/// A thin grey line with its name at its right end.
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

  /// Not empty: drawn as shades of blue, row by row from the top, with labels. Where the ranges of both axes are given,
  /// the map fills them and the series are drawn over it (gnuplot only).
  std::vector<std::vector<double>> map = {};
  std::vector<Plot> panels = {};  // not empty: small plots side by side; the series above are their legend
  int columns = 5;                // of the panels
};

/// The gnuplot script, including all data, that draws `<name>.svg`, `.png` and `.pdf` into its working directory.
std::string gnuplot_script(const Plot& plot, const std::string& name);

/// Whether gnuplot can be started. Without it figures are simpler and there are no PNG and PDF files; this sentence
/// says so.
bool has_gnuplot();
inline constexpr const char* without_gnuplot =
    "gnuplot is not installed: figures are simpler SVG files, without PNG and PDF. Install gnuplot (Debian: "
    "gnuplot-nox) for "
    "figures for print, or draw them later from the *.gp files";

struct Drawing {
  std::string name;
  Plot plot;
};

/// Writes `<name>.gp`, `<name>.svg` and (with gnuplot) `<name>.png` and `.pdf` of each figure into an existing
/// directory, in parallel. Throws Error with the message of gnuplot.
void draw_all(std::span<const Drawing> figures, const std::filesystem::path& directory);
void draw(const Plot& plot, const std::filesystem::path& directory, const std::string& name);

}  // namespace politex::inline page
