#include "politex/figures/cartpole/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace politex::inline figures {
namespace {

constexpr double seconds_per_step = 0.01;
constexpr int frame_width = 100, frame_height = 112;

/// One frame in a box of its own: rail, cart, pole of length 1, time.
std::string frame_svg(const CartpoleFrame& frame, int left, double seconds) {
  constexpr double metre = 22.0;  // pixels; the rail is 3.6 m long
  constexpr double rail = 58.0;
  const double cart = left + 0.5 * frame_width + metre * frame.position;
  const double tip_x = cart + 1.6 * metre * std::sin(frame.angle);
  const double tip_y = rail - 1.6 * metre * std::cos(frame.angle);
  const bool pays = frame.reward > 0.5;
  std::string text = fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#9aa0a6\" stroke-width=\"1\"/>",
      left + 0.5 * frame_width - 1.8 * metre, rail, left + 0.5 * frame_width + 1.8 * metre, rail);
  text += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"20\" height=\"9\" rx=\"2\" fill=\"#444444\"/>",
                      cart - 10.0, rail - 4.5);
  text += fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"4\" "
      "stroke-linecap=\"round\"/>",
      cart, rail, tip_x, tip_y, pays ? "#0072B2" : "#D55E00");
  text += fmt::format(
      "<text x=\"{}\" y=\"{}\" font-size=\"11\" fill=\"#333333\" text-anchor=\"middle\" font-family=\"DejaVu Sans, "
      "sans-serif\">{:.2f} s</text>\n",
      left + frame_width / 2, frame_height - 3, seconds);
  return text;
}

}  // namespace

std::string film_strip(std::span<const CartpoleFrame> frames, int every, int count) {
  const int per_row = std::min(count, 9);
  const int rows = (count + per_row - 1) / per_row;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"film-strip of an "
      "episode\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      per_row * frame_width, rows * frame_height);
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i) * static_cast<std::size_t>(every);
    if (at >= frames.size()) break;
    text += fmt::format("<g transform=\"translate(0 {})\">{}</g>", i / per_row * frame_height,
                        frame_svg(frames[at], i % per_row * frame_width, seconds_per_step * static_cast<double>(at)));
  }
  return text + "</svg>\n";
}

std::string film_json(std::span<const CartpoleFrame> frames, std::string_view label) {
  std::string x, angle, paid;
  double total = 0.0;
  for (const CartpoleFrame& frame : frames) {
    const char* comma = x.empty() ? "" : ",";
    total += frame.reward;
    x += fmt::format("{}{:.3f}", comma, frame.position);
    angle += fmt::format("{}{:.3f}", comma, frame.angle);
    paid += fmt::format("{}{:.1f}", comma, total);
  }
  return fmt::format("{{\"label\":\"{}\",\"seconds\":{},\"x\":[{}],\"angle\":[{}],\"paid\":[{}]}}", label,
                     seconds_per_step, x, angle, paid);
}

}  // namespace politex::inline figures
