#include "politex/record/curve_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"

namespace politex::inline record {
namespace {

constexpr double points_per_decade = 8.0;
constexpr std::string_view curve_header = "steps,average_cost\n";

// Reads a number and the character that must follow it; moves `text` behind both.
template <class Number>
bool take_number(std::string_view& text, Number& into, char then) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  if (error != std::errc() || end == text.data() + text.size() || *end != then) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return true;
}

}  // namespace

void CurvePoints::add(const CurvePoint& point) {
  points_.push_back(point);
  const double place = std::floor(points_per_decade * std::log10(static_cast<double>(point.steps)) + 1e-9);
  next_ = std::pow(10.0, (place + 1.0) / points_per_decade);
}

void CurvePoints::end(const CurvePoint& point) {
  if (points_.empty() || points_.back().steps != point.steps) add(point);
}

std::string curve_text(const std::vector<CurvePoint>& points) {
  std::string text(curve_header);
  for (const CurvePoint& point : points) text += fmt::format("{},{}\n", point.steps, point.average_cost);
  return text;
}

std::vector<CurvePoint> read_curve(const std::filesystem::path& file) {
  const std::string bytes = read_file(curve_file, file.string());
  std::string_view left = bytes;
  const auto refuse = [&] {
    throw Error(fmt::format("{} is not a curve; delete its run to repeat it", file.string()));
  };
  if (!left.starts_with(curve_header)) refuse();
  left.remove_prefix(curve_header.size());
  std::vector<CurvePoint> points;
  while (!left.empty()) {
    CurvePoint& point = points.emplace_back();
    if (!take_number(left, point.steps, ',') || !take_number(left, point.average_cost, '\n')) refuse();
    if (points.size() > 1 && point.steps <= points[points.size() - 2].steps) refuse();
  }
  if (points.empty()) refuse();
  return points;
}

}  // namespace politex::inline record
