// The usual range of one coordinate of an observation.
#pragma once

namespace politex::inline env {

/// Values out of range are replaced by the nearest end.
struct Range {
  double low = 0.0;
  double high = 1.0;
};

}  // namespace politex::inline env
