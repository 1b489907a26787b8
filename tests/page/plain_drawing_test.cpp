#include "politex/page/plain_drawing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace politex {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

int count(const std::string& text, const std::string& word) {
  int found = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST(PlainDrawing, TicksAreRound) {
  EXPECT_THAT(round_ticks(0, 1, false),
              ElementsAre(0, DoubleNear(.2, 1e-12), DoubleNear(.4, 1e-12), DoubleNear(.6, 1e-12), DoubleNear(.8, 1e-12),
                          DoubleNear(1, 1e-12)));
  EXPECT_THAT(round_ticks(-7, 31, false), ElementsAre(0, 10, 20, 30));
  EXPECT_THAT(round_ticks(50, 2e6, true), ElementsAre(100, 1000, 1e4, 1e5, 1e6));
  EXPECT_THAT(round_ticks(2, 9, true), ElementsAre(2, 4, 6, 8));
  EXPECT_THAT(round_ticks(1, 1, false), IsEmpty());
  EXPECT_THAT(round_ticks(-1, 1, true), IsEmpty());
}

Series line(const std::string& label, std::vector<double> x, std::vector<double> y) {
  Series series;
  series.label = label;
  series.x = std::move(x);
  series.y = std::move(y);
  series.markers = false;
  return series;
}

TEST(PlainDrawing, PointsAreWhereTheirValuesAre) {
  Plot plot;
  plot.title = "<t>";
  plot.x_high = 10;
  plot.y_high = 1;
  plot.series = {line("a & b", {0, 5, 10}, {0, .5, 1})};
  const std::string svg = plain_svg(plot);
  // The axes: from 70 to 860 - 20 - 44 - 6.6 * 5 = 763 across, from 512 up to 34.
  EXPECT_THAT(svg, HasSubstr("points=\"70.0,512.0 416.5,273.0 763.0,34.0 \""));
  EXPECT_THAT(svg, HasSubstr("&lt;t&gt;"));
  EXPECT_THAT(svg, HasSubstr("a &amp; b"));
}

TEST(PlainDrawing, GapsAndImpossibleLogarithmsAreLeftOut) {
  Plot plot;
  plot.log_y = true;
  plot.series = {line("", {1, 2, 3, 4, 5}, {1, 10, std::numeric_limits<double>::quiet_NaN(), 100, -1})};
  const std::string svg = plain_svg(plot);
  EXPECT_EQ(count(svg, "<polyline"), 2);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(PlainDrawing, PanelsAndMapsAreDrawn) {
  Plot panel, map, plot;
  panel.series = {line("", {1, 2}, {1, 1})};
  panel.series[0].low = {0, 0};
  panel.series[0].high = {2, 2};
  map.map = {{0, 1}, {2, 3}};
  plot.panels = {panel, map};
  plot.series = {line("legend", {}, {})};
  const std::string svg = plain_svg(plot);
  EXPECT_EQ(count(svg, "<svg"), 4);
  EXPECT_EQ(count(svg, "</svg>"), 4);
  EXPECT_EQ(count(svg, "<polygon"), 1);
  EXPECT_EQ(count(svg, "fill=\"#08306b\""), 4);
  EXPECT_THAT(svg, HasSubstr("legend"));
}

}  // namespace
}  // namespace politex
