// What one coordinate of an observation usually lies between.
#pragma once

namespace politex::inline env {

/// Values outside are taken for the nearest end.
struct Range {
  double low = 0.0;
  double high = 1.0;
};

}  // namespace politex::inline env
