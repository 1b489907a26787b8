// curve.csv: the average cost after about eight numbers of steps per factor of ten. For many runs of which only the
// summary and the shape of the curve are used.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace politex::inline record {

struct CurvePoint {
  std::int64_t steps = 0;
  double average_cost = 0.0;  // of all steps so far
  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// Collects the points while a run proceeds. Which ones are kept depends on the steps alone.
class CurvePoints {
 public:
  /// Whether a point after this number of steps would be kept.
  bool due(std::int64_t steps) const noexcept { return static_cast<double>(steps) >= next_; }
  void add(const CurvePoint& point);
  /// Adds the end of the run, where it is not the last point already.
  void end(const CurvePoint& point);
  const std::vector<CurvePoint>& points() const noexcept { return points_; }

 private:
  std::vector<CurvePoint> points_;
  double next_ = 1.0;
};

inline constexpr const char* curve_file = "curve.csv";
std::string curve_text(const std::vector<CurvePoint>& points);
/// Throws ConfigError that names the file if it does not exist, Error if it is not a curve.
std::vector<CurvePoint> read_curve(const std::filesystem::path& file);

}  // namespace politex::inline record
