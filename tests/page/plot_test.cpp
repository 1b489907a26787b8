#include "politex/page/plot.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/page/plain_drawing.hpp"
#include "record/test_files.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;

class PlotTest : public testing::Test {
 protected:
  PlotTest() : directory_(fs::path(testing::TempDir()) / ("politex_plot_" + std::to_string(getpid()))) {
    fs::create_directories(directory_);
  }
  ~PlotTest() override { fs::remove_all(directory_); }

  static Plot example() {
    Plot plot;
    plot.title = "it's {not} a_formula";
    plot.x_label = "N";
    plot.y_label = "average cost";
    plot.log_x = true;
    plot.x_ticks = {{2, "2"}, {50, "50"}};
    plot.references = {{"optimum", {2, 50}, {-1.5, -1.5}}};
    plot.series = {{"η = ½", {2, 50}, {-1.4, -1.1}, {-1.5, -1.2}, {-1.3, -1.0}, look(0)},
                   {"plain", {2, 50}, {0.0, 0.1}, {}, {}, look(7), false}};
    return plot;
  }

  fs::path directory_;
};

TEST_F(PlotTest, DrawsItsFilesAndTheSameBytesAgain) {
  draw(example(), directory_, "a-b.c");
  EXPECT_TRUE(fs::exists(directory_ / "a-b.c.svg"));  // not a valid id inside an SVG
  draw(example(), directory_, "a");
  const std::string svg = bytes_of(directory_ / "a.svg");
  const std::string png = bytes_of(directory_ / "a.png");
  ASSERT_GT(svg.size(), 2000U);
  EXPECT_NE(svg.find("η = ½"), std::string::npos);
  EXPECT_NE(svg.find("it's {not} a_formula"), std::string::npos);
  const std::string pdf = bytes_of(directory_ / "a.pdf");
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
  EXPECT_NE(pdf.find("/CreationDate (D:19700101000000"), std::string::npos);
  draw(example(), directory_, "a");
  EXPECT_EQ(svg, bytes_of(directory_ / "a.svg"));
  EXPECT_EQ(png, bytes_of(directory_ / "a.png"));
  EXPECT_EQ(pdf, bytes_of(directory_ / "a.pdf"));
  draw(example(), directory_, "a-1");  // not a valid id inside an SVG
  EXPECT_TRUE(fs::exists(directory_ / "a-1.svg"));
}

TEST_F(PlotTest, LongNamesAreBelowThePlotAndBandsBelowEveryLine) {
  Plot plot = example();
  for (Series& series : plot.series) series.markers = false;
  plot.series[1].low = plot.series[1].high = plot.series[1].y;
  std::string script = gnuplot_script(plot, "a");
  EXPECT_NE(script.find("set key outside right top"), std::string::npos);
  EXPECT_NE(script.find("svg size 860,560 "), std::string::npos);
  EXPECT_LT(script.find("$series1 using 1:3:4 with filledcurves"), script.find("$series0 using 1:2 with lines"));
  plot.series[0].label = std::string(41, 'm');
  script = gnuplot_script(plot, "a");
  EXPECT_NE(script.find("set key outside below"), std::string::npos);
  EXPECT_NE(script.find("svg size 860,600 "), std::string::npos);
  draw(plot, directory_, "a");
}

TEST_F(PlotTest, TicksHaveRoom) {
  Plot plot = example();
  plot.log_x = false;
  plot.x_ticks.clear();
  plot.series[0].x = plot.series[1].x = {0.0, 1'000'000.0};
  EXPECT_NE(gnuplot_script(plot, "a").find("set xtics ('0' 0, '200k' 200000, '400k' 400000, '600k' 600000, '800k' "
                                           "800000, '1M' 1000000)"),
            std::string::npos);
  plot.series[0].x = plot.series[1].x = {0.0, 30'000.0};
  EXPECT_NE(gnuplot_script(plot, "a").find("set xtics ('0' 0, '5k' 5000, '10k' 10000"), std::string::npos);
  plot.series[0].x = plot.series[1].x = {0.0, 4000.0};
  EXPECT_EQ(gnuplot_script(plot, "a").find("set xtics"), std::string::npos) << "gnuplot's own are good";
  plot.x_ticks = {{0, "V explore"}, {1, "a \"b\" $c"}};
  EXPECT_NE(gnuplot_script(plot, "a").find(R"(set xtics ("V\nexplore" 0, 'a "b" $c' 1))"), std::string::npos);
  draw(plot, directory_, "ticks");
}

TEST_F(PlotTest, ColumnsOfUnequalLengthAreRejected) {
  Plot plot = example();
  plot.series[0].low.pop_back();
  EXPECT_THROW(gnuplot_script(plot, "a"), Error);
}

TEST_F(PlotTest, TheMessageOfGnuplotReachesTheUser) {
  Plot plot = example();
  plot.log_y = true;
  plot.y_low = -2;  // gnuplot refuses a logarithmic axis below 0
  plot.y_high = -1;
  try {
    draw(plot, directory_, "a");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("gnuplot failed"), std::string::npos);
    EXPECT_GT(std::string(error.what()).size(), 30U);
  }
}

TEST_F(PlotTest, WithoutGnuplotAPlainDrawingIsWritten) {
  const std::string path = std::getenv("PATH");
  const Plot plot = example();
  setenv("PATH", directory_.c_str(), 1);
  EXPECT_FALSE(has_gnuplot());
  draw(plot, directory_, "plain");
  setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(has_gnuplot());
  EXPECT_EQ(read_file("", (directory_ / "plain.svg").string()), plain_svg(plot));
  EXPECT_TRUE(std::filesystem::exists(directory_ / "plain.gp"));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "plain.png"));
}

TEST(Looks, AllDiffer) {
  for (std::size_t i = 0; i < 11; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(look(i).marker, look(j).marker);
      EXPECT_FALSE(look(i).colour == look(j).colour && look(i).dashed == look(j).dashed) << i << ' ' << j;
    }
  }
}

// The first row is the top: 2 x 3 cells over [0, 6] x [0, 4] have their middles at 1, 3, 5 and at 3, 1.
TEST(Plot, AMapOverAxesHasItsCellsInPlaceAndTheSeriesOverIt) {
  Plot panel;
  panel.x_high = 6.0;
  panel.y_high = 4.0;
  panel.map = {{1, 2, 3}, {4, 5, 6}};
  Series& line = panel.series.emplace_back();
  line.x = {1, 2};
  line.y = {3, 4};
  Plot plot;
  plot.panels = {panel};
  const std::string script = gnuplot_script(plot, "map");
  EXPECT_NE(script.find("matrix using (1+2*$1):(3-2*$2):3 with image notitle, \\\n     $panel0_0 using 1:2 with lines"),
            std::string::npos)
      << script;
  plot.panels.front().x_high = 0.0;  // without a range there are no axes, and no series
  EXPECT_EQ(gnuplot_script(plot, "map").find("$panel0_0"), std::string::npos);
}

}  // namespace
}  // namespace politex
